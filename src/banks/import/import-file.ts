import { basename } from "node:path";
import { methodNames } from "../../banking/germany/methods.ts";
import { unlessAbsent } from "../../process/files.ts";
import { buildDirectory } from "../directory/build.ts";
import { type BankRecord, isFormerBank } from "../directory/record.ts";
import { sha256, shippedEditions } from "../editions/data-folder.ts";
import { isDay, type Validity, validityInName } from "../editions/days.ts";
import { type DataEdition, editionInUse, editionsOf, readManifest } from "../editions/manifest.ts";
import { csvText } from "../files/csv.ts";
import { DataFileError } from "../files/data-file.ts";
import { countriesOf, type DatasetName, datasets, isBankList } from "../files/datasets.ts";
import { bankListForms } from "./bank-list-forms.ts";
import { blzForms } from "./blz-forms.ts";
import { compareEditions, suspicionOf } from "./compare.ts";
import { entriesOf, type NormalRow, rowsOfEdition } from "./normal-form.ts";
import { registerForms } from "./register-forms.ts";
import type { SourceForm, SourceRow, SourceTable } from "./source-rows.ts";
import { readSourceText, type SourceText } from "./source-text.ts";

export interface ImportSource {
  /** Its name or path; only the name is kept. */
  readonly name: string;
  readonly content: Buffer;
  /** First day of validity, or days, where neither content nor name contains them. */
  readonly validity?: Validity | undefined;
  /** First day of validity where nothing contains it: of a current list, the day on which it was fetched. */
  readonly fetchedOn?: string;
}

/** An import that is checked and compared with the edition before, and not yet carried out. */
export type PreparedImport = Awaited<ReturnType<typeof prepareImport>>;

const knownMethods: ReadonlySet<string> = new Set(methodNames);

/** The forms that can be imported; each recognises its files by their content, not their names. */
const sourceForms: readonly SourceForm[] = [...blzForms, ...registerForms, ...bankListForms];

/**
 * Reads a published file and compares it with what a data folder holds; nothing is written. Throws a DataFileError for a file
 * that is damaged or of no known form, or whose first day of validity is not known.
 */
export async function prepareImport(folder: string, given: ImportSource) {
  const file = basename(given.name);
  const source = await readSourceText(file, given.content);
  const { form, table } = readForm(source);
  const { dataset } = table;
  const held = (await unlessAbsent(readManifest(folder))) ?? (await shippedEditions());
  const validity = validityOf(source, table, given);
  const base = editionInUse(held, dataset, validity.validFrom).edition ?? editionsOf(held, dataset)[0];
  let suspicion: string | undefined;
  const before =
    base === undefined
      ? await rowsOfCountries(folder, held, dataset, validity.validFrom)
      : await rowsOfEdition(folder, base).catch((error: Error) => {
          if (!(error instanceof DataFileError)) throw error;
          // An import is how such a file is repaired.
          suspicion = `nothing is compared, since the edition before is damaged: ${error.message}`;
          return [];
        });
  const placed = completed(dataset, table.rows, validity.validFrom, before);
  const rows = placed.map(({ values }) => values);
  const content = Buffer.from(csvText([datasets[dataset].columns, ...rows]));
  try {
    // As the service does when it loads the file.
    const read = datasets[dataset].read(file, content);
    if (isBankList(dataset)) buildDirectory(read as readonly BankRecord[], { german: "", other: "" });
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    // The line of the given file is the one to name.
    throw source.fault(placed[error.line - 2]?.line ?? 1, error.reason);
  }
  if (base?.sha256 === sha256(content)) suspicion = undefined;
  const difference = compareEditions(dataset, before, rows);
  const german = [...entriesOf(dataset, dataset === "blz" ? rows : []).values()];
  const unknownMethods = new Map<string, number>();
  for (const { 8: method = "" } of german) {
    if (!knownMethods.has(method)) unknownMethods.set(method, (unknownMethods.get(method) ?? 0) + 1);
  }
  if (unknownMethods.size > 0) {
    suspicion ??= `it has check-digit methods that are not known: ${[...unknownMethods.keys()].join(", ")}`;
  }
  const rulesUnknown = german.filter((row) => row[13] === "").length;
  const rulesUnstated = table.rows.filter(
    ({ values }) => values[1] === "1" && values[13] === undefined,
  ).length;
  suspicion ??= suspicionOf(dataset, difference, rows);
  return {
    edition: { dataset, ...validity, source: file, ...(suspicion && { forced: true as const }) },
    content,
    form: form.name,
    encoding: source.encoding,
    rows: rows.length,
    /** The compared edition: that of the same day, or the previous one, or else the first; undefined if none exists. */
    base,
    difference,
    /** How many bank codes have each check-digit method that the product does not know. */
    unknownMethods,
    /** Bank codes whose IBAN rule comes from the edition before, since the file has none, and those without any. */
    rulesKept: dataset === "blz" ? rulesUnstated - rulesUnknown : 0,
    rulesUnknown,
    /** Why the file may be a wrong one; such a file is stored only when forced. */
    suspicion,
  };
}

/** @throws {DataFileError} for a file of no known form, or one that does not follow its form. */
function readForm(source: SourceText): { readonly form: SourceForm; readonly table: SourceTable } {
  if (source.lines.length === 0) throw source.fault(1, "the file is empty");
  for (const form of sourceForms) {
    const table = form.read(source);
    if (table !== undefined) return { form, table };
  }
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
  const countries = countriesOf(dataset);
  const { edition } = editionInUse(editions, "banks", day);
  if (countries.length === 0 || edition === undefined) return [];
  const rows = await rowsOfEdition(folder, edition);
  return rows.filter((row) => countries.includes(row[0]!) && !isFormerBank({ name: row[4]! }));
}

function validityOf(
  source: SourceText,
  { dataset, validFrom, validUntil }: SourceTable,
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

/**
 * Adds what a dataset states besides the file: to lists of banks the edition, in the order of their codes; to German
 * banks the source of the IBAN rule and, where the file has none, the rule known before.
 */
function completed(
  dataset: DatasetName,
  rows: readonly SourceRow[],
  validFrom: string,
  before: readonly NormalRow[],
): readonly SourceRow[] {
  if (countriesOf(dataset).length > 0) {
    const code = ({ values }: SourceRow): string => `${values[0]} ${values[1]}`;
    const dated = rows.map(({ line, values }) => ({ line, values: [...values, validFrom] }));
    return dated.sort((a, b) => (code(a) < code(b) ? -1 : code(a) > code(b) ? 1 : 0));
  }
  if (dataset !== "blz") return rows;
  const known = entriesOf("blz", before);
  return rows.map(({ line, values }) => {
    const kept = known.get(values[0]!)?.slice(13) ?? ["", ""];
    return { line, values: [...values, ...(values[13] === undefined ? kept : ["P"])] };
  });
}
