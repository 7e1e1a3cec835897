import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { bankBicsColumns } from "../../src/banks/files/bank-bics-csv.ts";
import { banksColumns } from "../../src/banks/files/banks-csv.ts";
import { csvText } from "../../src/banks/files/csv.ts";
import { writeNormalForm } from "../../src/banks/import/normal-form.ts";
import { type BankRow, type BicRow, type Correction, mergeBics, mergeFacts } from "./merge-facts.ts";
import { dataFolder, rowsIn, rowsOf } from "./shipped.ts";

/** Files of facts that are merged into `data/`; they are beside the checkout where there are any. */
const factsFolder = new URL("../../../shared/data/ship/", import.meta.url);

/**
 * Merges additions and corrections into `data/banks.csv`, further and former BICs into `data/bank-bics.csv`, and prints what
 * was refused. Does nothing twice.
 */
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
  const bics = mergeBics(
    rowsIn<BicRow>(readFileSync(`${dataFolder}bank-bics.csv`, "utf8")),
    factRows<BicRow>("bank-bics.csv"),
    listedBics(rows),
  );
  const bicCells = bics.rows.map((row) => bankBicsColumns.map((column) => row[column] ?? ""));
  writeFileSync(`${dataFolder}bank-bics.csv`, csvText([bankBicsColumns, ...bicCells]));
  process.stdout.write([...refused, ...bics.refused].map((refusal) => `refused: ${refusal}\n`).join(""));
}

/** The BICs of each bank code, of German ones those of their locations too. */
function listedBics(banks: readonly BankRow[]): ReadonlyMap<string, readonly string[]> {
  const listed = new Map<string, string[]>();
  const enter = (code: string, bic: string) =>
    listed.set(code, [...(listed.get(code) ?? []), ...(bic === "" ? [] : [bic])]);
  for (const { country, bank_code, bic } of banks) enter(`${country} ${bank_code}`, bic);
  for (const { Bankleitzahl, BIC } of rowsOf("blz.csv")) enter(`DE ${Bankleitzahl}`, BIC);
  return listed;
}

/** Reads a file of facts: one object per row. */
export function factRows<Row>(file: string): Row[] {
  return rowsIn<Row>(readFileSync(new URL(file, factsFolder), "utf8"));
}
