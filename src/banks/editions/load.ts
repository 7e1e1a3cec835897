import { buildDirectory } from "../directory/build.ts";
import { BankRecordError } from "../directory/check-records.ts";
import { readBanksCsv } from "../files/banks-csv.ts";
import { readBlzCsv } from "../files/blz-csv.ts";
import { DataFileError, lineOfRow } from "../files/csv.ts";
import { readSclCsv } from "../files/scl-csv.ts";
import { joinSepaFlags } from "../files/sepa-join.ts";
import { type DataEdition, editionOn, nextChangeAfter, readEditionFile, readEditions } from "./manifest.ts";

/** The directory of a day, and when it is to be followed by another one. */
export interface LoadedDirectory {
  readonly directory: SharedArrayBuffer;
  /** Whether an operator has said that it may be much smaller than the one before. */
  readonly isForced?: true;
  /** Last day on which the German bank codes are valid, where their source names it. */
  readonly validUntil?: string;
  /** First day on which another edition in the folder is to be used, where there is one. */
  readonly nextChange?: string;
}

/**
 * Reads the bank data of a folder and builds the directory of a day.
 *
 * The folder lists its editions in `manifest.json` or, with one edition of each, in `editions.json`; of each dataset the
 * latest that has begun is used. With a clearing directory (`scl`) the SEPA flags are those of that. Costs about 0.3 s
 * and, once done, 7 MB. Worker threads read the result through `BankDirectory`.
 *
 * @param day in Berlin, like `2026-09-07`.
 * @throws {DataFileError} with file, line and reason for the first damaged row; the system's error where a file cannot
 *   be read.
 */
export async function loadDirectory(folder: string, day: string): Promise<LoadedDirectory> {
  const editions = await readEditions(folder);
  const [german, other] = [required(editions, "blz", day), required(editions, "banks", day)];
  const scl = editionOn(editions, "scl", day);
  const [germanContent, otherContent, sclContent] = await Promise.all([
    readEditionFile(folder, german),
    readEditionFile(folder, other),
    scl === undefined ? undefined : readEditionFile(folder, scl),
  ]);
  const germanRecords = readBlzCsv(german.file, germanContent);
  const otherRecords = readBanksCsv(other.file, otherContent);
  const assumed = [...germanRecords, ...otherRecords];
  const records =
    scl === undefined || sclContent === undefined
      ? assumed
      : joinSepaFlags(assumed, readSclCsv(scl.file, sclContent));
  const directory = naming(german.file, germanRecords.length, other.file, () =>
    buildDirectory(records, {
      german: german.validFrom,
      other: other.validFrom,
      ...(scl === undefined ? {} : { scl: scl.validFrom }),
    }),
  );
  const nextChange = nextChangeAfter(editions, day);
  return {
    directory,
    ...(german.forced || other.forced ? { isForced: true } : {}),
    ...(german.validUntil === undefined ? {} : { validUntil: german.validUntil }),
    ...(nextChange === undefined ? {} : { nextChange }),
  };
}

/** Reads the shipped bank data, of which there is one edition, and builds the directory. */
export async function loadShippedDirectory(dataFolder: string): Promise<SharedArrayBuffer> {
  return (await loadDirectory(dataFolder, "")).directory;
}

function required(editions: readonly DataEdition[], dataset: "blz" | "banks", day: string): DataEdition {
  const edition = editionOn(editions, dataset, day);
  if (edition === undefined) throw new DataFileError("manifest.json", 1, `it lists no edition of ${dataset}`);
  return edition;
}

/** Names file and line where a record cannot stand in the directory. */
function naming<T>(germanFile: string, germanCount: number, otherFile: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof BankRecordError)) throw error;
    const { recordIndex, reason } = error;
    if (recordIndex < germanCount) throw new DataFileError(germanFile, lineOfRow(recordIndex), reason);
    throw new DataFileError(otherFile, lineOfRow(recordIndex - germanCount), reason);
  }
}
