import type { IbanCountry } from "../banking/iban/registry.ts";
import { bbanStart, isOfClass } from "../banking/iban/structure.ts";
import { beginsAsIban, isoPower, isoValue } from "./characters.ts";

/**
 * A text laid against the structure of one country: says whether an edit of the BBAN makes an IBAN of it, without
 * spelling the result out.
 *
 * Remainders of all beginnings and ends are computed once, so that each edit costs one multiplication modulo 97.
 * Source: ISO 7064 MOD 97-10; ISO 13616-1 (the first four characters count after the BBAN).
 */
export class Alignment {
  readonly country: IbanCountry;
  readonly #length: number;
  /** How many characters from the left fit the structure, those before the BBAN included. */
  readonly #fitsUpTo: number;
  /** From which index on all characters fit the structure when the ends are aligned. */
  readonly #fitsFrom: number;
  /** By index: the remainder of the BBAN's characters before it. */
  readonly #before: Uint8Array;
  /** By index: the remainder of the characters from it on, with the first four appended. */
  readonly #after: Uint8Array;
  /** By index: the power of ten, modulo 97, by which those shift what precedes them. */
  readonly #shift: Uint8Array;

  constructor(text: Uint8Array, country: IbanCountry) {
    const { classes, ibanLength } = country;
    const length = text.length;
    this.country = country;
    this.#length = length;
    this.#before = new Uint8Array(length + 1);
    this.#after = new Uint8Array(length + 1);
    this.#shift = new Uint8Array(length + 1);
    let remainder = 0;
    for (let at = bbanStart; at < length; at++) {
      remainder = (remainder * isoPower[text[at]!]! + isoValue[text[at]!]!) % 97;
      this.#before[at + 1] = remainder;
    }
    let end = 0;
    let shift = 1;
    for (let at = bbanStart - 1; at >= 0; at--) {
      end = (end + isoValue[text[at]!]! * shift) % 97;
      shift = (shift * isoPower[text[at]!]!) % 97;
    }
    for (let at = length; at >= bbanStart; at--) {
      if (at < length) {
        end = (end + isoValue[text[at]!]! * shift) % 97;
        shift = (shift * isoPower[text[at]!]!) % 97;
      }
      this.#after[at] = end;
      this.#shift[at] = shift;
    }
    let fitsUpTo = beginsAsIban(text) ? bbanStart : 0;
    if (fitsUpTo > 0) while (isOfClass(text[fitsUpTo] ?? 0, classes[fitsUpTo - bbanStart] ?? 0)) fitsUpTo++;
    this.#fitsUpTo = fitsUpTo;
    const shifted = ibanLength - length - bbanStart;
    let fitsFrom = length;
    while (fitsFrom > bbanStart && isOfClass(text[fitsFrom - 1]!, classes[fitsFrom - 1 + shifted] ?? 0))
      fitsFrom--;
    this.#fitsFrom = fitsFrom;
  }

  /**
   * Whether the text is an IBAN of right length, structure and ISO check digits once its characters from `from` (4 or
   * more) up to `to` have given way to the first `count` of `replacement`.
   */
  admits(from: number, to: number, replacement: Uint8Array, count: number): boolean {
    const { classes, ibanLength } = this.country;
    if (from > this.#fitsUpTo || to < this.#fitsFrom) return false;
    if (this.#length - (to - from) + count !== ibanLength) return false;
    let number = this.#before[from]!;
    for (let at = 0; at < count; at++) {
      const code = replacement[at]!;
      if (!isOfClass(code, classes[from + at - bbanStart] ?? 0)) return false;
      number = number * isoPower[code]! + isoValue[code]!;
    }
    return ((number % 97) * this.#shift[to]! + this.#after[to]!) % 97 === 1;
  }
}
