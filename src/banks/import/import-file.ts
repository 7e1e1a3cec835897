import { basename } from "node:path";
import { methodNames } from "../../banking/germany/methods.ts";
import { type DataEdition, editionOn, editionsOf, readEditionFile } from "../editions/manifest.ts";
import { DataFileError } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
import { compareEditions, type Difference, entriesOf } from "./compare.ts";
import { checkNormalForm, type NormalRow, readNormalForm, writeNormalForm } from "./normal-form.ts";
import { epcDatasetOf, readSource, type SourceForm, type SourceTable } from "./source-forms.ts";
import { readSourceText } from "./source-text.ts";
import { editionsFor, type NewEdition, storeEdition } from "./store.ts";
import { isCalendarDay, type Validity, validityInName } from "./validity.ts";

/** A file to be imported. */
export interface ImportSource {
  /** Its name or path; only the name is kept. */
  readonly name: string;
  readonly content: Uint8Array;
  /** First day of validity, or days, where neither content nor name tells them. */
  readonly validity?: Validity | undefined;
}

/** An import that is checked and compared with the edition before, and not yet carried out. */
export interface PreparedImport {
  readonly edition: NewEdition;
  readonly content: Buffer;
  readonly form: string;
  readonly encoding: string;
  readonly rows: number;
  /** The edition it is compared with: of the same day, or the one before, or else the first; undefined where there is none. */
  readonly base: DataEdition | undefined;
  readonly difference: Difference;
  /** How many bank codes have each check-digit method that the product does not know. */
  readonly unknownMethods: ReadonlyMap<string, number>;
  /** Bank codes whose IBAN rule comes from the edition before, since the file tells none, and those without any. */
  readonly rulesKept: number;
  readonly rulesUnknown: number;
  /** Why the file may be a wrong one; such a file is stored only when that is asked for. */
  readonly suspicion: string | undefined;
}

const mostGone = 0.1;
const knownMethods: ReadonlySet<string> = new Set(methodNames);

/**
 * Reads a published file and compares it with what a data folder holds; nothing is written.
 *
 * @throws {DataFileError} with line and reason for a file that is damaged or of no known form, or whose first day of
 *   validity is not known.
 */
export async function prepareImport(folder: string, source: ImportSource): Promise<PreparedImport> {
  const file = basename(source.name);
  const text = readSourceText(file, source.content);
  const { form, table } = readSource(text);
  const dataset = datasetOf(file, form);
  const held = await editionsFor(folder);
  const told = validityOf(file, form, table, source.validity);
  const isAustrian = form.kind === "oenb";
  const validity = isAustrian ? notBefore(held.editions, told) : told;
  const base = editionOn(held.editions, dataset, validity.validFrom);
  const before =
    base === undefined ? [] : readNormalForm(dataset, base.file, await readEditionFile(held.folder, base));
  const { rows, rulesKept, rulesUnknown } = normalRows(form, table, told.validFrom, before);
  checkWithSourceLines(file, dataset, rows, table);
  const compared = isAustrian ? before.filter(isInAustria) : before;
  const difference = compareEditions(dataset, compared, rows);
  const all = isAustrian ? withAustria(before, rows) : rows;
  return {
    edition: { dataset, ...validity, source: file },
    content: writeNormalForm(dataset, all),
    form: form.name,
    encoding: text.encoding,
    rows: rows.length,
    base,
    difference,
    unknownMethods: unknownMethodsOf(dataset, rows),
    rulesKept,
    rulesUnknown,
    suspicion: suspicionOf(difference),
  };
}

/** Stores what `prepareImport` gave, also where it is suspicious: then the edition is marked as forced. */
export function carryOut(
  folder: string,
  { edition, content, suspicion }: PreparedImport,
  now: Date,
): Promise<DataEdition> {
  return storeEdition(folder, suspicion === undefined ? edition : { ...edition, forced: true }, content, now);
}

function datasetOf(file: string, { kind }: SourceForm): DatasetName {
  if (kind === "blz" || kind === "scl") return kind;
  if (kind === "oenb") return "banks";
  const dataset = epcDatasetOf(file);
  if (dataset !== undefined) return dataset;
  throw new DataFileError(
    file,
    1,
    "a scheme register must name its scheme in the file's name: sct, sct-inst, core, b2b",
  );
}

function validityOf(
  file: string,
  { kind }: SourceForm,
  table: SourceTable,
  given: Validity | undefined,
): Validity {
  const { validFrom, validUntil } = table;
  const told =
    validFrom === undefined ? undefined : { validFrom, ...(validUntil === undefined ? {} : { validUntil }) };
  for (const day of [validFrom, validUntil]) {
    if (day !== undefined && !isCalendarDay(day)) throw new DataFileError(file, 1, `"${day}" is no day`);
  }
  if (told !== undefined && given !== undefined && told.validFrom !== given.validFrom) {
    throw new DataFileError(file, 1, `it is valid from ${told.validFrom}, not from ${given.validFrom}`);
  }
  const month = kind === "blz" ? undefined : /(?<!\d)20\d\d-(0[1-9]|1[0-2])(?!\d)/.exec(file)?.[0];
  const found = told ?? given ?? validityInName(file) ?? (month && { validFrom: month });
  if (!found) {
    throw new DataFileError(
      file,
      1,
      "neither the file nor its name tells from when on it is valid; say it with --valid-from 2026-09-07",
    );
  }
  return found;
}

/** An edition that holds the other countries' banks too is as young as its youngest part. */
function notBefore(held: readonly DataEdition[], { validFrom }: Validity): Validity {
  const latest = editionsOf(held, "banks").at(-1)?.validFrom ?? "";
  return { validFrom: validFrom < latest ? latest : validFrom };
}

function normalRows(
  form: SourceForm,
  { rows }: SourceTable,
  validFrom: string,
  before: readonly NormalRow[],
) {
  const values = rows.map((row) => row.values);
  if (form.kind === "blz") return withRules(values, before);
  const none = { rulesKept: 0, rulesUnknown: 0 };
  if (form.kind !== "oenb") return { rows: values, ...none };
  const austrian = values.map(([code, bic, name, zip, city]) => {
    return ["AT", code!.padStart(5, "0"), "", bic!, name!, "", zip!, city!, "oenb", validFrom];
  });
  return { rows: austrian, ...none };
}

/** Adds IBAN rule and its source to rows that may be without; what the file does not tell stays as it was known. */
function withRules(rows: readonly NormalRow[], before: readonly NormalRow[]) {
  const told = (row: NormalRow) => row[13] !== undefined;
  const known = entriesOf("blz", before);
  let [rulesKept, rulesUnknown] = [0, 0];
  const ruled = rows.map((row): NormalRow => {
    if (told(row)) return [...row, "P"];
    const [rule = "", source = ""] = known.get(row[0]!)?.slice(13) ?? [];
    if (row[1] === "1" && rule === "") rulesUnknown++;
    else if (row[1] === "1") rulesKept++;
    return [...row, rule, source];
  });
  return { rows: ruled, rulesKept, rulesUnknown };
}

/** What is at fault in the normal form is told by the line of the file that was given. */
function checkWithSourceLines(
  file: string,
  dataset: DatasetName,
  rows: readonly NormalRow[],
  table: SourceTable,
): void {
  try {
    checkNormalForm(dataset, file, writeNormalForm(dataset, rows));
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new DataFileError(file, table.rows[error.line - 2]?.line ?? 1, error.reason);
  }
}

function unknownMethodsOf(dataset: DatasetName, rows: readonly NormalRow[]): Map<string, number> {
  const unknown = new Map<string, number>();
  if (dataset !== "blz") return unknown;
  for (const row of rows) {
    const method = row[8]!;
    if (row[1] === "1" && !knownMethods.has(method)) unknown.set(method, (unknown.get(method) ?? 0) + 1);
  }
  return unknown;
}

function suspicionOf({ before, removed }: Difference): string | undefined {
  if (removed.length <= before * mostGone) return undefined;
  return `${removed.length} of the ${before} entries of the edition before are gone, more than a tenth`;
}

function isInAustria([country]: NormalRow): boolean {
  return country === "AT";
}

function withAustria(before: readonly NormalRow[], austrian: readonly NormalRow[]): NormalRow[] {
  const key = (row: NormalRow) => `${row[0]} ${row[1]} ${row[2]}`;
  const others = before.filter((row) => !isInAustria(row));
  return [...others, ...austrian].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
