import { readFileSync } from "node:fs";
import {
  carryOut,
  type ImportSource,
  type PreparedImport,
  prepareImport,
} from "../../../src/banks/import/import-file.ts";
import { sharedFile } from "../../shared.ts";
import { newFolder } from "../../support/folders.ts";

/** Reads a published file; only where `sharedMissing` is false. */
export function officialFile(name: string): ImportSource & { readonly content: Buffer } {
  return { name, content: readFileSync(sharedFile(`data/official/${name}`)!) };
}

/** A data folder for one test file. */
export class ImportFolder {
  readonly path = newFolder();

  async import(source: ImportSource): Promise<PreparedImport> {
    const prepared = await prepareImport(this.path, source);
    await carryOut(this.path, prepared, new Date("2026-11-21T00:00:00Z"));
    return prepared;
  }
}
