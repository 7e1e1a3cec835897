import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readBanksCsv } from "./banks-csv.ts";
import { readBlzCsv } from "./blz-csv.ts";
import { buildDirectory } from "./build.ts";
import { BankRecordError } from "./check-records.ts";
import { DataFileError, lineOfRow } from "./csv.ts";
import type { DirectoryEdition } from "./record.ts";

const files = { german: "blz.csv", other: "banks.csv", editions: "editions.json" } as const;

/**
 * Reads the shipped bank data (`blz.csv`, `banks.csv`, `editions.json`) and builds the directory.
 *
 * Costs about 0.3 s and, once done, 7 MB. Call it once, on the main thread; worker threads read the result through
 * `BankDirectory`.
 *
 * @param dataFolder path of the folder that holds the three files.
 * @throws {DataFileError} with file, line and reason for the first damaged row; the system's error where a file cannot
 *   be read.
 */
export async function loadShippedDirectory(dataFolder: string): Promise<SharedArrayBuffer> {
  const [germanContent, otherContent, editionsContent] = await Promise.all([
    readFile(join(dataFolder, files.german)),
    readFile(join(dataFolder, files.other)),
    readFile(join(dataFolder, files.editions), "utf8"),
  ]);
  const german = readBlzCsv(files.german, germanContent);
  const other = readBanksCsv(files.other, otherContent);
  const edition = readEditions(editionsContent);
  try {
    return buildDirectory([...german, ...other], edition);
  } catch (error) {
    if (!(error instanceof BankRecordError)) throw error;
    const { recordIndex, reason } = error;
    if (recordIndex < german.length) throw new DataFileError(files.german, lineOfRow(recordIndex), reason);
    throw new DataFileError(files.other, lineOfRow(recordIndex - german.length), reason);
  }
}

function readEditions(content: string): DirectoryEdition {
  let editions: unknown;
  try {
    editions = JSON.parse(content);
  } catch {
    throw new DataFileError(files.editions, 1, "not JSON");
  }
  const { [files.german]: german, [files.other]: other } = Object(editions) as Record<string, unknown>;
  if (typeof german !== "string" || typeof other !== "string") {
    throw new DataFileError(
      files.editions,
      1,
      `it must name the editions of ${files.german} and ${files.other}`,
    );
  }
  return { german, other };
}
