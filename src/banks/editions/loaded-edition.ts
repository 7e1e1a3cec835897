import type { DirectoryEdition } from "../directory/record.ts";
import type { BankList, RegisterList } from "./bank-lists.ts";
import { isDay } from "./berlin-day.ts";

/** What is known of an edition of the bank data that was loaded. */
export interface LoadedEdition {
  /** How much of its room it takes. */
  readonly bytes: number;
  readonly edition: DirectoryEdition;
  /** Number of Bankleitzahlen. */
  readonly blzCount: number;
  /** Number of records of all countries. */
  readonly recordCount: number;
  /** What is known of the list of each country. */
  readonly lists: readonly BankList[];
  /** What is known of the lists that are not those of a country's banks. */
  readonly registers: readonly RegisterList[];
  /** Whether an operator has said that it may be much smaller than the one before. */
  readonly isForced?: true;
  /** First days of the editions that an operator has withdrawn. */
  readonly withdrawn?: readonly string[];
  /** Last day on which it is valid, where the data says so. */
  readonly validUntil?: string;
  /** First day on which another edition of the folder is to be used, where there is one. */
  readonly nextChange?: string;
}

/** An edition that has this part of the banks of the one in use, or less, is taken for a file that was cut off. */
const minShare = 0.9;

/**
 * Says why an edition must not take the place of the one in use on a day; undefined where it may.
 *
 * Refused are an edition older than the one in use and one with a tenth of the bank codes or records gone: a file put
 * there by mistake or cut off. Neither is asked where none is in use yet (a start), and where the one in use was withdrawn
 * or has not begun (a clock set back). An edition whose import was forced may be as small as it likes.
 */
export function rejectionReason(
  edition: LoadedEdition,
  inUse: LoadedEdition | undefined,
  day: string,
): string | undefined {
  const { german, other } = edition.edition;
  if (!isDay(german))
    return `the edition of the German bank codes, "${german}", is not a day like 2026-09-07`;
  if (inUse === undefined) return undefined;
  const used = inUse.edition;
  const isOver = (first: string): boolean => first > day || (edition.withdrawn?.includes(first) ?? false);
  if (isOver(used.german) || isOver(used.other)) return undefined;
  if (german < used.german) return `edition ${german} is older than ${used.german}, which is in use`;
  if (other < used.other) {
    return `edition ${other} of other countries' banks is older than ${used.other}, which is in use`;
  }
  if (edition.isForced) return undefined;
  if (edition.blzCount <= inUse.blzCount * minShare) {
    return `it has ${edition.blzCount} German bank codes where the edition in use has ${inUse.blzCount}`;
  }
  if (edition.recordCount <= inUse.recordCount * minShare) {
    return `it has ${edition.recordCount} banks where the edition in use has ${inUse.recordCount}`;
  }
  return undefined;
}
