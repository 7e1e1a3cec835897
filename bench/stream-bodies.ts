/** A body of a stream: what comes before its lines, and a line. */
export interface StreamBody {
  readonly head: string;
  /** The column with the BICs, where they are checked too. */
  readonly bicColumn?: string;
  lineOf(iban: string, row: number, accounts: readonly Account[]): string;
}

/** Kontonummer and bank code. */
export type Account = readonly [kontonummer: string, bankleitzahl: string];

/** Accounts of the German IBANs. */
export function accountsOf(ibans: readonly string[]): Account[] {
  return ibans.filter((iban) => iban.startsWith("DE")).map((iban) => [iban.slice(12), iban.slice(4, 12)]);
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
  "same.csv": {
    head: "customer;name;iban;amount\n",
    lineOf: () => "100000;Jürgen Beispiel;DE89370400440532013000;1,50",
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
    lineOf: (_, row, accounts) => [row, ...accounts[row % accounts.length]!].join(";"),
  },
  "accounts.ndjson": {
    head: "",
    lineOf: (_, id, accounts) => {
      const [kontonummer, bankleitzahl] = accounts[id % accounts.length]!;
      return JSON.stringify({ id, kontonummer, bankleitzahl });
    },
  },
};
