import type { SepaMethods } from "../../client/api-types.ts";
import type { Verdict } from "./verdict.ts";

/** A column that is added to each row. */
export interface AddedColumn {
  readonly name: string;
  readonly of: (verdict: Verdict) => string | number | boolean | null;
}

const sepa = (name: keyof SepaMethods): AddedColumn => ({
  name,
  of: ({ data }) => data?.sepa_methods?.[name] ?? null,
});

/** The columns that are added to each row that is checked, in order; null is an empty field in CSV. */
export const checkColumns: readonly AddedColumn[] = [
  { name: "status", of: ({ status }) => status },
  { name: "valid", of: ({ valid }) => valid },
  { name: "message", of: ({ message }) => message },
  { name: "bic", of: ({ data }) => data?.bic ?? null },
  { name: "bank", of: ({ data }) => data?.bank ?? "" },
  { name: "zip", of: ({ data }) => data?.zip ?? "" },
  { name: "location", of: ({ data }) => data?.location ?? "" },
  { name: "country", of: ({ data }) => data?.country ?? "" },
  sepa("sct"),
  sepa("sdd"),
  sepa("b2b"),
  sepa("scc"),
  { name: "error", of: ({ error }) => error },
];

/** The columns that are added to each row whose IBAN is generated. */
export const generateColumns: readonly AddedColumn[] = [
  { name: "iban", of: ({ data }) => data?.iban ?? null },
  ...checkColumns,
];

/**
 * Names the added columns so that none is called as one that is there already: then all get `check_` before their name.
 */
export function namesOf(columns: readonly AddedColumn[], taken: readonly string[]): readonly string[] {
  const names = columns.map(({ name }) => name);
  for (let prefix = ""; ; prefix += "check_") {
    const prefixed = names.map((name) => prefix + name);
    if (!prefixed.some((name) => taken.includes(name))) return prefixed;
  }
}
