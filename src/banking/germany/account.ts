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

/**
 * A German account number and bank code laid out for the check-digit methods.
 *
 * Make one per worker with {@link createGermanAccount} and fill it again for every check. The fields
 * belong together: change them only through the `read…` functions of this module.
 */
export interface GermanAccount {
  /** Ten digit values 0-9, d1 to d10, padded with zeros on the left. */
  readonly digits: Uint8Array;
  /** How many digits it has without leading zeros, 0 to 10. */
  significant: number;
  /** Eight digit values of the bank code; all zeros if it is absent or could not be read. */
  readonly blz: Uint8Array;
}

/**
 * Creates an account with all digits zero, the only allocation of this module.
 *
 * @example createGermanAccount().digits.length // → 10
 */
export function createGermanAccount(): GermanAccount {
  return {
    digits: new Uint8Array(KONTONUMMER_LENGTH),
    significant: 0,
    blz: new Uint8Array(BLZ_LENGTH),
  };
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
 * Reads an account number of 1 to 10 decimal digits, leading zeros included in the count.
 *
 * Returns false for anything else and for zero, which no bank assigns; the account then holds zero,
 * invalid in every method. The bank code is left as it is.
 *
 * @example readKontonummer(createGermanAccount(), "532013000") // → true
 */
export function readKontonummer(account: GermanAccount, kontonummer: string): boolean {
  readDigits(account.digits, kontonummer);
  measure(account);
  return account.significant > 0;
}

/**
 * Reads ten ASCII digits from `start`, the account number as it is in a German BBAN.
 *
 * The bytes must be digits (the IBAN's structure check has seen to it); they are not tested again.
 *
 * @example
 * const account = createGermanAccount();
 * readKontonummerBytes(account, asciiBytes("DE89370400440532013000"), 12);
 * account.digits.join("") // → "0532013000"
 */
export function readKontonummerBytes(account: GermanAccount, bytes: Uint8Array, start: number): void {
  const digits = account.digits;
  for (let index = 0; index < KONTONUMMER_LENGTH; index++) digits[index] = bytes[start + index]! - DIGIT_0;
  measure(account);
}

/**
 * Reads a bank code of exactly eight decimal digits.
 *
 * Returns false for anything else; the bank code is then all zeros, with which methods 52, 53, B6 and C0
 * fail wherever they need it. Pass `""` to clear it.
 *
 * @example readBlz(createGermanAccount(), "37040044") // → true
 */
export function readBlz(account: GermanAccount, blz: string): boolean {
  const isWhole = blz.length === BLZ_LENGTH;
  return readDigits(account.blz, isWhole ? blz : "") && isWhole;
}

/** Reads decimal digits, right-aligned; anything else, or too many of them, leaves zeros and returns false. */
function readDigits(digits: Uint8Array, text: string): boolean {
  const padding = digits.length - text.length;
  digits.fill(0);
  for (let index = 0; index < text.length; index++) {
    const byte = text.charCodeAt(index);
    if (padding < 0 || !isDigit(byte)) {
      digits.fill(0);
      return false;
    }
    digits[padding + index] = byte - DIGIT_0;
  }
  return true;
}

/**
 * Reads eight ASCII digits from `start`, the bank code as it is in a German BBAN; they are not tested again.
 *
 * @example
 * const account = createGermanAccount();
 * readBlzBytes(account, asciiBytes("DE89370400440532013000"), 4);
 * [...account.blz] // → [3, 7, 0, 4, 0, 0, 4, 4]
 */
export function readBlzBytes(account: GermanAccount, bytes: Uint8Array, start: number): void {
  const digits = account.blz;
  for (let index = 0; index < BLZ_LENGTH; index++) digits[index] = bytes[start + index]! - DIGIT_0;
}

function measure(account: GermanAccount): void {
  const leading = account.digits.findIndex((digit) => digit !== 0);
  account.significant = leading < 0 ? 0 : KONTONUMMER_LENGTH - leading;
}

/**
 * Verdict of a check-digit method on an account number.
 *
 * `unchecked` means the number carries no check digit (method 09, or a range the method exempts):
 * banks use such numbers, nothing about them can be tested.
 */
export const AccountVerdict = { invalid: 0, valid: 1, unchecked: 2 } as const;

/** One of the three verdicts of {@link AccountVerdict}, as a small integer. */
export type AccountVerdict = (typeof AccountVerdict)[keyof typeof AccountVerdict];
