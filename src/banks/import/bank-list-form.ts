import { isBic } from "../../banking/bic.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { dayInText } from "../editions/days.ts";
import { countriesOf, type DatasetName } from "../files/datasets.ts";
import {
  bicOrNone,
  expectReading,
  type Header,
  placesOf,
  type SourceColumn,
  type SourceForm,
  type SourceTable,
  tableRows,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

type Cells = Readonly<Record<string, string>>;

export interface BankListLayout {
  readonly name: string;
  readonly dataset: DatasetName;
  /** Number of columns of a list without header. */
  readonly columnCount?: number;
  /**
   * Code, BIC and name, and where the list has them postal code (`zip`), town (`city`), the country where it is not the
   * first of the dataset, and the day of the list, which otherwise is above the header, or missing. Others are not taken, but
   * must be there and be well-formed.
   */
  readonly columns: Readonly<Record<"code" | "bic" | "name", SourceColumn> & Record<string, SourceColumn>>;
  /** What is written in place of a BIC. */
  readonly noBic?: RegExp;
  readonly isLeftOut?: (cells: Cells) => boolean;
}

const dayLike = /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/;
/** A title, a disclaimer and a date may precede the header. */
const maxLinesAbove = 20;
/** A published workbook, whose cells are split by tabulators, may have been saved as CSV. */
const delimiters = ["\t", ";", ","];

export function bankListForm(layout: BankListLayout): SourceForm {
  return {
    name: layout.name,
    read: (source) => {
      const header = headerOf(layout, source);
      return header && readList(layout, source, header);
    },
  };
}

/** Finds the header by the columns of codes and BICs. */
function headerOf({ columns, columnCount }: BankListLayout, { lines }: SourceText): Header | undefined {
  for (const delimiter of delimiters) {
    const isPlain = delimiter === "\t";
    if (columnCount !== undefined) {
      if (lines[0]!.split(delimiter).length !== columnCount) continue;
      return { line: 0, headings: Array.from({ length: columnCount }, () => ""), delimiter, isPlain };
    }
    for (const [index, text] of lines.slice(0, maxLinesAbove).entries()) {
      const found = text.split(delimiter);
      const headings = found.map((heading) => heading.replace(/^\s*"(.*)"\s*$/, "$1").trim());
      if ([columns.code, columns.bic].every((column) => placesOf(headings, column).length > 0))
        return { line: index + 1, headings, delimiter, isPlain };
    }
  }
  return undefined;
}

function readList(layout: BankListLayout, source: SourceText, header: Header): SourceTable {
  const { columns, noBic, dataset, isLeftOut } = layout;
  const countries = countriesOf(dataset);
  const bicOf = (written: string) => {
    const bic = written.replace(/\s/g, "").toUpperCase();
    return noBic?.test(bic) ? "" : bic;
  };
  const bics = { ...columns.bic, form: { test: (written: string) => bicOrNone.test(bicOf(written)) } };
  const banks = tableRows(source, header, { ...columns, bic: bics }, isLeftOut);
  const rows = banks.map(({ line, cells }) => {
    const { code = "", bic = "", name = "", zip = "", city = "" } = cells;
    const country = countries.find((one) => one === cells["country"]) ?? countries[0]!;
    // POSTBANK is a BIC too, but not one of Germany.
    if (isBic(name) && name.slice(4, 6) === country) {
      throw source.fault(line, `${JSON.stringify(name)} in the column of names is a BIC`);
    }
    const padded = code.padStart(ibanCountryByCode(country)!.bank.length, "0");
    return { line, values: [country, padded, "", bicOf(bic), name, "", zip, city, dataset] };
  });
  if (columns["city"] !== undefined) expectReading(source, rows, "bank", 4, { "of towns": 7 });
  const above = source.lines.slice(0, Math.max(0, header.line - 1)).join("\n");
  const [line, stated] =
    columns["day"] === undefined ? [1, above] : [banks[0]?.line ?? 1, banks[0]?.cells["day"] ?? ""];
  const validFrom = dayInText(stated);
  if (validFrom === undefined && dayLike.test(stated)) {
    throw source.fault(line, `${dayLike.exec(stated)![0]} is not a day`);
  }
  return { dataset, rows, validFrom };
}
