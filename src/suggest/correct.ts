import { type Candidate, candidatesOf } from "./candidates.ts";
import { type BankFilters, type FilterCounts, withKnownBanks } from "./filters.ts";

/** A candidate that passed all filters. */
export interface Correction extends Candidate {
  /** Index of the bank in the directory, -1 where it is not known. */
  readonly bank: number;
}

/** What a wrong IBAN was probably meant to be. */
export interface Corrections {
  readonly counts: FilterCounts;
  /** The likeliest first; all that passed every filter. */
  readonly candidates: readonly Correction[];
}

/**
 * Finds the IBANs that one slip would have made the given text of, and that pass every check there is.
 *
 * `text` is upper case without spaces, one byte per character; it may hold any characters. A right IBAN has corrections
 * too (it may be mistyped): ask for wrong ones only. No more than a slip is undone, for with two every IBAN has thousands
 * of right neighbours. About 20 µs.
 */
export function correct(text: Uint8Array, filters: BankFilters): Corrections {
  const iso = candidatesOf(text);
  const national = iso.filter(({ country, iban }) => filters.nationalDigitsFit(country, iban));
  const possible = national.flatMap((candidate): Correction[] => {
    const bank = filters.findBank(candidate.country, candidate.iban);
    return bank === undefined ? [] : [{ ...candidate, bank }];
  });
  const candidates = [...withKnownBanks(possible)].sort(
    (one, other) => other.score - one.score || one.positions[0]! - other.positions[0]!,
  );
  return { counts: { iso: iso.length, national: national.length, all: candidates.length }, candidates };
}
