import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestText } from "../../../src/banks/editions/manifest.ts";
import { newFolder } from "../../support/folders.ts";
import { firstLines } from "../shipped.ts";

/** Rows of each shipped file that are taken: enough for every kind of answer, few enough to be read at once. */
const rowsTaken = 300;

const [head, ...rows] = firstLines("blz.csv", rowsTaken).trimEnd().split("\n");
const others = firstLines("banks.csv", rowsTaken);

/** Some editions lack some of the last rows, so that none has its banks where the previous one had them. */
const rowsOf = (edition: string) => rows.slice(0, rows.length - 4 * (Number(edition.slice(-2)) % 5));

/** German bank codes that every marked edition has. */
export const markedBlz: readonly string[] = [...new Set(rows.slice(0, -16).map((row) => row.slice(1, 9)))];

/** A folder of bank data whose editions differ in the name of every German bank. */
export class MarkedData {
  readonly folder = newFolder();

  /** Puts an edition there, whose German banks are named after it, each file in one step, and one right after the other. */
  write(edition: string): void {
    const named = rowsOf(edition).map((row) =>
      row
        .split(";")
        .map((value, at) => (at === 2 || at === 5 ? `"Bank ${edition}"` : value))
        .join(";"),
    );
    const manifest = manifestText([
      { dataset: "blz", file: "blz.csv", validFrom: edition },
      { dataset: "banks", file: "banks.csv", validFrom: "2025-09" },
    ]);
    this.put({ "banks.csv": others, "blz.csv": [head, ...named].join("\n"), "manifest.json": manifest });
  }

  /** Puts files there, each in one step. */
  put(files: Readonly<Record<string, string>>): void {
    const fresh = (file: string) => join(this.folder, `.${file}.new`);
    for (const [file, content] of Object.entries(files)) writeFileSync(fresh(file), content);
    for (const file of Object.keys(files)) renameSync(fresh(file), join(this.folder, file));
  }
}

/** The edition named in a bank's name. */
export function editionNamed(bank: string): string {
  return bank.replace(/^Bank /, "");
}
