import { type ErrorForm, errorBody, type RequestError } from "../../contract/errors.ts";
import type { Language } from "../../contract/language.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { encoded } from "../../rows/encoding.ts";
import { csvFields, makeRenderer, type RenderLayout } from "../../rows/render.ts";
import {
  type AddedColumn,
  csvQuoter,
  type LineAnswer,
  refusedVerdict,
  verdictOfLine,
} from "../../rows/verdict.ts";
import type { LineEntry } from "./line-answer.ts";
import type { ReadRow } from "./read-row.ts";
import type { StreamInput, StreamLayout } from "./stream-task.ts";

/** Output format of answers. What is written as it is, with a row, has one character for each byte. */
export interface AnswerForm {
  /** The same for forms that write the same. */
  readonly key: string;
  /** As `FillPlace` has it. */
  readonly dialect: number;
  /** What comes before the first row. */
  head(): Buffer;
  /** What is written of a number after the row's own text: the answer, with a note on how the number was read. */
  textOf(entry: LineEntry, note: string): string;
  /** The same for a number that cannot be checked. */
  refusal(error: RequestError, note: string): string;
  /** A note as it fills the place of a template. */
  noteText(note: string): string;
  /** A row that was read with the texts of its numbers. */
  rowOf(row: ReadRow, line: number, texts: readonly string[]): Buffer;
  /** A line that concerns no row. */
  remark(value: object): string;
}

export function errorIn({ code, detail }: RequestError, form: ErrorForm) {
  return errorBody(code, detail, form).error;
}

/** Lines of JSON with some of the fields, one for each number. */
export function jsonForm(
  fields: readonly string[] | undefined,
  errors: ErrorForm,
  numbers: readonly CheckedNumber[] = [],
): AnswerForm {
  const columns = numbers.map(({ prefix }) => encoded(JSON.stringify(prefix.replace(/_$/, ""))));
  return {
    key: `json ${fields?.join() ?? ""}`,
    dialect: 0,
    head: () => Buffer.alloc(0),
    textOf: (entry) => `${fieldsText(entry, fields)}}\n`,
    refusal: (error) => `,"error":${JSON.stringify(errorIn(error, errors))}}\n`,
    noteText: () => "",
    rowOf: ({ id, row }, line, texts) => {
      const isNamed = columns.length > 1 && row?.fault === undefined;
      const head = `{"line":${line}${id === "" ? "" : `,"id":${encoded(id)}`}`;
      const lines = texts.map((text, number) => {
        const column = isNamed ? `,"column":${columns[number]}` : "";
        return head + column + text;
      });
      return Buffer.from(lines.join(""), "latin1");
    },
    remark: (value) => `${encoded(JSON.stringify(value))}\n`,
  };
}

/** The fields of an answered line, each after a comma. */
function fieldsText(entry: LineEntry, fields: readonly string[] | undefined): string {
  if (fields === undefined) {
    const { edition: _, ...shown } = entry;
    return `,${JSON.stringify(shown).slice(1, -1)}`;
  }
  const all: Readonly<Record<string, unknown>> = { ...entry.data, ...entry };
  return fields
    .map((name) => (all[name] === undefined ? "" : `,${JSON.stringify(name)}:${JSON.stringify(all[name])}`))
    .join("");
}

/** The rows of the input with the columns that a check adds, each with the delimiter before them and the end of the row. */
export function csvForm(
  columns: readonly AddedColumn[],
  language: Language,
  layout: RenderLayout,
): AnswerForm {
  const { delimiter, lineBreak } = layout.dialect;
  const renderer = makeRenderer(layout, {
    columns,
    language,
    prefix: "",
    format: "csv",
    addedDelimiter: delimiter,
  });
  const fieldsOf = csvFields(columns, delimiter);
  const quoted = csvQuoter(delimiter);
  const around = (fields: string) => delimiter + fields + lineBreak;
  return {
    key: JSON.stringify(["csv", delimiter, lineBreak, columns.map(({ name }) => name)]),
    dialect: delimiter.charCodeAt(0) | (Buffer.from(lineBreak).readUIntLE(0, lineBreak.length) << 8),
    head: renderer.head,
    textOf: (entry, note) => {
      const verdict = verdictOfLine({ ...entry.data, ...entry } as object as LineAnswer);
      const iban = entry.iban === undefined ? entry.data.iban : "error" in entry ? null : entry.iban;
      return around(fieldsOf({ ...verdict, iban, note }));
    },
    refusal: (error, note) => {
      const { code, message } = errorIn(error, { language, explain: false });
      return around(fieldsOf({ ...refusedVerdict(code, message), note }));
    },
    noteText: (note) => (note === "" ? "" : encoded(quoted(note))),
    rowOf: ({ id, row }, line, texts) => {
      if (texts.length === 0 || row?.fault !== undefined)
        return renderer.rows(row === undefined ? [] : [{ row }]);
      const added = texts.map((text) => text.slice(delimiter.length, -lineBreak.length)).join(delimiter);
      const shownId = id.startsWith('"') ? encoded(JSON.parse(id) as string) : id;
      const own = row ?? { text: "", fields: [String(line), shownId] };
      return renderer.rows([{ row: own, added }]);
    },
    remark: (value) => `# ${encoded(JSON.stringify(value))}\n`,
  };
}

/** Returns the layout of the output: that of the CSV input, otherwise one with line number and id. */
export function layoutFor(layout: StreamLayout | undefined, input: StreamInput): RenderLayout {
  const common = { preamble: "", headerText: "", hasByteOrderMark: false, encoding: undefined };
  if (layout !== undefined) return { ...layout, ...common, format: "csv", names: undefined };
  return {
    ...common,
    format: "ndjson",
    dialect: { delimiter: ",", lineBreak: "\n" },
    numbers: [{ kind: "iban", columns: [0], prefix: "" }],
    ...(input === "text" ? { names: ["line"], width: 1 } : { names: ["line", "id"], width: 2 }),
  };
}
