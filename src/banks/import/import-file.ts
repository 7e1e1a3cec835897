import { basename } from "node:path";
import { methodNames } from "../../banking/germany/methods.ts";
import { unlessAbsent } from "../../process/files.ts";
import { isFormerBank } from "../directory/record.ts";
import { readEditionFile, sha256 } from "../editions/data-files.ts";
import { shippedEditions } from "../editions/data-folder.ts";
import { isDay, type Validity, validityInName } from "../editions/days.ts";
import { editionOn } from "../editions/edition-days.ts";
import { type DataEdition, readManifest } from "../editions/manifest.ts";
import { DataFileError } from "../files/data-file.ts";
import { countryLists, type DatasetName } from "../files/datasets.ts";
import { bankListForms } from "./bank-list-forms.ts";
import { blzForms } from "./blz-forms.ts";
import { compareEditions, type Difference, entriesOf } from "./compare.ts";
import { checkNormalForm, type NormalRow, readNormalForm, writeNormalForm } from "./normal-form.ts";
import { registerForms, ukForms } from "./register-forms.ts";
import { sharedNameSuspicion } from "./shared-names.ts";
import type { SourceForm, SourceTable } from "./source-rows.ts";
import { readSourceText, type SourceText } from "./source-text.ts";
import { type NewEdition, storeEdition } from "./store.ts";

/** A file to be imported. */
export interface ImportSource {
  /** Its name or path; only the name is kept. */
  readonly name: string;
  readonly content: Uint8Array;
  /** First day of validity, or days, where neither content nor name contains them. */
  readonly validity?: Validity | undefined;
  /** First day of validity where nothing contains it: of a current list, the day on which it was fetched. */
  readonly fetchedOn?: string;
}

/** An import that is checked and compared with the edition before, and not yet carried out. */
export interface PreparedImport {
  readonly edition: NewEdition;
  readonly content: Buffer;
  readonly form: string;
  readonly encoding: string;
  readonly rows: number;
  /** The compared edition: that of the same day, or the previous one, or else the first; undefined if none exists. */
  readonly base: DataEdition | undefined;
  readonly difference: Difference;
  /** How many bank codes have each check-digit method that the product does not know. */
  readonly unknownMethods: ReadonlyMap<string, number>;
  /** Bank codes whose IBAN rule comes from the edition before, since the file has none, and those without any. */
  readonly rulesKept: number;
  readonly rulesUnknown: number;
  /** Why the file may be a wrong one; such a file is stored only when forced. */
  readonly suspicion: string | undefined;
}

const maxGone = 0.02;
const maxChanged = 0.05;
/** Names and BICs, as the datasets call them. */
const guardedColumns = ["Bezeichnung", "BIC", "name", "bic"];
const knownMethods: ReadonlySet<string> = new Set(methodNames);

/** The forms that can be imported; each recognises its files by their content, not their names. */
const sourceForms: readonly SourceForm[] = [...blzForms, ...registerForms, ...ukForms, ...bankListForms];

/**
 * Reads a published file and compares it with what a data folder holds; nothing is written.
 *
 * @throws {DataFileError} with line and reason for a file that is damaged or of no known form, or whose first day of
 *   validity is not known.
 */
export async function prepareImport(folder: string, source: ImportSource): Promise<PreparedImport> {
  const file = basename(source.name);
  const text = await readSourceText(file, source.content);
  const form = formOf(text);
  const table = form.read(text);
  const dataset = typeof form.dataset === "string" ? form.dataset : form.dataset(text);
  const held = (await unlessAbsent(readManifest(folder))) ?? (await shippedEditions());
  const validity = validityOf(text, dataset, table, source);
  const base = editionOn(held, dataset, validity.validFrom);
  let damage: string | undefined;
  const before =
    base === undefined
      ? await rowsOfCountries(folder, held, dataset, validity.validFrom)
      : await rowsOfEdition(folder, base).catch((error: Error) => {
          if (!(error instanceof DataFileError)) throw error;
          // An import is how such a file is repaired.
          damage = `nothing is compared, since the edition before is damaged: ${error.message}`;
          return [];
        });
  const { rows, rulesKept, rulesUnknown } = normalRows(dataset, table, validity.validFrom, before);
  checkWithSourceLines(text, dataset, rows, table);
  const difference = compareEditions(dataset, before, rows);
  const unknownMethods = unknownMethodsOf(dataset, rows);
  const content = writeNormalForm(dataset, isBankList(dataset) ? byKey(rows) : rows);
  if (base?.sha256 === sha256(content)) damage = undefined;
  return {
    edition: { dataset, ...validity, source: file },
    content,
    form: form.name,
    encoding: text.encoding,
    rows: rows.length,
    base,
    difference,
    unknownMethods,
    rulesKept,
    rulesUnknown,
    suspicion:
      damage ?? suspicionOf(difference, unknownMethods) ?? sharedNameSuspicion(dataset, before, rows),
  };
}

/** Stores the result of `prepareImport`, even where it is suspicious: then the edition is marked as forced. */
export function carryOut(
  folder: string,
  { edition, content, suspicion }: PreparedImport,
  now: Date,
): Promise<DataEdition> {
  return storeEdition(folder, suspicion === undefined ? edition : { ...edition, forced: true }, content, now);
}

/** @throws {DataFileError} for a file of no known form. */
function formOf(source: SourceText): SourceForm {
  if (source.lines.length === 0) throw source.fault(1, "the file is empty");
  const form = sourceForms.find((candidate) => candidate.recognises(source));
  if (form !== undefined) return form;
  const names = sourceForms.map(({ name }) => name).join("; ");
  throw source.fault(1, `its beginning fits none of the forms that can be imported: ${names}`);
}

/** The known entries of the countries of a list that is imported for the first time, without closed banks: no issuer lists them. */
async function rowsOfCountries(
  folder: string,
  editions: readonly DataEdition[],
  dataset: DatasetName,
  day: string,
): Promise<readonly NormalRow[]> {
  const countries = countryLists.find(({ name }) => name === dataset)?.countries;
  const edition = editionOn(editions, "banks", day);
  if (countries === undefined || edition === undefined) return [];
  const rows = await rowsOfEdition(folder, edition);
  return rows.filter((row) => countries.includes(row[0]!) && !isFormerBank({ name: row[4]! }));
}

async function rowsOfEdition(folder: string, edition: DataEdition): Promise<NormalRow[]> {
  return readNormalForm(edition.dataset, edition.file, await readEditionFile(folder, edition));
}

function validityOf(
  source: SourceText,
  dataset: DatasetName,
  { validFrom, validUntil }: SourceTable,
  { validity: given, fetchedOn }: ImportSource,
): Validity {
  for (const day of [validFrom, validUntil]) {
    if (day !== undefined && !isDay(day)) throw source.fault(1, `"${day}" is not a day`);
  }
  if (validFrom !== undefined) {
    if (given !== undefined && given.validFrom !== validFrom)
      throw source.fault(1, `it is valid from ${validFrom}, not from ${given.validFrom}`);
    const last = validUntil ?? given?.validUntil;
    if (last === undefined) return { validFrom };
    if (last >= validFrom) return { validFrom, validUntil: last };
    throw source.fault(1, `its last day, ${last}, is before its first, ${validFrom}`);
  }
  const named = given ?? validityInName(source.file);
  if (named !== undefined) return named;
  const month = dataset === "blz" ? null : /(?<!\d)20\d\d-(0[1-9]|1[0-2])(?!-?\d)/.exec(source.file);
  const found = month?.[0] ?? fetchedOn;
  if (found !== undefined) return { validFrom: found };
  const advice = "pass it as --valid-from 2026-09-07";
  throw source.fault(1, `neither the file nor its name contains its first day; ${advice}`);
}

function normalRows(
  dataset: DatasetName,
  { rows }: SourceTable,
  validFrom: string,
  before: readonly NormalRow[],
) {
  const values = rows.map((row) => row.values);
  if (dataset === "blz") return withRules(values, before);
  const dated = isBankList(dataset) ? values.map((row) => [...row, validFrom]) : values;
  return { rows: dated, rulesKept: 0, rulesUnknown: 0 };
}

function isBankList(dataset: DatasetName): boolean {
  return countryLists.some(({ name }) => name === dataset);
}

function byKey(rows: readonly NormalRow[]): readonly NormalRow[] {
  const key = (row: NormalRow): string => `${row[0]} ${row[1]}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Adds IBAN rule and its source to rows that may be without; values that the file lacks are kept from before. */
function withRules(rows: readonly NormalRow[], before: readonly NormalRow[]) {
  const stated = (row: NormalRow) => row[13] !== undefined;
  const known = entriesOf("blz", before);
  let [rulesKept, rulesUnknown] = [0, 0];
  const ruled = rows.map((row): NormalRow => {
    if (stated(row)) return [...row, "P"];
    const [rule = "", source = ""] = known.get(row[0]!)?.slice(13) ?? [];
    if (row[1] === "1" && rule === "") rulesUnknown++;
    else if (row[1] === "1") rulesKept++;
    return [...row, rule, source];
  });
  return { rows: ruled, rulesKept, rulesUnknown };
}

/** Faults in the normal form name the line of the given file. */
function checkWithSourceLines(
  source: SourceText,
  dataset: DatasetName,
  rows: readonly NormalRow[],
  table: SourceTable,
): void {
  try {
    checkNormalForm(dataset, source.file, writeNormalForm(dataset, rows));
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw source.fault(table.rows[error.line - 2]?.line ?? 1, error.reason);
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

/** Returns why a file may be a wrong one: too much is gone or different, or an unknown method appears. */
function suspicionOf(
  { before, removed, changed }: Difference,
  unknownMethods: ReadonlyMap<string, number>,
): string | undefined {
  if (unknownMethods.size > 0) {
    return `it has check-digit methods that are not known: ${[...unknownMethods.keys()].join(", ")}`;
  }
  if (removed.length > before * maxGone) {
    return `${removed.length} of the ${before} entries of the edition before are gone, more than ${percent(maxGone)}`;
  }
  for (const column of guardedColumns) {
    const count = changed.get(column)?.count ?? 0;
    if (count > before * maxChanged) {
      return `${count} of the ${before} entries of the edition before differ in ${column}, more than ${percent(maxChanged)}`;
    }
  }
  return undefined;
}

function percent(part: number): string {
  return `${part * 100} %`;
}
