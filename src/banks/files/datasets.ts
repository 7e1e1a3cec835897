import { banksColumns } from "./banks-csv.ts";
import { blzColumns } from "./blz-csv.ts";
import { epcColumns } from "./epc-csv.ts";
import { sclColumns } from "./scl-csv.ts";

/** One kind of data in a data folder, and the normal form its files have: `readCsv` with these columns. */
export interface Dataset {
  readonly title: string;
  readonly columns: readonly string[];
  /** The columns that tell one entry from another. */
  readonly key: readonly string[];
}

const epc = { columns: epcColumns, key: ["bic"] } as const;

/** The datasets that a data folder may hold; the first two it must hold. */
export const datasets = {
  blz: { title: "German bank codes", columns: blzColumns, key: ["Bankleitzahl"] },
  banks: {
    title: "banks of other countries",
    columns: banksColumns,
    key: ["country", "bank_code", "branch_code"],
  },
  scl: { title: "SEPA services by BIC", columns: sclColumns, key: ["bic"] },
  "epc-sct": { title: "EPC register, SCT", ...epc },
  "epc-sct-inst": { title: "EPC register, SCT Inst", ...epc },
  "epc-sdd-core": { title: "EPC register, SDD Core", ...epc },
  "epc-sdd-b2b": { title: "EPC register, SDD B2B", ...epc },
} as const satisfies Record<string, Dataset>;

/** A dataset's name in a manifest. */
export type DatasetName = keyof typeof datasets;

/** Whether a value is the name of a dataset. */
export function isDatasetName(value: unknown): value is DatasetName {
  return typeof value === "string" && Object.hasOwn(datasets, value);
}
