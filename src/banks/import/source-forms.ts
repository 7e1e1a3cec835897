import { DataFileError } from "../files/csv.ts";
import { bankListForms } from "./bank-list-forms.ts";
import { blzForms } from "./blz-forms.ts";
import { registerForms } from "./register-forms.ts";
import type { SourceForm, SourceTable } from "./source-form.ts";
import type { SourceText } from "./source-text.ts";
import { ukForms } from "./uk-forms.ts";

/** The forms that can be imported; each knows its files by what is in them, whatever their name is. */
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
