import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cin,
  hungarian,
  iso7064Key,
  keyAt,
  luhnAt,
  mod11And10,
  norwegian,
  ribKey,
  ribKeyWithLetters,
} from "../../../src/banking/national/algorithms.ts";
import {
  type CheckDigits,
  completesEleven,
  completesElevenTenAsOne,
  weighted,
} from "../../../src/banking/national/weighted.ts";
import { asciiBytes } from "../iban/bytes.ts";

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** All numbers that a check accepts of those with a digit or a letter in each place of `?`. */
function accepted(check: CheckDigits, number: string): string[] {
  if (!number.includes("?")) return check.matches(asciiBytes(number, 3), 3) ? [number] : [];
  const characters = number.startsWith("?") ? letters : [..."0123456789"];
  return characters.flatMap((character) => accepted(check, number.replace("?", character)));
}

const eleven = { from: 0, weights: [1], at: 1, digits: completesEleven } as const;
const oneDigit = weighted([eleven]);
const twoDigits = weighted([eleven, { from: 2, weights: [1], at: 3, digits: completesElevenTenAsOne }]);

const span = (start: number, length: number) => ({ start, length });

const promises: Readonly<
  Record<string, readonly (readonly [CheckDigits, number: string, expected: string | null, also?: string])[]>
> = {
  "Luhn's formula accepts one of ten last digits, doubling from the right": [
    [luhnAt(13), "1234560000078?", "5"],
    [luhnAt(10), "7992739871?", "3"],
    [luhnAt(1), "0?", "0"],
  ],
  // The first is the standard's own example.
  "ISO 7064 MOD 11,10 accepts one of ten last digits in each part": [
    [mod11And10([span(0, 5)]), "0794?", "5"],
    [mod11And10([span(0, 7), span(7, 10)]), "100100?186300016?", "50"],
  ],
  "the CIN accepts one of 26 letters": [[cin, "?0542811101000000123456", "X"]],
  "in Norway either rule is enough with 00 as fifth and sixth digit, else only the one over all ten": [
    [norwegian, "1503000002?", "9", "7"],
    [norwegian, "8601111794?", "7"],
    [norwegian, "1503010002?", "3"],
    [norwegian, "1503100002?", "2"],
    // The rule over all digits has none.
    [norwegian, "0006000000?", "0"],
    [norwegian, "8601110005?", null],
    [norwegian, "0000000006?", null],
  ],
  "a remainder without a digit has no right number": [
    [oneDigit, "1?", null],
    [oneDigit, "0?", "0"],
    [oneDigit, "2?", "9"],
  ],
  "one impossible digit of two makes both impossible": [
    [twoDigits, "1?1?", null],
    [twoDigits, "2?1?", "91"],
  ],
};

for (const [promise, rows] of Object.entries(promises)) {
  test(promise, () => {
    for (const [check, number, expected, also] of rows) {
      const filled = (digits: string) =>
        [...digits].reduce((text, digit) => text.replace("?", digit), number);
      const right = [also, expected].filter((digits) => typeof digits === "string").map(filled);
      assert.deepEqual(accepted(check, number), right, number);
      const bytes = asciiBytes(number.replaceAll("?", number.startsWith("?") ? "A" : "0"), 1);
      assert.equal(check.expected(bytes, 1), expected, number);
    }
  });
}

test("in Hungary a short account is repaired in the 16th place, a long one in the 24th; the other digit stays", () => {
  for (const [number, right, expected] of [
    ["1177301?1111101?00000000", "117730161111101800000000", "680"],
    ["1177301?111110111111111?", "117730161111101111111118", "618"],
  ] as const) {
    assert.deepEqual(accepted(hungarian, number), [right]);
    for (const digit of "08") {
      const written = number.replaceAll("?", digit);
      assert.equal(hungarian.expected(asciiBytes(written, 4), 4), expected, written);
    }
  }
});

test("the CIN counts every digit and letter by the place it is in", () => {
  // Alone in an otherwise zero number, a character shifts the letter by what its place makes it count.
  const zero = "0".repeat(22);
  const letterOf = (bban: string) => letters.indexOf(cin.expected(asciiBytes(`A${bban}`), 0)!);
  const base = letterOf(zero);
  assert.equal(base, 11);
  const shift = (bban: string) => (letterOf(bban) - base + 26) % 26;
  assert.deepEqual(
    letters.map((letter) => shift(`0${letter}${zero.slice(2)}`)),
    letters.map((_, index) => index),
  );
  const specified = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
  ];
  const odd = (character: string) => (shift(character + zero.slice(1)) + 1) % 26;
  assert.deepEqual(letters.map(odd), specified);
  assert.deepEqual([..."0123456789"].map(odd), specified.slice(0, 10));
});

test("of all pairs only the key is right: of ISO 7064 it makes the number leave 1, of a RIB divisible by 97", () => {
  for (const [keyOf, remainder, least, greatest] of [
    [iso7064Key, 1n, 2, 98],
    [ribKey, 0n, 1, 97],
    [ribKeyWithLetters, 0n, 1, 97],
  ] as const) {
    const check = keyAt(21, keyOf);
    const seen = new Set<number>();
    for (let number = 0; number < 1_000; number++) {
      const body = String(number * 7_919).padStart(21, "0");
      const key = check.expected(asciiBytes(`${body}00`), 0)!;
      assert.equal(BigInt(body + key) % 97n, remainder);
      assert.deepEqual(accepted(check, `${body}??`), [body + key]);
      seen.add(Number(key));
    }
    assert.deepEqual([Math.min(...seen), Math.max(...seen)], [least, greatest]);
  }
});

test("the French key equals the published formula over bank, branch and account", () => {
  const digitOf = (letter: string) => "12345678912345678923456789"[letters.indexOf(letter)]!;
  const accounts = ["0500013M026", "ABCDEFGHIJK", "LMNOPQRSTUV", "WXYZ0123456", "99999999999", "00000000000"];
  for (const account of accounts) {
    for (const bank of ["20041", "30004", "99999", "00000"]) {
      const digits = `${bank}01005${account.replaceAll(/[A-Z]/g, digitOf)}`;
      const [first, branch, last] = [digits.slice(0, 5), digits.slice(5, 10), digits.slice(10)].map(BigInt);
      const expected = 97 - Number((89n * first! + 15n * branch! + 3n * last!) % 97n);
      const rib = `${bank}01005${account}`;
      assert.equal(ribKeyWithLetters(asciiBytes(rib, 2), 2, 21), expected, rib);
    }
  }
});
