import { germanIban } from "../../banking/germany/account.ts";
import { notePlace, placeholderFrom, placeholderMark, wholeNumber } from "../../kernel/templates.ts";
import { bankCodePlaceholder } from "../../kernel/wording.ts";
import { encoded } from "../../rows/encoding.ts";
import { csvFields, type RenderLayout, type RenderOptions } from "../../rows/render.ts";
import type { RowFacts, Verdict } from "../../rows/verdict.ts";
import type { AnswerForm } from "./known-answers.ts";
import type { LineEntry } from "./line-answer.ts";
import type { StreamInput, StreamLayout } from "./stream-task.ts";

const germanKontonummer = placeholderFrom(germanIban.kontonummer.start);

/** The fields of an answered line as JSON, each after a comma, with the end of the line. */
export function jsonForm(fields: readonly string[] | undefined): AnswerForm {
  return {
    key: `json ${fields?.join() ?? ""}`,
    dialect: 0,
    markedText: ({ hasOwnBankCode, kontonummer, iban: place }, { entry }) => {
      const { iban, data } = entry;
      const hasKontonummer =
        data["kto"] !== "" &&
        (kontonummer !== undefined || data["kto"] === iban?.slice(germanIban.kontonummer.start));
      const shown = iban === undefined ? place : data["iban"] === iban ? wholeNumber : undefined;
      const marked = {
        ...entry,
        ...(iban === undefined ? {} : { iban: placeholderMark(wholeNumber) }),
        data: {
          ...data,
          ...(shown === undefined ? {} : { iban: placeholderMark(shown) }),
          ...(hasKontonummer === true ? { kto: placeholderMark(kontonummer ?? germanKontonummer) } : {}),
          ...(hasOwnBankCode ? { blz: placeholderMark(bankCodePlaceholder(iban!.slice(0, 2))) } : {}),
        },
      };
      return `${fieldsText(marked, fields)}}\n`;
    },
  };
}

/** The columns that a check adds to a row of CSV, with the delimiter before them and the end of the row. */
export interface CsvForm extends AnswerForm {
  /** Returns the columns of an answer without both. */
  fieldsOf(verdict: Verdict, facts: RowFacts): string;
  /** Returns the columns of a template's text. */
  columnsIn(text: string): string;
}

/** Returns the form of columns in a dialect. */
export function csvForm(
  { columns }: RenderOptions,
  { delimiter, lineBreak }: StreamLayout["dialect"],
): CsvForm {
  const fieldsOf = csvFields(columns, delimiter);
  const breakBytes = Buffer.from(lineBreak);
  return {
    key: JSON.stringify(["csv", delimiter, lineBreak, columns.map(({ name }) => name)]),
    dialect: delimiter.charCodeAt(0) | (breakBytes.readUIntLE(0, breakBytes.length) << 8),
    markedText: ({ hasOwnBankCode, iban: place }, { verdict, entry }) => {
      const marked =
        hasOwnBankCode && verdict.data !== undefined
          ? {
              ...verdict,
              data: { ...verdict.data, blz: placeholderMark(bankCodePlaceholder(entry.iban!.slice(0, 2))) },
            }
          : verdict;
      const iban = place === undefined ? null : placeholderMark(place);
      return delimiter + fieldsOf(marked, { iban, note: placeholderMark(notePlace) }) + lineBreak;
    },
    fieldsOf: (verdict, facts) => encoded(fieldsOf(verdict, facts)),
    columnsIn: (text) => text.slice(delimiter.length, -lineBreak.length),
  };
}

/** The fields of an answered line as JSON, each after a comma. */
export function fieldsText(entry: LineEntry, fields: readonly string[] | undefined): string {
  if (fields === undefined) {
    const { edition: _, ...shown } = entry;
    return `,${JSON.stringify(shown).slice(1, -1)}`;
  }
  const all: Readonly<Record<string, unknown>> = { ...entry.data, ...entry };
  return fields
    .map((name) => (all[name] === undefined ? "" : `,${JSON.stringify(name)}:${JSON.stringify(all[name])}`))
    .join("");
}

/** Returns the layout of the output: that of the CSV input, otherwise one with line number and id. */
export function layoutFor(layout: StreamLayout | undefined, input: StreamInput): RenderLayout {
  const common = { preamble: "", headerText: "", hasByteOrderMark: false, encoding: undefined };
  if (layout !== undefined) return { ...layout, ...common, format: "csv", names: undefined };
  return {
    ...common,
    format: "ndjson",
    dialect: { delimiter: ",", lineBreak: "\n" },
    numbers: [{ kind: "iban", iban: 0, bic: undefined, prefix: "" }],
    ...(input === "text" ? { names: ["line"], width: 1 } : { names: ["line", "id"], width: 2 }),
  };
}
