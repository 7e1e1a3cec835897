import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** Kontonummer and bank code. */
export type Account = readonly [kontonummer: string, bankleitzahl: string];

/** Accounts of the German IBANs. */
export function accountsOf(ibans: readonly string[]): Account[] {
  return ibans.filter((iban) => iban.startsWith("DE")).map((iban) => [iban.slice(12), iban.slice(4, 12)]);
}

/** Writes a file of a head and rows, without holding it in memory. */
export async function writeRows(
  file: string,
  rows: number,
  head: string,
  lineOf: (row: number) => string,
): Promise<void> {
  const out = createWriteStream(file);
  out.write(head);
  for (let row = 0; row < rows; row += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, rows - row) }, (_, at) => lineOf(row + at));
    if (!out.write(`${lines.join("\n")}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

/** A body of a stream: what precedes its lines, a line, and the column of BICs to check. */
interface StreamBody {
  readonly head: string;
  readonly bicColumn?: string;
  lineOf(iban: string, row: number, account: Account): string;
}

const amountOf = (row: number) => `${row % 1_000},50`;

/** The bodies that streams are measured with, by name of their file. */
export const streamBodies: Readonly<Record<string, StreamBody>> = {
  "ibans.csv": {
    head: "customer;name;iban;amount\n",
    lineOf: (iban, row) => `${100_000 + row};Jürgen Beispiel;${iban};${amountOf(row)}`,
  },
  "quoted.csv": {
    head: "customer;name;iban;amount\n",
    lineOf: (iban, row) => `${100_000 + row};"Beispiel; Jürgen";${iban};${amountOf(row)}`,
  },
  "bics.csv": {
    head: "customer;iban;bic\n",
    bicColumn: "bic",
    lineOf: (_, row) => `${100_000 + row};DE89370400440532013000;COBADEFF${row % 2 === 0 ? "" : "XXX"}`,
  },
  "ibans.txt": { head: "", lineOf: (iban) => iban },
  "ibans.ndjson": { head: "", lineOf: (iban, row) => `{"id":${row},"iban":"${iban}"}` },
  "accounts.csv": {
    head: "customer;kontonummer;blz\n",
    lineOf: (_, row, account) => [row, ...account].join(";"),
  },
  "accounts.ndjson": {
    head: "",
    lineOf: (_, id, [kontonummer, bankleitzahl]) => JSON.stringify({ id, kontonummer, bankleitzahl }),
  },
};
