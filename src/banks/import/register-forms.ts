import iso3166 from "../../../data/iso-3166.json" with { type: "json" };
import { isBic } from "../../banking/bic.ts";
import { isDay } from "../editions/days.ts";
import { splitLine } from "../files/csv.ts";
import type { DatasetName } from "../files/datasets.ts";
import { expectReading, nameForm, type SourceColumn, type SourceForm, tableRows } from "./source-rows.ts";

const bic: SourceColumn = { heading: "BIC", form: { test: isBic } };
const day = { form: { test: (value: string) => value === "" || isDay(value) }, isOptional: true } as const;
const flag = /^[01]$/;

/** Of the directory of reachable payment service providers; further services are passed over. */
const sclColumns = {
  bic,
  name: { heading: "Name", form: nameForm },
  sct: { heading: "SERVICE SCT", form: flag },
  cor: { heading: "SERVICE COR", form: flag },
  b2b: { heading: "SERVICE B2B", form: flag },
  scc: { heading: "SERVICE SCC", form: flag },
} as const;

/** Columns of the registers of participants of the European Payments Council; that of VoP has a status and others besides. */
const epcColumns = {
  country: { heading: "Country", form: { test: namesCountry } },
  name: {
    heading: "ParticipantName",
    form: { test: (name: string) => nameForm.test(name) && !isCountry(name) },
  },
  address: { heading: "Address", isOptional: true },
  city: { heading: "City", isOptional: true },
  bic,
  ready: { heading: "Readiness Date", ...day },
  leaving: { heading: "Scheme Leaving Date", ...day },
  options: { heading: "Scheme Options", isOptional: true },
  /** Last, since it is not stored. */
  status: { heading: "Status", isOptional: true },
} as const;
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

const sclHeading = /^"?G(?:ue|ü)ltig ab \/ valid from (\d{2})\.(\d{2})\.(\d{4})\b/;

/** The registers of the European Payments Council do not name their scheme; their file names do. */
const epcSchemes: readonly (readonly [DatasetName, RegExp])[] = [
  ["epc-vop", /vop/i],
  ["epc-sct-inst", /sct[-_ ]?inst/i],
  ["epc-sdd-b2b", /b2b/i],
  ["epc-sdd-core", /core|sdd/i],
  ["epc-sct", /sct/i],
];

/**
 * Lines of `valacdos.txt` and `scsubtab.txt`, which name neither edition nor day: two sort codes and, in the first, a method,
 * fourteen weights and, in some rows, an exception. Source: Pay.UK, "Validating account numbers, UK modulus checking".
 */
const weightsLine = /^\d{6} \d{6} (MOD10|MOD11|DBLAL)\s/;
const substitutionLine = /^\d{6} \d{6}\s*$/;

export const registerForms: readonly SourceForm[] = [
  {
    name: "Bundesbank directory of reachable payment service providers, CSV",
    read: (source) => {
      const found = sclHeading.exec(source.lines[0]!);
      if (found === null) return undefined;
      const [, date, month, year] = found;
      const header = { line: 2, headings: source.lines[1]?.split(";") ?? [], delimiter: ";", isPlain: true };
      const rows = tableRows(source, header, sclColumns);
      return { dataset: "scl", rows, validFrom: `${year}-${month}-${date}` };
    },
  },
  {
    name: "EPC register of participants, CSV",
    read: (source) => {
      const first = source.lines[0]!;
      if (!/ParticipantName/.test(first) || !/Readiness Date|Status/i.test(first)) return undefined;
      const header = { line: 1, headings: splitLine(source.file, 1, first, ","), delimiter: "," };
      const participants = tableRows(source, header, epcColumns);
      for (const { line, cells } of participants) {
        const { ready, leaving, status } = cells;
        if (ready === "" && status === "") {
          throw source.fault(line, 'the column Readiness Date is empty, and no Status says "Ready"');
        }
        if (leaving !== "" && leaving < ready) {
          throw source.fault(line, `the participant leaves on ${leaving}, before ${ready}`);
        }
      }
      const rows = participants
        .filter(({ cells: { status } }) => status === "" || readyStatus.test(status))
        .map(({ line, values }) => ({ line, values: values.slice(0, -1) }));
      expectReading(source, rows, "bank", 1, { Address: 2, City: 3 });
      expectReading(source, rows, "town", 3, { Address: 2 });
      const scheme = epcSchemes.find(([, form]) => form.test(source.file));
      if (scheme !== undefined) return { dataset: scheme[0], rows };
      const schemes = "sct, sct-inst, core, b2b, vop";
      throw source.fault(1, `a scheme register must name its scheme in the file's name: ${schemes}`);
    },
  },
  ukForm("Pay.UK weights of the modulus check", "uk-weights", weightsLine),
  ukForm("Pay.UK sort code substitutions", "uk-substitutions", substitutionLine),
];

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

/** The form of files whose lines are split at their blanks; most weights have no exception. */
function ukForm(name: string, dataset: DatasetName, firstLine: RegExp): SourceForm {
  const rowOf = (text: string, index: number) => {
    const values = text.trim().split(/\s+/);
    return { line: index + 1, values: values.length === 17 ? [...values, ""] : values };
  };
  const read: SourceForm["read"] = ({ lines }) =>
    firstLine.test(lines[0]!) ? { dataset, rows: lines.map(rowOf) } : undefined;
  return { name, read };
}
