import { isDay } from "./berlin-day.ts";
import type { LoadedEdition } from "./loaded-edition.ts";

/** An edition that has this part of the banks of the one in use, or less, is taken for a file that was cut off. */
const leastPart = 0.9;

/**
 * Says why an edition must not take the place of the one in use; undefined where it may.
 *
 * Refused are an edition older than the one in use and one with a tenth of the bank codes or records gone: a file put
 * there by mistake or cut off. Where none is in use yet (a start) neither is asked, and an edition whose import was
 * forced may be as small as it likes.
 */
export function whyNot(edition: LoadedEdition, inUse: LoadedEdition | undefined): string | undefined {
  const { german, other } = edition.edition;
  if (!isDay(german))
    return `the edition of the German bank codes, "${german}", is not a day like 2026-09-07`;
  if (inUse === undefined) return undefined;
  const used = inUse.edition;
  if (german < used.german) return `edition ${german} is older than ${used.german}, which is in use`;
  if (other < used.other) {
    return `edition ${other} of other countries' banks is older than ${used.other}, which is in use`;
  }
  if (edition.isForced) return undefined;
  if (edition.blzCount <= inUse.blzCount * leastPart) {
    return `it has ${edition.blzCount} German bank codes where the edition in use has ${inUse.blzCount}`;
  }
  if (edition.recordCount <= inUse.recordCount * leastPart) {
    return `it has ${edition.recordCount} banks where the edition in use has ${inUse.recordCount}`;
  }
  return undefined;
}
