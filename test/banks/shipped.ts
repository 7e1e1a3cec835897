import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { banksColumns, blzColumns } from "../../src/banks/files/banks-csv.ts";

/** Folder of the shipped data. */
export const dataFolder = fileURLToPath(new URL("../../data/", import.meta.url));

/** Folder of the facts that were collected for the data; it is beside the checkout where there is any. */
const factsFolder = fileURLToPath(new URL("../../../shared/data/ship/", import.meta.url));

/** Why a test that needs the collected facts is skipped. */
export const factsMissing = existsSync(factsFolder) ? false : "the files are not beside it";

/** First day of the shipped German bank codes. */
export const germanEdition = (
  JSON.parse(readFileSync(`${dataFolder}manifest.json`, "utf8")) as {
    readonly editions: readonly { readonly dataset: string; readonly validFrom: string }[];
  }
).editions.find(({ dataset }) => dataset === "blz")!.validFrom;

interface ShippedRows {
  "blz.csv": Record<(typeof blzColumns)[number], string>;
  "banks.csv": Record<(typeof banksColumns)[number], string>;
  "bank-bics.csv": Record<"country" | "bank_code" | "bic" | "kind" | "until", string>;
  "former-codes.csv": Record<"country" | "bank_code" | "successor" | "since", string>;
}

/** The first lines of a shipped file, the head among them. */
export function firstLines(file: keyof ShippedRows, count: number): string {
  const lines = readFileSync(dataFolder + file, "utf8")
    .split("\n")
    .slice(0, count);
  return `${lines.join("\n")}\n`;
}

/** Reads a shipped CSV file with a separate reader, to check the product's reader against it: one object per row. */
export function rowsOf<File extends keyof ShippedRows>(file: File): ShippedRows[File][] {
  return rowsIn<ShippedRows[File]>(dataFolder + file);
}

/** Reads a CSV file of the collected facts: one object per row. */
export const factsIn = <Row>(file: string): Row[] => rowsIn<Row>(factsFolder + file);

function rowsIn<Row>(path: string): Row[] {
  const [head, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  const columns = valuesOf(head!);
  return lines.map(
    (line) => Object.fromEntries(valuesOf(line).map((value, at) => [columns[at]!, value])) as Row,
  );
}

function valuesOf(line: string): string[] {
  return [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
