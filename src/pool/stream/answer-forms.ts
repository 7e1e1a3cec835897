import { germanIban } from "../../banking/germany/account.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { bbanStart } from "../../banking/iban/structure.ts";
import { encoded } from "../../rows/encoding.ts";
import {
  csvFields,
  makeRenderer,
  type Renderer,
  type RenderLayout,
  type RenderOptions,
} from "../../rows/render.ts";
import type { AnswerForm } from "./known-answers.ts";
import type { LineEntry } from "./line-answer.ts";
import type { StreamInput, StreamLayout, StreamState } from "./stream-task.ts";
import { type Placeholder, placeholderFrom, placeholderMark, wholeNumber } from "./template.ts";

const germanKontonummer = placeholderFrom(germanIban.kontonummer.start);

/** The fields of an answered line as JSON, each after a comma, with the end of the line. */
export function jsonForm(fields: readonly string[] | undefined): AnswerForm {
  return {
    key: `json ${fields?.join() ?? ""}`,
    markedText: ({ hasOwnBankCode, kontonummer, iban: placeholder }, entry) => {
      const { iban, data } = entry;
      const hasKontonummer =
        data["kto"] !== "" &&
        (kontonummer !== undefined || data["kto"] === iban?.slice(germanIban.kontonummer.start));
      const shown = iban === undefined ? placeholder : data["iban"] === iban ? wholeNumber : undefined;
      const marked = {
        ...entry,
        ...(iban === undefined ? {} : { iban: placeholderMark(wholeNumber) }),
        data: {
          ...data,
          ...(shown === undefined ? {} : { iban: placeholderMark(shown) }),
          ...(hasKontonummer === true ? { kto: placeholderMark(kontonummer ?? germanKontonummer) } : {}),
          ...(hasOwnBankCode ? { blz: placeholderMark(bankCodePlaceholder(iban!)) } : {}),
        },
      };
      return `${encoded(fieldsText(marked, fields))}}\n`;
    },
  };
}

/** The columns that a check adds to a row of CSV, with the delimiter before them and the end of the row. */
export function csvForm(
  { columns }: RenderOptions,
  { delimiter, lineBreak }: StreamLayout["dialect"],
): AnswerForm {
  const fieldsOf = csvFields(columns, delimiter);
  return {
    key: JSON.stringify(["csv", delimiter, lineBreak, columns.map(({ name }) => name)]),
    markedText: ({ verdict, hasOwnBankCode, iban: placeholder }, entry) => {
      const mark = (placeholder: Placeholder) => encoded(placeholderMark(placeholder));
      const marked =
        hasOwnBankCode && verdict.data !== undefined
          ? { ...verdict, data: { ...verdict.data, blz: mark(bankCodePlaceholder(entry.iban!)) } }
          : verdict;
      const iban = placeholder === undefined ? null : mark(placeholder);
      return delimiter + fieldsOf(marked, { iban, note: "" }) + lineBreak;
    },
  };
}

/** The bank code in an IBAN whose bank is looked for. */
export function bankCodeOf(iban: string): string {
  const { start, end } = bankCodePlaceholder(iban);
  return iban.slice(start, end);
}

function bankCodePlaceholder(iban: string): Placeholder {
  const bank = ibanCountryByCode(iban.slice(0, 2))?.bank;
  return bank === null || bank === undefined
    ? { start: 0, end: 0 }
    : { start: bbanStart + bank.start, end: bbanStart + bank.start + bank.length };
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

const maxRenderers = 64;
const renderers = new Map<string, Renderer>();

/** Returns the renderer for the rows of an answer, which remembers what it wrote for a verdict; streams of one kind share it. */
export function rendererFor({ question, layout }: StreamState, options: RenderOptions): Renderer {
  const key = JSON.stringify([layout, options.columns.map(({ name }) => name), question.input]);
  const known = renderers.get(key);
  if (known !== undefined) return known;
  if (renderers.size === maxRenderers) renderers.clear();
  const renderer = makeRenderer(layoutFor(layout, question.input), options);
  renderers.set(key, renderer);
  return renderer;
}

/** Returns the layout of the output: that of the CSV input, otherwise one with line number and id. */
function layoutFor(layout: StreamLayout | undefined, input: StreamInput): RenderLayout {
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
