import { type Dataset, type DatasetName, datasets } from "../files/datasets.ts";
import type { Change, Difference } from "./compare.ts";
import { bicOf, entriesOf, type NormalRow } from "./normal-form.ts";

const maxGone = 0.02;
const maxChanged = 0.05;
/** Names and BICs, as the datasets call them. */
const guardedColumns = ["Bezeichnung", "BIC", "name", "bic"];
/** Codes that one name may be given to by mistake, and BICs that show them to be different banks. */
const minCodes = 3;

/** Returns why a file may be a wrong one: too much is gone or different, or different banks now have one name. */
export function suspicionOf(
  dataset: DatasetName,
  { before, removed, changed }: Difference,
  rows: readonly NormalRow[],
): string | undefined {
  const beyond = (count: number, max: number, what: string) =>
    count > before * max
      ? `${count} of the ${before} entries of the edition before ${what}, more than ${max * 100} %`
      : undefined;
  const reasons = guardedColumns.map((column) =>
    beyond(changed.get(column)?.length ?? 0, maxChanged, `differ in ${column}`),
  );
  return (
    beyond(removed.length, maxGone, "are gone") ??
    reasons.find((reason) => reason !== undefined) ??
    sharedName(dataset, changed.get("Bezeichnung") ?? changed.get("name") ?? [], rows)
  );
}

/** Finds a name that codes of different banks, by their BICs, have now and did not have before. Banks that merged have one BIC. */
function sharedName(dataset: DatasetName, renamed: readonly Change[], rows: readonly NormalRow[]) {
  const { key }: Dataset = datasets[dataset];
  if (key.includes("bic")) return undefined;
  const entries = entriesOf(dataset, rows);
  const byName = new Map<string, Change[]>(renamed.map(({ after }) => [after, []]));
  for (const change of renamed) byName.get(change.after)!.push(change);
  for (const [name, changes] of byName) {
    const bics = changes.map(({ key }) => bicOf(dataset, entries.get(key)!).slice(0, 8));
    const isOfDifferent = [bics, changes.map(({ before }) => before)].every(
      (texts) => new Set(texts.filter((text) => text !== "")).size >= minCodes,
    );
    if (isOfDifferent) {
      const codes = changes.map((change) => change.key).join(", ");
      return `${changes.length} bank codes of different banks now have the name ${JSON.stringify(name)}: ${codes}`;
    }
  }
  return undefined;
}
