import { countryLists, type DatasetName } from "../files/datasets.ts";
import type { DataEdition } from "./manifest.ts";

/** Returns the editions of a dataset by their first day, without those that were withdrawn. */
export function editionsOf(editions: readonly DataEdition[], dataset: DatasetName): DataEdition[] {
  return editions
    .filter((edition) => edition.dataset === dataset && edition.withdrawn !== true)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1));
}

/**
 * Finds the edition of a dataset to use on a day: the latest that has begun, or else the first to come; and the first day
 * of the next one, null if there is none yet. Only the list of a country is not used before it has begun, since `banks` has
 * the banks of all countries.
 *
 * @param day like `2026-09-07`.
 */
export function editionInUse(editions: readonly DataEdition[], dataset: DatasetName, day: string) {
  const all = editionsOf(editions, dataset);
  const first = countryLists.some(({ name }) => name === dataset) ? -1 : 0;
  const index = Math.max(
    first,
    all.findLastIndex(({ validFrom }) => validFrom <= day),
  );
  return { edition: all[index], next: all[index + 1]?.validFrom ?? null };
}
