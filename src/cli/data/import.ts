import { readEditions } from "../../banks/editions/data-folder.ts";
import type { Validity } from "../../banks/editions/days.ts";
import { editionInUse } from "../../banks/editions/manifest.ts";
import { readSourceFile } from "../../banks/import/archive.ts";
import type { Difference } from "../../banks/import/compare.ts";
import { type ImportSource, type PreparedImport, prepareImport } from "../../banks/import/import-file.ts";
import { storeEdition } from "../../banks/import/store.ts";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { columns } from "../program.ts";

/** Folders and day that a command of bank data works with. */
export interface DataContext {
  /** Where the service reads from. */
  readonly folder: string;
  /** Where imports go to. */
  readonly importFolder: string;
  /** The day in Berlin. */
  readonly today: string;
}

export interface ImportOptions {
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** Imports files one after the other, and ends with the first that is refused; those before it stay. */
export async function importFiles(
  context: DataContext,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const validity = validityOf(options);
  for (const file of files) {
    reportProgress(`${file}: reading`);
    const content = await readSourceFile(file);
    await importSource(context, { name: file, content, validity }, options);
  }
}

function validityOf({ validFrom, validUntil }: ImportOptions): Validity | undefined {
  if (validUntil === undefined) return validFrom === undefined ? undefined : { validFrom };
  if (validFrom !== undefined && validFrom <= validUntil) return { validFrom, validUntil };
  throw new CommandFailure("--valid-until needs --valid-from, a day that is not after it.");
}

/** Imports one file, says what changed, and says when it is used. */
export async function importSource(
  { importFolder, today }: DataContext,
  source: ImportSource,
  { force, dryRun }: Pick<ImportOptions, "force" | "dryRun">,
): Promise<void> {
  reportProgress(`${source.name}: checking and comparing`);
  const prepared = await prepareImport(importFolder, source);
  process.stdout.write(readableImport(prepared));
  if (prepared.suspicion !== undefined && !force) {
    const message = `${source.name} was not imported: ${prepared.suspicion}. --force imports it anyway.`;
    throw new CommandFailure(message, exitCodes.suspicious.code);
  }
  if (dryRun) {
    process.stdout.write("Nothing was stored.\n");
    return;
  }
  reportProgress(`${source.name}: storing`);
  const { dataset, validFrom } = await storeEdition(importFolder, prepared, new Date());
  const { edition: inUse } = editionInUse(await readEditions(importFolder), dataset, today);
  const use =
    inUse?.validFrom === validFrom
      ? "in use from now on"
      : validFrom > today
        ? `in use from ${validFrom} on`
        : `not in use: the edition ${inUse?.validFrom} is later`;
  process.stdout.write(`Stored in ${importFolder}; ${use}.\n`);
}

/** Reports long work on a terminal, and nowhere else. */
export function reportProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${text} …\n`);
}

const shownKeys = 8;

function readableImport(prepared: PreparedImport): string {
  const { edition, form, encoding, rows, base, difference, suspicion } = prepared;
  const { unknownMethods, rulesKept, rulesUnknown } = prepared;
  const until = edition.validUntil === undefined ? "" : ` until ${edition.validUntil}`;
  const lines = [
    `${edition.source}: ${form}, ${encoding}`,
    `Valid from ${edition.validFrom}${until}; ${count(rows, "row")}, ${count(difference.after, "entry", "entries")}.`,
    base === undefined
      ? "This is the first edition of its kind."
      : `Compared with the edition ${base.validFrom}:`,
    ...differenceLines(difference, shownKeys),
  ];
  if (edition.dataset === "blz") {
    const methods = [...unknownMethods].map(
      ([method, codes]) => `${method || "(none)"} (${count(codes, "bank code")})`,
    );
    lines.push(`Unknown check-digit methods: ${methods.join(", ") || "none"}.`);
  }
  if (rulesKept + rulesUnknown > 0) {
    lines.push(
      `The file has no IBAN rules: ${rulesKept} are kept from the edition before, ${rulesUnknown} are unknown.`,
    );
  }
  if (suspicion !== undefined) lines.push(`Suspicious: ${suspicion}.`);
  return `${lines.join("\n")}\n`;
}

/** Returns the difference of two editions for people; `most` keys of each kind are shown. */
export function differenceLines(difference: Difference, most: number): string[] {
  const { added, removed, changed, changedKeys, locationsAdded, locationsRemoved } = difference;
  const some = (keys: readonly string[]) => {
    const rest = keys.length > most ? `, and ${keys.length - most} more` : "";
    return keys.length === 0 ? "0" : `${keys.length}: ${keys.slice(0, most).join(", ")}${rest}`;
  };
  const lines = [
    `  added    ${some(added)}`,
    `  removed  ${some(removed)}`,
    `  changed  ${some(changedKeys)}`,
  ];
  if (locationsAdded + locationsRemoved > 0) {
    lines.push(`  further locations: ${locationsAdded} added, ${locationsRemoved} removed`);
  }
  if (changed.size === 0) return lines;
  const rows = [...changed].map(([field, changes]) => {
    const { key, before, after } = changes[0]!;
    return [`  ${field}`, String(changes.length), `${key}: ${before || "(empty)"} → ${after || "(empty)"}`];
  });
  return [...lines, columns(["  FIELD", "CHANGED", "FOR EXAMPLE"], rows).trimEnd()];
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
