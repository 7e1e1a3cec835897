import { DataFileError } from "../files/csv.ts";
import type { SourceForm } from "./source-form.ts";
import type { SourceRow } from "./source-rows.ts";

/** Two sort codes, a method, fourteen weights and, in some rows, an exception. */
const weightsLine = /^\d{6} \d{6} (MOD10|MOD11|DBLAL)\s/;
const substitutionLine = /^\d{6} \d{6}\s*$/;
const fieldsOfWeights = 17;

/**
 * The forms of the files of the UK modulus check, `valacdos.txt` and `scsubtab.txt`; they name neither edition nor day.
 *
 * Source: Vocalink for Pay.UK, "Validating account numbers, UK modulus checking".
 */
export const ukForms: readonly SourceForm[] = [
  {
    name: "Pay.UK weights of the modulus check",
    dataset: "uk-weights",
    recognises: ({ lines }) => weightsLine.test(lines[0]!),
    read: ({ file, lines }) => ({
      rows: lines.map((text, index): SourceRow => {
        const fields = text.trim().split(/\s+/);
        if (fields.length !== fieldsOfWeights && fields.length !== fieldsOfWeights + 1) {
          const expected = `${fieldsOfWeights} or ${fieldsOfWeights + 1}`;
          throw new DataFileError(
            file,
            index + 1,
            `it has ${fields.length} fields, and a row has ${expected}`,
          );
        }
        return { line: index + 1, values: fields.length === fieldsOfWeights ? [...fields, ""] : fields };
      }),
    }),
  },
  {
    name: "Pay.UK sort code substitutions",
    dataset: "uk-substitutions",
    recognises: ({ lines }) => substitutionLine.test(lines[0]!),
    read: ({ file, lines }) => ({
      rows: lines.map((text, index): SourceRow => {
        const values = text.trim().split(/\s+/);
        if (values.length !== 2) throw new DataFileError(file, index + 1, "a row has two sort codes");
        return { line: index + 1, values };
      }),
    }),
  },
];
