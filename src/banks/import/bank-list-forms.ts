import { isBic } from "../../banking/bic.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { dayInText } from "../editions/days.ts";
import { countriesOf, type DatasetName } from "../files/datasets.ts";
import {
  bicOrNone,
  expectReading,
  type Header,
  nameForm,
  nameOrNone,
  placesOf,
  type SourceColumn,
  type SourceForm,
  tableRows,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

interface BankListLayout {
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
  readonly isLeftOut?: (cells: Readonly<Record<string, string>>) => boolean;
}

const code = (digits: number): RegExp => new RegExp(`^\\d{1,${digits}}$`);
/** Words of the Belgian list for an unassigned code. */
const belgianVacant = /^(vrij|libre|vrij - libre|onbeschikbaar|indisponible|unavailable|nicht verf\w*|-)$/i;

/** The lists of banks that the issuers of a country's bank codes publish. */
const layouts: readonly BankListLayout[] = [
  {
    name: "OeNB payment directory of Austria, CSV",
    dataset: "oenb",
    columns: {
      code: { heading: "Bankleitzahl", form: /^\d{3,5}$/ },
      bic: { heading: /^SWIF/ },
      name: { heading: "Bankenname", form: nameForm },
      zip: { heading: "PLZ", form: /^\d{4}$/ },
      city: { heading: "Ort", form: nameOrNone },
      number: { heading: "Identnummer", form: /^\d*$/ },
      lei: { heading: "LEI", form: /^([A-Z0-9]{18}\d\d)?$/ },
    },
  },
  {
    name: "SIX bank master, CSV",
    dataset: "six",
    columns: {
      code: { heading: /^IID(\/QR-IID)?$/, form: code(5) },
      bic: { heading: "BIC" },
      name: { heading: /^(Name of bank\/institution|Bank\/Institution Name)$/i, form: nameForm },
      zip: { heading: "Post Code" },
      city: { heading: "Town Name", form: nameOrNone },
      day: { heading: "Valid on", form: /^\d{4}-\d\d-\d\d$/ },
      country: { heading: "Country", form: /^[A-Z]{2}$/ },
      concatenation: { heading: "Concatenation", isOptional: true },
      headquarters: { heading: "Headquarters", form: /^\d*$/ },
      type: { heading: "IID type", form: /^\d?$/ },
    },
    // A concatenated code only leads to the one that follows it.
    isLeftOut: ({ concatenation }) => /^y$/i.test(concatenation!),
  },
  {
    name: "NBB full list of bank codes of Belgium",
    dataset: "nbb",
    columns: {
      code: { heading: "T_Identification_Number", form: code(3) },
      bic: { heading: "Biccode" },
      name: { heading: /^T_Institutions_(Dutch|French|German|English)$/i, form: nameForm },
    },
    noBic: /^(nav|nap|nya|n\/a)$/i,
    isLeftOut: ({ bic = "", name = "" }) => belgianVacant.test(bic) || belgianVacant.test(name),
  },
  {
    name: "CNB payment system codes of Czechia, CSV",
    dataset: "cnb",
    columns: {
      code: { heading: "Kód platebního styku", form: code(4) },
      bic: { heading: /^BIC kód/i },
      name: { heading: "Poskytovatel platebních služeb", form: nameForm },
    },
  },
  {
    name: "NBP plewibnra, bank codes of Poland",
    dataset: "nbp",
    columnCount: 32,
    columns: {
      code: { heading: 4, form: /^\d{8}$/ },
      bic: { heading: 19 },
      name: { heading: 1, form: nameForm },
    },
    // Misprints of POLUPLPRXXX.
    noBic: /^(PLUPLPRXXX|POLUPLPRXX)$/,
  },
  {
    name: "Betaalvereniging BIC list of the Netherlands",
    dataset: "betaalvereniging",
    columns: {
      code: { heading: "Identifier", form: /^[A-Z]{4}$/ },
      bic: { heading: "BIC" },
      name: { heading: /^(Naam )?Betaaldienstverlener/i, form: nameForm },
    },
  },
];

export const bankListForms: readonly SourceForm[] = layouts.map(bankListForm);

const dayLike = /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/;

function bankListForm(layout: BankListLayout): SourceForm {
  const { name, columns, noBic, dataset, isLeftOut } = layout;
  const countries = countriesOf(dataset);
  const bicOf = (written: string) => {
    const bic = written.replace(/\s/g, "").toUpperCase();
    return noBic?.test(bic) ? "" : bic;
  };
  const bic = { ...columns.bic, form: { test: (written: string) => bicOrNone.test(bicOf(written)) } };
  const read: SourceForm["read"] = (source) => {
    const header = headerOf(layout, source);
    if (header === undefined) return undefined;
    const banks = tableRows(source, header, { ...columns, bic }, isLeftOut);
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
  };
  return { name, read };
}

/** A title, a disclaimer and a date may precede the header. */
const maxLinesAbove = 20;
/** A published workbook, whose cells are split by tabulators, may have been saved as CSV. */
const delimiters = ["\t", ";", ","];

/** Finds the header by the columns of codes and BICs. */
function headerOf({ columns, columnCount }: BankListLayout, { lines }: SourceText): Header | undefined {
  for (const delimiter of delimiters) {
    if (columnCount !== undefined) {
      if (lines[0]!.split(delimiter).length !== columnCount) continue;
      return { line: 0, headings: Array.from({ length: columnCount }, () => ""), delimiter };
    }
    for (const [index, text] of lines.slice(0, maxLinesAbove).entries()) {
      const found = text.split(delimiter);
      const headings = found.map((heading) => heading.replace(/^\s*"(.*)"\s*$/, "$1").trim());
      if ([columns.code, columns.bic].every((column) => placesOf(headings, column).length > 0))
        return { line: index + 1, headings, delimiter };
    }
  }
  return undefined;
}
