import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { banksColumns } from "../../src/banks/files/banks-csv.ts";
import { writeNormalForm } from "../../src/banks/import/normal-form.ts";
import { type BankRow, type Correction, mergeFacts } from "./merge-facts.ts";
import { dataFolder, rowsIn, rowsOf } from "./shipped.ts";

/** Files of facts that are merged into `data/`; they are beside the checkout where there are any. */
const factsFolder = new URL("../../../shared/data/ship/", import.meta.url);

/** Merges additions and corrections into `data/banks.csv`, and prints what was refused. Does nothing twice. */
export function writeFacts(): void {
  if (!existsSync(factsFolder)) throw new Error(`${factsFolder.pathname} does not exist`);
  const own = rowsOf("banks.csv");
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
  const cells = rows.map((row) => banksColumns.map((column) => row[column]));
  writeFileSync(`${dataFolder}banks.csv`, writeNormalForm("banks", cells));
  process.stdout.write(refused.map((refusal) => `refused: ${refusal}\n`).join(""));
}

/** Reads a file of facts: one object per row. */
export function factRows<Row>(file: string): Row[] {
  return rowsIn<Row>(readFileSync(new URL(file, factsFolder), "utf8"));
}
