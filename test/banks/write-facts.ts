import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { banksColumns } from "../../src/banks/files/banks-csv.ts";
import { type BankRow, type Correction, mergeFacts } from "./merge-facts.ts";
import { dataFolder } from "./shipped.ts";

/** Files of facts that are merged into `data/`; they are beside the checkout where there are any. */
const factsFolder = new URL("../../../shared/data/ship/", import.meta.url);

/** Merges additions and corrections into `data/banks.csv`, and prints what was refused. Does nothing twice. */
export function writeFacts(): void {
  if (!existsSync(factsFolder)) throw new Error(`${factsFolder.pathname} does not exist`);
  const own = tableOf<BankRow>(readFileSync(`${dataFolder}banks.csv`, "utf8"));
  const known = new Set(own.map(({ country, bank_code }) => `${country} ${bank_code}`));
  const additions = [
    ...factRows<BankRow>("banks-additions.csv"),
    ...factRows<BankRow>("banks-additions-2.csv"),
  ];
  const { rows, refused } = mergeFacts(
    own,
    additions.filter(({ country, bank_code }) => !known.has(`${country} ${bank_code}`)),
    factRows<Correction>("banks-corrections.csv"),
  );
  const lines = rows.map((row) => banksColumns.map((column) => quoted(row[column])).join(";"));
  writeFileSync(`${dataFolder}banks.csv`, `${[banksColumns.join(";"), ...lines].join("\n")}\n`);
  process.stdout.write(refused.map((refusal) => `refused: ${refusal}\n`).join(""));
}

/** Reads a file of facts: one object per row. */
export function factRows<Row>(file: string): Row[] {
  return tableOf<Row>(readFileSync(new URL(file, factsFolder), "utf8"));
}

function tableOf<Row>(text: string): Row[] {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const columns = head.split(";");
  return lines.map((line) => {
    const values = [...line.matchAll(/("(?:[^"]|"")*"|[^;]*)(?:;|$)/g)].map(([, value = ""]) =>
      value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value,
    );
    return Object.fromEntries(columns.map((column, index) => [column, values[index]])) as Row;
  });
}

function quoted(value: string): string {
  return /[";]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
