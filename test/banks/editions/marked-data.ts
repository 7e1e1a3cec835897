import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestText } from "../../../src/banks/editions/manifest.ts";
import { newFolder } from "../../support/folders.ts";
import { dataFolder } from "../shipped.ts";

/** Rows of each shipped file that are taken: enough for every kind of answer, few enough to be read at once. */
const rowsTaken = 300;

const [head, ...rows] = readFileSync(`${dataFolder}blz.csv`, "utf8").split("\n").slice(0, rowsTaken);
const others = readFileSync(`${dataFolder}banks.csv`, "utf8").split("\n").slice(0, rowsTaken).join("\n");

/** Some editions lack some of the last rows, so that none has its banks where the previous one had them. */
const rowsOf = (edition: string) => rows.slice(0, rows.length - 4 * (Number(edition.slice(-2)) % 5));

/** Every German bank is named after its edition. */
const bankName = (edition: string) => `Bank ${edition}`;

/** German bank codes that every marked edition has. */
export const markedBlz: readonly string[] = [...new Set(rows.slice(0, -16).map((row) => row.slice(1, 9)))];

/** A folder of bank data whose editions differ in the name of every German bank. */
export class MarkedData {
  readonly folder = newFolder();

  /** Puts an edition there, each file in one step, and one right after the other. */
  write(edition: string): void {
    const name = bankName(edition);
    const named = rowsOf(edition).map((row) => {
      const values = row.split(";");
      return [
        ...values.slice(0, 2),
        `"${name}"`,
        ...values.slice(3, 5),
        `"${name}"`,
        ...values.slice(6),
      ].join(";");
    });
    const manifest = manifestText([
      { dataset: "blz", file: "blz.csv", validFrom: edition },
      { dataset: "banks", file: "banks.csv", validFrom: "2025-09" },
    ]);
    this.#put({ "banks.csv": others, "blz.csv": [head, ...named].join("\n"), "manifest.json": manifest });
  }

  /** Puts a file there in one step. */
  put(file: string, content: string | Uint8Array): void {
    this.#put({ [file]: content });
  }

  #put(files: Readonly<Record<string, string | Uint8Array>>): void {
    const fresh = (file: string) => join(this.folder, `.${file}.new`);
    for (const [file, content] of Object.entries(files)) writeFileSync(fresh(file), content);
    for (const file of Object.keys(files)) renameSync(fresh(file), join(this.folder, file));
  }

  /** Returns the current content of a file. */
  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }
}

/** The edition named in a bank's name. */
export function editionNamed(bank: string): string {
  return bank.replace(/^Bank /, "");
}
