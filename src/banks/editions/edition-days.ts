import { countryLists, type DatasetName } from "../files/datasets.ts";
import { type DataEdition, isRequired } from "./manifest.ts";

/**
 * Returns the edition of a dataset to use on a day: the latest that has begun, or else the first to come.
 *
 * @param day like `2026-09-07`.
 */
export function editionOn(
  editions: readonly DataEdition[],
  dataset: DatasetName,
  day: string,
): DataEdition | undefined {
  return begunEdition(editions, dataset, day) ?? editionsOf(editions, dataset)[0];
}

/** Finds the latest edition of a dataset that has begun on a day; undefined if none has. */
export function begunEdition(
  editions: readonly DataEdition[],
  dataset: DatasetName,
  day: string,
): DataEdition | undefined {
  return editionsOf(editions, dataset).findLast(({ validFrom }) => validFrom <= day);
}

/** Returns the editions of a dataset by their first day, without those that were withdrawn. */
export function editionsOf(editions: readonly DataEdition[], dataset: DatasetName): DataEdition[] {
  return editions
    .filter((edition) => edition.dataset === dataset && edition.withdrawn !== true)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1));
}

/**
 * Returns the first day after `day` on which an edition begins that follows another one, or the first list of a
 * country; undefined if none does.
 */
function nextChangeAfter(editions: readonly DataEdition[], day: string): string | undefined {
  const followers = editions.filter(
    ({ dataset, validFrom, withdrawn }) =>
      withdrawn !== true &&
      (countryLists.some(({ name }) => name === dataset) ||
        editionsOf(editions, dataset)[0]!.validFrom < validFrom),
  );
  return followers
    .map(({ validFrom }) => validFrom)
    .filter((first) => first > day)
    .sort()[0];
}

/** Returns the first day of the edition that follows another one after a day; null if there is none yet. */
export function nextEditionOf(
  { dataset, validFrom }: DataEdition,
  editions: readonly DataEdition[],
  day: string,
): string | null {
  const next = editionsOf(editions, dataset).find(
    (other) => other.validFrom > validFrom && other.validFrom > day,
  );
  return next?.validFrom ?? null;
}

/** Days of the editions of a folder, relative to the one in use. */
export interface EditionDates {
  /** First days of the editions of required datasets that an operator has withdrawn. */
  readonly withdrawn?: readonly string[];
  /** First day on which another edition of the folder is used, if there is one. */
  readonly nextChange?: string;
}

/** Returns the dates of a folder's editions relative to those in use on a day. */
export function datesOf(editions: readonly DataEdition[], day: string): EditionDates {
  const nextChange = nextChangeAfter(editions, day);
  const withdrawn = editions.filter((edition) => edition.withdrawn && isRequired(edition.dataset));
  return {
    ...(withdrawn.length === 0 ? {} : { withdrawn: withdrawn.map(({ validFrom }) => validFrom) }),
    ...(nextChange === undefined ? {} : { nextChange }),
  };
}
