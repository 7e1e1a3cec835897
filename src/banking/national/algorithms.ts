import { DIGIT_0, DIGIT_9, LETTER_A, LETTER_Z, remainder97 } from "../mod97.ts";
import { type BbanSpan, type CheckDigits, completesEleven, completesTen, weighted } from "./weighted.ts";

/** Computes a two-digit check number from the `length` characters before it; `start` is an index into `bytes`. */
type KeyOf = (bytes: Uint8Array, start: number, length: number) => number;

/**
 * Builds a rule whose check digits are the two characters from `at` on and depend on all before them.
 *
 * `keyOf` returns 0 to 99; the two digits must be exactly that number, so congruent but impossible pairs are wrong.
 */
export function keyAt(at: number, keyOf: KeyOf): CheckDigits {
  return {
    matches(bytes, bbanStart) {
      const tens = bytes[bbanStart + at]! - DIGIT_0;
      return tens * 10 + bytes[bbanStart + at + 1]! - DIGIT_0 === keyOf(bytes, bbanStart, at);
    },
    expected: (bytes, bbanStart) => String(keyOf(bytes, bbanStart, at)).padStart(2, "0"),
  };
}

/** Builds a rule of one check character, at `at`, from its right ASCII code. */
function characterAt(at: number, right: (bytes: Uint8Array, bbanStart: number) => number): CheckDigits {
  return {
    matches: (bytes, bbanStart) => right(bytes, bbanStart) === bytes[bbanStart + at],
    expected: (bytes, bbanStart) => String.fromCharCode(right(bytes, bbanStart)),
  };
}

/**
 * Computes the key of ISO 7064 MOD 97-10, 02 to 98: with it, the number leaves 1 when divided by 97.
 *
 * Letters count 10 to 35, two digits each. Used by BA, ME, MK, PT, RS, SI, ST, TL and XK.
 */
export const iso7064Key: KeyOf = (bytes, start, length) =>
  98 - ((remainder97(bytes, start, length) * 100) % 97);

/** Computes Belgium's key, 01 to 97: the number modulo 97, with 97 standing for 0. */
export const belgianKey: KeyOf = (bytes, start, length) => remainder97(bytes, start, length) || 97;

/** Computes the RIB key of an all-digit number, 01 to 97: with it, the number is divisible by 97 (BI, DJ, MR, TN). */
export const ribKey: KeyOf = (bytes, start, length) => 97 - ((remainder97(bytes, start, length) * 100) % 97);

/** The characters that stand for 0, 1, … 9 in a RIB. Source: the French RIB's letter table, one row per digit. */
const ribRows = ["0", "1AJ", "2BKS", "3CLT", "4DMU", "5ENV", "6FOW", "7GPX", "8HQY", "9IRZ"];

const ribDigits = new Uint8Array(LETTER_Z + 1);
for (const [digit, row] of ribRows.entries()) for (const one of row) ribDigits[one.charCodeAt(0)] = digit;

/**
 * Computes the RIB key of a number in whose account letters stand for one digit each, 01 to 97 (FR, MC).
 *
 * With the key, the number in digits is divisible by 97. `bytes` holds ASCII digits and upper-case letters.
 */
export const ribKeyWithLetters: KeyOf = (bytes, start, length) => {
  let remainder = 0;
  for (let at = start; at < start + length; at++) {
    remainder = remainder * 10 + ribDigits[bytes[at]!]!;
    if (remainder >= 10_000_000) remainder %= 97;
  }
  return 97 - (((remainder % 97) * 100) % 97);
};

/**
 * Builds a rule whose check digit is at `at` and follows from all digits before it by Luhn's formula.
 *
 * Source: ISO/IEC 7812-1, annex B; used by FI.
 */
export const luhnAt = (at: number) =>
  characterAt(at, (bytes, bbanStart) => {
    let sum = 0;
    for (let place = 0; place < at; place++) {
      const digit = bytes[bbanStart + place]! - DIGIT_0;
      const isDoubled = (at - place) % 2 === 1;
      sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
    }
    return DIGIT_0 + ((10 - (sum % 10)) % 10);
  });

const overAllDigits = weighted([
  { from: 0, weights: [5, 4, 3, 2, 7, 6, 5, 4, 3, 2], at: 10, digits: completesEleven },
]);
const overAccountOnly = weighted([{ from: 6, weights: [5, 4, 3, 2], at: 10, digits: completesEleven }]);

function hasShortNorwegianAccount(bytes: Uint8Array, bbanStart: number): boolean {
  return bytes[bbanStart + 4] === DIGIT_0 && bytes[bbanStart + 5] === DIGIT_0;
}

/**
 * Norway's rule: a weighted check digit over all ten digits before it.
 *
 * Where the fifth and sixth digit are 00, the short rule over the four digits after them is accepted as well (ECBS
 * TR 201 has it, most implementations do not; real numbers of this kind are not at hand to decide).
 */
export const norwegian: CheckDigits = {
  matches: (bytes, bbanStart) =>
    overAllDigits.matches(bytes, bbanStart) ||
    (hasShortNorwegianAccount(bytes, bbanStart) && overAccountOnly.matches(bytes, bbanStart)),
  expected: (bytes, bbanStart) =>
    overAllDigits.expected(bytes, bbanStart) ??
    (hasShortNorwegianAccount(bytes, bbanStart) ? overAccountOnly.expected(bytes, bbanStart) : null),
};

function hybridDigit(bytes: Uint8Array, start: number, length: number): number {
  let product = 10;
  for (let at = start; at < start + length; at++) {
    const sum = (product + bytes[at]! - DIGIT_0) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return DIGIT_0 + ((11 - product) % 10);
}

/**
 * Builds a rule of one check digit at the end of each part of the BBAN, all of which must be right.
 *
 * Each part is digits only and includes its check digit. Source: ISO 7064, MOD 11,10 (hybrid system); used by HR for
 * the bank code and the account.
 */
export function mod11And10(parts: readonly BbanSpan[]): CheckDigits {
  return {
    matches: (bytes, bbanStart) =>
      parts.every(({ start, length }) => {
        const at = bbanStart + start + length - 1;
        return hybridDigit(bytes, bbanStart + start, length - 1) === bytes[at];
      }),
    expected: (bytes, bbanStart) =>
      String.fromCharCode(
        ...parts.map((part) => hybridDigit(bytes, bbanStart + part.start, part.length - 1)),
      ),
  };
}

/** Value of a character in an odd position (first, third, …): the digit n and the n-th letter have the same value. */
const oddPlaceValues = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

const oddValues = new Uint8Array(LETTER_Z + 1);
const evenValues = new Uint8Array(LETTER_Z + 1);
for (const [order, value] of oddPlaceValues.entries()) {
  oddValues[LETTER_A + order] = value;
  evenValues[LETTER_A + order] = order;
  if (DIGIT_0 + order <= DIGIT_9) {
    oddValues[DIGIT_0 + order] = value;
    evenValues[DIGIT_0 + order] = order;
  }
}

/** The Italian CIN: a letter at the beginning of the BBAN over ABI, CAB and account, which may hold letters (IT, SM). */
export const cin = characterAt(0, (bytes, bbanStart) => {
  let sum = 0;
  for (let at = bbanStart + 1; at < bbanStart + 23; at += 2)
    sum += oddValues[bytes[at]!]! + evenValues[bytes[at + 1]!]!;
  return LETTER_A + (sum % 26);
});

const bankAndBranch = { from: 0, weights: [9, 7, 3, 1, 9, 7, 3], at: 7, digits: completesTen };
const longAccount = weighted([
  bankAndBranch,
  { from: 8, weights: [9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3], at: 23, digits: completesTen },
]);
const shortAccount = weighted([
  bankAndBranch,
  { from: 8, weights: [9, 7, 3, 1, 9, 7, 3], at: 15, digits: completesTen },
]);

function hasShortHungarianAccount(bytes: Uint8Array, bbanStart: number): boolean {
  for (let at = 16; at < 24; at++) if (bytes[bbanStart + at] !== DIGIT_0) return false;
  return true;
}

/**
 * Hungary's rule: one check digit over bank and branch, one over the account.
 *
 * The account's is in the 24th place, or in the 16th where eight zeros fill up a short account. The weights
 * repeat every four digits, so one sum tests both forms; `expected` repairs the form it finds and returns the digits of
 * the 8th, 16th and 24th place, the 16th as it is in a long account.
 */
export const hungarian: CheckDigits = {
  matches: longAccount.matches,
  expected(bytes, bbanStart) {
    if (hasShortHungarianAccount(bytes, bbanStart)) return `${shortAccount.expected(bytes, bbanStart)}0`;
    const digits = longAccount.expected(bytes, bbanStart)!;
    return digits[0]! + String.fromCharCode(bytes[bbanStart + 15]!) + digits[1]!;
  },
};
