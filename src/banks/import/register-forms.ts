import iso3166 from "../../../data/iso-3166.json" with { type: "json" };
import { isBic } from "../../banking/bic.ts";
import { isDay } from "../editions/days.ts";
import type { DatasetName } from "../files/datasets.ts";
import {
  delimitedRows,
  expectReading,
  namedColumns,
  nameForm,
  type SourceColumn,
  type SourceForm,
  type SourceRow,
  type ValueForm,
} from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

const bic: ValueForm = { test: isBic };
const day: ValueForm = { test: (value) => value === "" || isDay(value) };
const flag = /^[01]$/;
const anyText = /^\S/;
/** Of the directory of reachable payment service providers; further services are passed over. */
const sclColumns: readonly SourceColumn[] = [
  { name: "BIC", form: bic },
  { name: "Name", form: nameForm },
  { name: "SERVICE SCT", form: flag },
  { name: "SERVICE COR", form: flag },
  { name: "SERVICE B2B", form: flag },
  { name: "SERVICE SCC", form: flag },
];

/** Columns of the registers of participants of the European Payments Council; that of VoP has a status and others besides. */
const epcColumns: readonly SourceColumn[] = [
  { name: "Country", form: anyText },
  { name: "ParticipantName", form: nameForm },
  { name: "Address", isOptional: true },
  { name: "City", isOptional: true },
  { name: "BIC", form: bic },
  { name: "Readiness Date", form: day, isOptional: true },
  { name: "Scheme Leaving Date", form: day, isOptional: true },
  { name: "Scheme Options", isOptional: true },
  { name: "Status", isOptional: true },
];
/** Status of a participant that answers VoP requests; "Pending EDS registration" does not match. */
const readyStatus = /^ready\b/i;

const englishNames = new Intl.DisplayNames("en", { type: "region" });
const countryCodes: ReadonlySet<string> = new Set([...iso3166.alpha2, "UK"]);
/** English names as `plainName` writes them, with those by which the registers call some countries and regions. */
const countryNames: ReadonlySet<string> = new Set([
  ...iso3166.alpha2.map((code) => plainName(englishNames.of(code)!)),
  ...["AZORES", "CANARY ISLANDS", "CEUTA", "CZECH REPUBLIC", "HOLY SEE", "MACEDONIA", "MADEIRA", "MELILLA"],
  ...["SLOVAK REPUBLIC", "TURKEY", "VATICAN"],
]);

const sclHeading = /^"?G(ue|ü)ltig ab \/ valid from (\d{2})\.(\d{2})\.(\d{4})\b/;

/** The registers of the European Payments Council do not name their scheme; their file names do. */
const epcSchemes: readonly (readonly [DatasetName, RegExp])[] = [
  ["epc-vop", /vop/i],
  ["epc-sct-inst", /sct[-_ ]?inst/i],
  ["epc-sdd-b2b", /b2b/i],
  ["epc-sdd-core", /core|sdd/i],
  ["epc-sct", /sct/i],
];

/** The forms of the lists about single BICs. */
export const registerForms: readonly SourceForm[] = [
  {
    name: "Bundesbank directory of reachable payment service providers, CSV",
    dataset: "scl",
    recognises: ({ lines }) => sclHeading.test(lines[0]!),
    read: (source) => {
      const [, , date, month, year] = sclHeading.exec(source.lines[0]!)!;
      const table = delimitedRows(source, { skipped: 1, quoted: false });
      return { rows: namedColumns(source, table, sclColumns), validFrom: `${year}-${month}-${date}` };
    },
  },
  {
    name: "EPC register of participants, CSV",
    dataset: {
      byName: (file) => epcSchemes.find(([, form]) => form.test(file))?.[0],
      hint: "a scheme register must name its scheme in the file's name: sct, sct-inst, core, b2b, vop",
    },
    recognises: ({ lines }) => /ParticipantName/.test(lines[0]!) && /Readiness Date|Status/i.test(lines[0]!),
    read: (source) => {
      const rows = namedColumns(source, delimitedRows(source, { delimiter: "," }), epcColumns);
      expectPlaces(source, rows);
      expectReading(source, rows, "bank", 1, { Address: 2, City: 3 });
      expectReading(source, rows, "town", 3, { Address: 2 });
      const ready = rows.filter(({ values }) => values[8] === "" || readyStatus.test(values[8]!));
      return { rows: ready.map(({ line, values }) => ({ line, values: values.slice(0, 8) })) };
    },
  },
];

/** @throws {DataFileError} for the first row whose values are those of other columns. */
function expectPlaces(source: SourceText, rows: readonly SourceRow[]): void {
  for (const { line, values } of rows) {
    const [country = "", name = "", , , , ready = "", leaving = "", , status = ""] = values;
    if (isCountry(name)) {
      const found = `${JSON.stringify(name)} in the column ParticipantName is a country`;
      throw source.fault(line, `${found}: are Country and ParticipantName swapped?`);
    }
    if (!namesCountry(country)) {
      throw source.fault(line, `${JSON.stringify(country)} in the column Country is not a country`);
    }
    if (ready === "" && status === "") {
      throw source.fault(line, 'the column Readiness Date is empty, and no Status says "Ready"');
    }
    if (leaving !== "" && leaving < ready) {
      throw source.fault(line, `the participant leaves on ${leaving}, before ${ready}`);
    }
  }
}

function isCountry(text: string): boolean {
  return countryNames.has(plainName(text)) || countryCodes.has(text);
}

/** Whether a text is a country or contains the name of one, as REPUBLIC OF MOLDOVA does. */
function namesCountry(text: string): boolean {
  const plain = plainName(text);
  return isCountry(text) || [...countryNames].some((name) => plain.includes(name));
}

/** Writes a name in capital letters without accents: RÉUNION and REUNION, ST. and SAINT, & and AND are one. */
function plainName(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/\bST\.?(?=\s)/g, "SAINT")
    .replaceAll("&", "AND")
    .replaceAll("-", " ");
}

/** Splits each line at its blanks; a row has `count` fields, described by `expected`, or one fewer with `isLastOptional`. */
function fieldsOf(source: SourceText, count: number, expected: string, isLastOptional = false): SourceRow[] {
  return source.lines.map((text, index) => {
    const values = text.trim().split(/\s+/);
    if (isLastOptional && values.length === count - 1) values.push("");
    if (values.length === count) return { line: index + 1, values };
    throw source.fault(index + 1, `it has ${values.length} fields, and a row has ${expected}`);
  });
}

/** Two sort codes, a method, fourteen weights and, in some rows, an exception. */
const weightsLine = /^\d{6} \d{6} (MOD10|MOD11|DBLAL)\s/;
const substitutionLine = /^\d{6} \d{6}\s*$/;

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
    read: (source) => ({ rows: fieldsOf(source, 18, "17 or 18", true) }),
  },
  {
    name: "Pay.UK sort code substitutions",
    dataset: "uk-substitutions",
    recognises: ({ lines }) => substitutionLine.test(lines[0]!),
    read: (source) => ({ rows: fieldsOf(source, 2, "two sort codes") }),
  },
];
