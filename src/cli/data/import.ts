import { editionOn, readEditions } from "../../banks/editions/manifest.ts";
import { carryOut, type ImportSource, prepareImport } from "../../banks/import/import-file.ts";
import { readSourceFile } from "../../banks/import/read-bounded.ts";
import type { Validity } from "../../banks/import/validity.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";
import type { DataPlace } from "./command.ts";
import { readableImport } from "./report.ts";

/** How files are imported. */
export interface ImportOptions {
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** Imports files one after the other, and ends with the first that is refused; those before it stay. */
export async function importFiles(
  place: DataPlace,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const { validFrom, validUntil } = options;
  const validity =
    validFrom === undefined ? undefined : { validFrom, ...(validUntil === undefined ? {} : { validUntil }) };
  for (const file of files) {
    reportProgress(`${file}: reading`);
    const content = await readSourceFile(file);
    await importSource(place, { name: file, content, validity: validity as Validity | undefined }, options);
  }
}

/** Imports one file, says what changed, and says when it is used. */
export async function importSource(
  { importFolder, today }: DataPlace,
  source: ImportSource,
  { force, dryRun }: Pick<ImportOptions, "force" | "dryRun">,
): Promise<void> {
  reportProgress(`${source.name}: checking and comparing`);
  const prepared = await prepareImport(importFolder, source);
  process.stdout.write(readableImport(prepared));
  if (prepared.suspicion !== undefined && !force) {
    const message = `${source.name} was not imported: ${prepared.suspicion}. --force imports it all the same.`;
    throw new CommandFailure(message, exitCodes.suspicious.code);
  }
  if (dryRun) {
    process.stdout.write("Nothing was stored.\n");
    return;
  }
  reportProgress(`${source.name}: storing`);
  const { dataset, validFrom } = await carryOut(importFolder, prepared, new Date());
  const inUse = editionOn(await readEditions(importFolder), dataset, today)!.validFrom;
  const use =
    inUse === validFrom
      ? "in use from now on"
      : validFrom > today
        ? `in use from ${validFrom} on`
        : `not in use: the edition ${inUse} is later`;
  process.stdout.write(`Stored in ${importFolder}; ${use}.\n`);
}

/** Long work is told to a person who looks on, and to nobody else. */
export function reportProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${text} …\n`);
}
