import { DIGIT_0, isDigit } from "../mod97.ts";

/** Number of digits of a German account number padded with zeros on the left. */
export const KONTONUMMER_LENGTH = 10;

/** Number of digits of a German bank code (Bankleitzahl). */
export const BLZ_LENGTH = 8;

/** Where bank code and account number are in a German IBAN. Source: SWIFT IBAN Registry, DE. */
export const germanIban = {
  blz: { start: 4, length: BLZ_LENGTH },
  kontonummer: { start: 4 + BLZ_LENGTH, length: KONTONUMMER_LENGTH },
} as const;

/** A German account number and bank code in digits, as the check-digit methods take them. */
export interface GermanAccount {
  /** Ten digit values 0-9, d1 to d10, padded with zeros on the left. */
  readonly digits: readonly number[];
  /** How many digits it has without leading zeros, 0 to 10. */
  readonly significant: number;
  /** Eight digit values of the bank code; all zeros if it is absent or malformed. */
  readonly blz: readonly number[];
}

/**
 * Whether text is a German account number by its form: 1 to 10 digits, not all of them zero.
 *
 * @example isKontonummer("0532013000") // → true
 */
export function isKontonummer(text: string): boolean {
  return /^(?=.*[1-9])\d{1,10}$/.test(text);
}

/**
 * Whether text is a German bank code by its form: 8 digits.
 *
 * @example isBlz("37040044") // → true
 */
export function isBlz(text: string): boolean {
  return /^\d{8}$/.test(text);
}

/**
 * Returns an account number of 1 to 10 digits with its bank code of eight.
 *
 * Anything else counts as zeros: account number zero, which no bank assigns, is invalid in every method, and with bank code
 * zero methods 52, 53, B6 and C0 fail wherever they need it.
 *
 * @example germanAccount("0532013000").significant // → 9
 */
export function germanAccount(kontonummer: string, blz = ""): GermanAccount {
  const digits = digitsOf(kontonummer, KONTONUMMER_LENGTH);
  let leading = 0;
  while (digits[leading] === 0) leading++;
  const code = digitsOf(blz.length === BLZ_LENGTH ? blz : "", BLZ_LENGTH);
  return { digits, significant: KONTONUMMER_LENGTH - leading, blz: code };
}

/** Returns decimal digits, right-aligned; zeros for anything else, or too many of them. */
function digitsOf(text: string, length: number): readonly number[] {
  const digits: number[] = [];
  for (let at = text.length - length; at < text.length; at++) {
    const byte = at < 0 ? DIGIT_0 : text.charCodeAt(at);
    if (text.length > length || !isDigit(byte)) return digitsOf("", length);
    digits.push(byte - DIGIT_0);
  }
  return digits;
}
