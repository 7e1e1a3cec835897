import { BLZ_LENGTH, KONTONUMMER_LENGTH } from "../banking/germany/account.ts";
import { ibanCountryByCode, partOfBban } from "../banking/iban/registry.ts";
import type { AccountSuggestion, IbanSuggestion, SuggestAnswer } from "../contract/api-types.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { bytesOf } from "./characters.ts";
import { type BankFilters, findBank, nationalDigitsFit } from "./filters.ts";
import { slipScores } from "./slips.ts";

/** A suggestion as an answer has it, but of its bank the index in the directory, -1 if it is not known. */
export type AtBank<Suggestion> = Omit<Suggestion, "bank" | "bic"> & { readonly bank: number };

export type Correction = AtBank<IbanSuggestion>;

export interface Corrections {
  /** How many are left after each filter: exact, also where fewer are listed. */
  readonly counts: SuggestAnswer["data"]["counts"];
  /** The likeliest first, those at known banks before the others. */
  readonly found: readonly Correction[];
}

/** Those of a number that is right, or far from any. */
export const noCorrections: Corrections = { counts: { iso: 0, national: 0, all: 0 }, found: [] };

/**
 * Finds the IBANs that one slip would have made the given text of, and that pass every check there is.
 *
 * `iban` is upper case without spaces; it may hold any characters. A right IBAN has corrections too (it may be mistyped):
 * ask for wrong ones only. No more than a slip is undone, for with two every IBAN has thousands of right neighbours. About
 * 20 µs.
 */
export function correct(iban: string, filters: BankFilters): Corrections {
  const text = bytesOf(iban);
  const iso = candidatesOf(text);
  const national = iso.filter(({ country, bytes }) => nationalDigitsFit(country, bytes));
  const ranked = national
    .flatMap((candidate) => {
      const bank = findBank(filters, candidate.country, candidate.bytes);
      return bank === undefined ? [] : [{ ...candidate, bank }];
    })
    .sort((one, other) => other.score - one.score || one.positions[0]! - other.positions[0]!);
  const known = ranked.filter(({ bank }) => bank >= 0);
  // No directory but the German one is complete: where every bank is unknown, that says nothing against any of them.
  // Where not, the bank meant may be one that no list has: a likelier slip at the bank that is written.
  const written = String.fromCharCode(...text);
  const unlisted = ranked.filter(
    (candidate) =>
      candidate.bank < 0 &&
      (known[0] === undefined || (candidate.score > known[0].score && hasBankOf(written, candidate))),
  );
  const found = [...known, ...unlisted].map(
    ({ iban, kind, positions, bank }): Correction => ({ iban, kind, positions, bank }),
  );
  return { counts: { iso: iso.length, national: national.length, all: found.length }, found };
}

/** Whether a candidate has the bank code that is written in a text of its length. */
function hasBankOf(text: string, { iban, country: { code, bank } }: Candidate): boolean {
  const isOfCountry = text.startsWith(code) && text.length === iban.length;
  return isOfCountry && partOfBban(text, bank) === partOfBban(iban, bank);
}

interface Edit {
  readonly text: string;
  readonly kind: AccountSuggestion["kind"];
  readonly positions: number[];
  readonly score: number;
}

const germany = ibanCountryByCode("DE")!;

/**
 * Finds the German accounts that one slip would have made the given account number and bank code of: the two swapped, a
 * digit wrong, two neighbours transposed, a digit too many or, in the bank code, too few.
 *
 * Both are digits only. The bank code must exist and the account pass its bank's method; accounts that have no check
 * digit pass. The likeliest first; there are more than for an IBAN, which has check digits of its own. Some 200 edits.
 */
export function correctAccount(
  kontonummer: string,
  blz: string,
  filters: BankFilters,
): readonly AtBank<AccountSuggestion>[] {
  const found = new Map<string, AtBank<AccountSuggestion> & { readonly score: number }>();
  const add = (number: string, code: string, field: AccountSuggestion["field"], edit: Omit<Edit, "text">) => {
    const { kind, positions, score } = edit;
    const key = `${number} ${code}`;
    if (number.length > KONTONUMMER_LENGTH || code.length !== BLZ_LENGTH) return;
    if (found.has(key) || key === `${kontonummer} ${blz}`) return;
    const bank = findBank(
      filters,
      germany,
      bytesOf(`DE00${code}${number.padStart(KONTONUMMER_LENGTH, "0")}`),
    );
    if (bank === undefined) return;
    found.set(key, { kontonummer: number, bankleitzahl: code, kind, field, positions, bank, score });
  };
  add(blz, kontonummer, "both", { kind: "swapped", positions: [], score: 1 });
  for (const edit of edits(blz, BLZ_LENGTH)) add(kontonummer, edit.text, "bankleitzahl", edit);
  for (const edit of edits(kontonummer, Math.min(kontonummer.length, KONTONUMMER_LENGTH)))
    add(edit.text, blz, "kontonummer", edit);
  return [...found.values()]
    .sort((one, other) => other.score - one.score || (one.positions[0] ?? 0) - (other.positions[0] ?? 0))
    .map(({ score, ...correction }) => correction);
}

/** Yields the texts of a length that one slip would have made the given digits of; the given text may be among them. */
function* edits(given: string, length: number): Generator<Edit, undefined> {
  const scores = slipScores(given.length);
  const excess = given.length - length;
  const edit = (kind: Exclude<Edit["kind"], "swapped">, from: number, to: number, by: string): Edit => ({
    text: given.slice(0, from) + by + given.slice(to),
    kind,
    positions: to - from === 2 ? [from, from + 1] : [from],
    score: scores[kind],
  });
  for (let at = 0; at <= given.length; at++) {
    const [digit, next] = [given[at], given[at + 1]];
    if (excess === 0 && next !== undefined) yield edit("transposition", at, at + 2, next + digit);
    if (excess === 1 && digit !== undefined) yield edit("extra", at, at + 1, "");
    for (const other of "0123456789") {
      if (excess === 0 && digit !== undefined) yield edit("substitution", at, at + 1, other);
      if (excess === -1) yield edit("missing", at, at, other);
    }
  }
}
