import { banksColumns, blzColumns, readBanksCsv, readBlzCsv } from "./banks-csv.ts";
import { epcColumns, readEpcCsv, readSclCsv, sclColumns } from "./register-csv.ts";
import {
  readUkSubstitutionsCsv,
  readUkWeightsCsv,
  ukSubstitutionsColumns,
  ukWeightsColumns,
} from "./uk-weights-csv.ts";

/** One kind of data in a data folder, and the normal form its files have: `readCsv` with these columns. */
export interface Dataset {
  readonly title: string;
  readonly columns: readonly string[];
  /** The columns that identify an entry. */
  readonly key: readonly string[];
  /** Reads its files; throws a DataFileError for the first row at fault. */
  readonly read: (file: string, content: Uint8Array) => unknown;
  /** The countries whose banks it lists whole; from its first day on they are taken from nowhere else. */
  readonly countries?: readonly string[];
}

const banks = {
  columns: banksColumns,
  key: ["country", "bank_code", "branch_code"],
  read: readBanksCsv,
} as const;
const epc = { columns: epcColumns, key: ["bic"], read: readEpcCsv } as const;

/** The datasets that a data folder may hold; the first two it must hold. */
export const datasets = {
  blz: { title: "German bank codes", columns: blzColumns, key: ["Bankleitzahl"], read: readBlzCsv },
  banks: { title: "banks of other countries", ...banks },
  oenb: { title: "banks of Austria, OeNB", ...banks, countries: ["AT"] },
  nbb: { title: "bank codes of Belgium, NBB", ...banks, countries: ["BE"] },
  six: { title: "banks of Switzerland and Liechtenstein, SIX", ...banks, countries: ["CH", "LI"] },
  cnb: { title: "bank codes of Czechia, CNB", ...banks, countries: ["CZ"] },
  betaalvereniging: { title: "banks of the Netherlands, Betaalvereniging", ...banks, countries: ["NL"] },
  nbp: { title: "bank codes of Poland, NBP", ...banks, countries: ["PL"] },
  scl: { title: "SEPA services by BIC", columns: sclColumns, key: ["bic"], read: readSclCsv },
  "epc-sct": { title: "EPC register, SCT", ...epc },
  "epc-sct-inst": { title: "EPC register, SCT Inst", ...epc },
  "epc-sdd-core": { title: "EPC register, SDD Core", ...epc },
  "epc-sdd-b2b": { title: "EPC register, SDD B2B", ...epc },
  "epc-vop": { title: "EPC register, VoP", ...epc },
  "uk-weights": {
    title: "weights of the UK modulus check",
    columns: ukWeightsColumns,
    key: ["start", "end", "method", "exception"],
    read: readUkWeightsCsv,
  },
  "uk-substitutions": {
    title: "substituted sort codes of the UK modulus check",
    columns: ukSubstitutionsColumns,
    key: ["sort_code"],
    read: readUkSubstitutionsCsv,
  },
} as const satisfies Record<string, Dataset>;

export type DatasetName = keyof typeof datasets;

export const datasetNames = Object.keys(datasets) as DatasetName[];

/** The countries whose banks a dataset lists whole. */
export function countriesOf(dataset: DatasetName): readonly string[] {
  const { countries = [] }: Dataset = datasets[dataset];
  return countries;
}

/** Whether the rows of a dataset are banks; those of the others are BICs and the weights of a check. */
export function isBankList(dataset: DatasetName): boolean {
  const { read } = datasets[dataset];
  return read === readBlzCsv || read === readBanksCsv;
}

/** Datasets that older versions imported; a manifest may still list them, and they are passed over. */
export const retiredDatasets: readonly string[] = ["finance-finland", "bic-lei", "mfi"];

export function isDatasetName(value: unknown): value is DatasetName {
  return typeof value === "string" && Object.hasOwn(datasets, value);
}
