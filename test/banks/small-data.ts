import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestFile, manifestText } from "../../src/banks/editions/manifest.ts";
import { dataFolder, germanEdition } from "./shipped.ts";

/** Returns a shipped file with its head and the rows wanted. */
function rowsWanted(file: string, isWanted: (row: string) => boolean): string {
  const [head = "", ...rows] = readFileSync(`${dataFolder}${file}`, "utf8").trimEnd().split("\n");
  return `${[head, ...rows.filter(isWanted)].join("\n")}\n`;
}

/** Cells of the shipped bank codes as the Bundesbank publishes them: the heading, and rows with numbers for placeholders. */
export function publishedBlz(isTaken: (row: string) => boolean) {
  const [head = "", ...rows] = rowsWanted("blz.csv", isTaken).trimEnd().split("\n");
  const cellsOf = (row: string) => row.split(";", 13).map((cell) => cell.replace(/^"|"$/g, ""));
  const numbered = rows
    .map(cellsOf)
    .filter((cells) => cells[8] !== "")
    .map((cells, index) => cells.with(9, String(index).padStart(6, "0")));
  return { heading: cellsOf(head), rows: numbered };
}

/** A row of such a file. */
export const rowText = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(";");

/** Which rows of the shipped files are taken, as they are written there. */
interface WantedRows {
  readonly blz: (row: string) => boolean;
  readonly banks: (row: string) => boolean;
}

/**
 * Makes a data folder of some rows of the shipped files, with their editions. Loading it takes a fraction of the time that the
 * shipped files take, and each import loads it in the command and in every process of the service.
 */
export function writeSmallData(folder: string, { blz, banks }: WantedRows): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "blz.csv"), rowsWanted("blz.csv", blz));
  writeFileSync(join(folder, "banks.csv"), rowsWanted("banks.csv", banks));
  const editions = [
    { dataset: "blz", file: "blz.csv", validFrom: germanEdition },
    { dataset: "banks", file: "banks.csv", validFrom: "2026-11" },
  ] as const;
  writeFileSync(join(folder, manifestFile), manifestText([...editions]));
}
