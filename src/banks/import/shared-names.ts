import { type DatasetName, datasets } from "../files/datasets.ts";
import { entriesOf } from "./compare.ts";
import type { NormalRow } from "./normal-form.ts";

/** Codes that one name may be given to by mistake, and BICs that show them to be different banks. */
const minCodes = 3;

/**
 * Returns why the names of a list may have slipped: three or more codes of different banks, by their BICs, have one name now
 * and had three or more in the edition before. Banks that merged have one BIC.
 */
export function sharedNameSuspicion(
  dataset: DatasetName,
  before: readonly NormalRow[],
  after: readonly NormalRow[],
): string | undefined {
  const columns: readonly string[] = datasets[dataset].columns;
  const [nameAt, bicAt] = [/^(name|Bezeichnung)$/, /^bic$/i].map((heading) =>
    columns.findIndex((column) => heading.test(column)),
  ) as [number, number];
  if (nameAt < 0 || bicAt < 0 || !columns.some((column) => /^(bank_code|Bankleitzahl)$/.test(column)))
    return undefined;
  const known = entriesOf(dataset, before);
  const renamed = new Map<string, { readonly code: string; readonly old: string; readonly bic: string }[]>();
  for (const [code, row] of entriesOf(dataset, after)) {
    const old = known.get(code)?.[nameAt];
    const name = row[nameAt]!;
    if (old === undefined || old === name) continue;
    renamed.set(name, [...(renamed.get(name) ?? []), { code, old, bic: row[bicAt]!.slice(0, 8) }]);
  }
  for (const [name, codes] of renamed) {
    const different = (field: "old" | "bic") =>
      new Set(codes.map((one) => one[field]).filter((text) => text !== "")).size >= minCodes;
    if (different("old") && different("bic")) {
      const listed = codes.map(({ code }) => code).join(", ");
      return `${codes.length} bank codes of different banks now have the name ${JSON.stringify(name)}: ${listed}`;
    }
  }
  return undefined;
}
