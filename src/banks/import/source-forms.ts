import { DataFileError } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
import { bankListForms } from "./bank-list-forms.ts";
import { blzForms } from "./blz-forms.ts";
import { registerForms, ukForms } from "./register-forms.ts";
import type { SourceRow } from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** What a source file says: rows in the normal form of its dataset, save the columns that the import adds. */
export interface SourceTable {
  readonly rows: readonly SourceRow[];
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** One form in which bank data is published. */
export interface SourceForm {
  readonly name: string;
  /** The dataset, or how to find it by the file's name where the content does not say. */
  readonly dataset:
    | DatasetName
    | { readonly byName: (file: string) => DatasetName | undefined; readonly hint: string };
  /** Columns that the form leaves empty; what was known before stays. */
  readonly absent?: readonly string[];
  recognises(source: SourceText): boolean;
  /** @throws {DataFileError} with line and reason, where the file does not follow the form. */
  read(source: SourceText): SourceTable;
}

/** The forms that can be imported; each recognises its files by their content, not their names. */
const sourceForms: readonly SourceForm[] = [...blzForms, ...registerForms, ...ukForms, ...bankListForms];

/**
 * Finds out what form a file has and reads it.
 *
 * @throws {DataFileError} with line and reason, for a file of no known form or one that does not follow its form.
 */
export function readSource(source: SourceText): { readonly form: SourceForm; readonly table: SourceTable } {
  if (source.lines.length === 0) throw new DataFileError(source.file, 1, "the file is empty");
  const form = sourceForms.find((candidate) => candidate.recognises(source));
  if (form === undefined) {
    const names = sourceForms.map(({ name }) => name).join("; ");
    throw new DataFileError(
      source.file,
      1,
      `it begins like none of the files that can be imported: ${names}`,
    );
  }
  return { form, table: form.read(source) };
}
