import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DataFileError } from "../../../src/banks/files/data-file.ts";
import {
  type ImportSource,
  type PreparedImport,
  prepareImport,
} from "../../../src/banks/import/import-file.ts";
import { storeEdition } from "../../../src/banks/import/store.ts";
import { sharedFile, sharedMissing } from "../../shared.ts";
import { newFolder } from "../../support/folders.ts";
import { words } from "../../support/words.ts";

/** Reads a published file; only where `sharedMissing` is false. */
export function officialFile(name: string): ImportSource & { readonly content: Buffer } {
  return { name, content: readFileSync(sharedFile(`data/official/${name}`)!) };
}

/** The first rows of each published file: enough to be damaged, few enough to be read thousands of times. */
export const officialHeads: ReadonlyMap<string, Buffer> = new Map(
  (sharedMissing
    ? []
    : words`
        blz-168-2026-03-09.txt blz-174-2025-09-08.txt blz-csv-2025-06-09.csv scl-2026-05-25.csv
        oenb-at-2025-07.csv epc-sct-2022.csv
      `
  ).map((name) => {
    const lines = officialFile(name).content.toString("latin1").split("\n").slice(0, 12);
    return [name, Buffer.from(`${lines.join("\n")}\n`, "latin1")];
  }),
);

/** The name of a published file without its day. */
export const undated = (name: string): string => name.replace(/\d{4}-\d{2}(-\d{2})?/, "x");

/** The first day of files that do not state it. */
export const validity = { validFrom: "2026-11-20" };

/** A data folder for one test file. */
export class ImportFolder {
  readonly path = newFolder();

  /** Asserts that a file is refused with a reason, once with its line: the one given, or any. */
  async refuses(source: ImportSource, reason: RegExp, line = /^\d+$/): Promise<void> {
    await assert.rejects(prepareImport(this.path, source), (error) => {
      assert.ok(error instanceof DataFileError, String((error as Error).stack));
      assert.match(error.message, /^[^,]+, line \d+: (?!.*\bline \d)\S/);
      assert.match(error.message, reason);
      assert.match(String(error.line), line, error.message);
      return true;
    });
  }

  async import(source: ImportSource): Promise<PreparedImport> {
    const prepared = await prepareImport(this.path, source);
    await storeEdition(this.path, prepared, new Date("2026-11-21T00:00:00Z"));
    return prepared;
  }
}
