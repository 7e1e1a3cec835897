import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { outcomeOf } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { correctAccount } from "../../src/suggest/correct.ts";
import { pluck } from "../support/pluck.ts";
import { readVectors } from "../vectors/read.ts";
import { correctionsOf, filters } from "./engine.ts";

const german = "DE89370400440532013000";
const british = "GB29NWBK60161331926819";

/** A slip, what it made of an IBAN, the IBAN, and the positions that its correction changes. */
const slips = [
  ["substitution", "DE89370400440532013001", german, [21]],
  ["substitution", "DE8937040044053201300X", german, [21]],
  ["substitution", "DE8é370400440532013000", german, [3]],
  ["substitution", "GB29N4BK60161331926819", british, [5]],
  ["substitution", "DR89370400440532013000", german, [1]],
  ["lookalike", "DE8937O400440532013000", german, [6]],
  ["lookalike", "DE8937O4OO44O532O13OOO", german, [6, 8, 9, 12, 16, 19, 20, 21]],
  ["lookalike", "6B29NWBK60161331926819", british, [0]],
  ["transposition", "DE89370400445032013000", german, [12, 13]],
  ["transposition", "D8E9370400440532013000", german, [1, 2]],
  ["jump", "DE89370400440502313000", german, [14, 16]],
  ["twin", "DE89370400550532013000", german, [10, 11]],
  ["doubled", "DE89370404440532013000", german, [9]],
  ["phonetic", "DE89370400440532030000", german, [17, 18]],
  ["extra", "DE893704004405320130000", german, [19]],
  ["extra", "DE89-370400440532013000", german, [4]],
  ["missing", "DE8937040044053201300", german, [19]],
  ["missing", "E89370400440532013000", german, [0]],
  ["missing", "89370400440532013000", german, [0, 1]],
  ["missing", "DE893704004405320130", german, [20, 21]],
  ["lookalike", "0E89370400440532013000", german, [0]],
  ["substitution", "DE00370400440532013000", german, [2, 3]],
] as const;

for (const [kind, given, meant, positions] of slips) {
  test(`${given} is corrected: ${kind}`, () => {
    const correction = correctionsOf(given).found.find(({ iban }) => iban === meant);
    assert.deepEqual([correction?.kind, correction?.positions], [kind, positions]);
  });
}

test("a listed bank does not drive out the bank that is written, which may be in no list", () => {
  const { found } = correctionsOf("CH9300762011623852958");
  assert.ok(found.some(({ iban, bank }) => iban === "CH9300762011623852957" && bank < 0));
  assert.ok(found[0]!.bank >= 0, "a known bank comes first");
});

test("two digits in the wrong order are likelier than a digit that repeats its neighbour", () => {
  const [first, second] = correctionsOf("CH9300762011628352957").found;
  assert.deepEqual([first?.iban, first?.kind], ["CH9300762011623852957", "transposition"]);
  assert.deepEqual([second?.iban, second?.kind], ["CH9307762011628352957", "doubled"]);
});

test("no more than one slip is undone, and a text far from any IBAN has no corrections", () => {
  const far = ["", "DE", "NOT AN IBAN", "ZZ89370400440532013000"];
  for (const text of [...far, "DE".padEnd(5_000, "0"), "\u0000\u00ff".repeat(9)])
    assert.deepEqual(correctionsOf(text), { counts: { iso: 0, national: 0, all: 0 }, found: [] });
  const twoWrongDigits = correctionsOf("DE89370400441532013001").found;
  assert.ok(!pluck(twoWrongDigits, "iban").includes(german));
});

test("what fails the national digits, the German or British account, or the German bank code is left out", () => {
  const spain = correctionsOf("ES9121000418450200051333");
  assert.ok(spain.counts.iso > spain.counts.national, JSON.stringify(spain.counts));
  for (const [given, meant] of [
    ["DE89370400440532013001", german],
    ["GB29NWBK60161331926818", british],
  ] as const) {
    const { counts, found } = correctionsOf(given);
    assert.ok(counts.national > counts.all, JSON.stringify(counts));
    assert.ok(pluck(found, "iban").includes(meant));
  }
});

test("a bank that is not in an incomplete directory is kept where no candidate's bank is known", () => {
  const unknown = correctionsOf("FK88SC123456789013").found;
  assert.ok(unknown.some(({ bank }) => bank < 0) && unknown.every(({ bank }) => bank < 0));
});

test("account number and bank code are corrected where one slip explains them, the likeliest first", () => {
  const corrections = (kontonummer: string, blz: string) =>
    correctAccount(kontonummer, blz, filters).map(
      (one) => `${one.kontonummer} ${one.bankleitzahl} ${one.field} ${one.kind} ${one.positions.join()}`,
    );
  for (const [given, ...expected] of [
    ["37040044 532013000", "532013000 37040044 both swapped "],
    [
      "532013000 37040045",
      "532013000 37040044 bankleitzahl substitution 7",
      "532013000 37040048 bankleitzahl substitution 7",
    ],
    ["532013000 37004044", "532013000 37040044 bankleitzahl transposition 3,4"],
    [
      "532013000 3704004",
      "532013000 37040044 bankleitzahl missing 6",
      "532013000 37040048 bankleitzahl missing 7",
    ],
    ["532013000 370400444", "532013000 37040044 bankleitzahl extra 6"],
    ["53201300 3704004"],
    ["12345678901 37040044"],
  ] as const) {
    const [kontonummer, blz] = given.split(" ") as [string, string];
    assert.deepEqual(corrections(kontonummer, blz), expected, given);
  }
  const ofAccount = corrections("532013100", "37040044");
  assert.deepEqual(ofAccount.slice(0, 3), [
    "523013100 37040044 kontonummer transposition 1,2",
    "532013010 37040044 kontonummer transposition 6,7",
    "032013100 37040044 kontonummer substitution 0",
  ]);
  // A digit too many or too few in an account number is not looked for: account numbers have no fixed length.
  assert.ok(ofAccount.every((text) => text.indexOf(" ") === 9));
});

const characters = fc.constantFrom(..."0123456789ABCDEGIOSZ-é");
const examples = fc.constantFrom(...pluck(ibanCountries, "example"));
const damaged = fc
  .tuple(examples, fc.nat({ max: 33 }), fc.nat({ max: 3 }), fc.array(characters, { maxLength: 3 }))
  .map(([example, at, gone, put]) => example.slice(0, at) + put.join("") + example.slice(at + gone));

test("every correction is another valid IBAN, found once, the likeliest first, with the positions that change", () => {
  fc.assert(
    fc.property(damaged, (given) => {
      const { counts, found } = correctionsOf(given);
      assert.equal(new Set(pluck(found, "iban")).size, found.length);
      assert.equal(counts.all, found.length);
      assert.ok(counts.iso >= counts.national && counts.national >= counts.all);
      for (const { iban, kind, positions } of found) {
        assert.equal(outcomeOf(checkForm(iban)), "valid", iban);
        const lost = kind === "extra" ? 1 : kind === "missing" ? -positions.length : 0;
        assert.equal(iban.length, given.length - lost);
        const rest = (text: string, without: readonly number[]) =>
          [...text].filter((_, at) => !without.includes(at)).join("");
        const unchanged = kind === "missing" ? given : rest(given, positions);
        assert.equal(kind === "extra" ? iban : rest(iban, positions), unchanged, `${given} ${iban} ${kind}`);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("the right correction is found, is the only one, and ranks first as often as required", () => {
  const vectors = readVectors("corrections.ndjson");
  const ranks = vectors.map(({ given, meant }) => {
    const ibans = pluck(correctionsOf(given).found, "iban");
    return { rank: ibans.indexOf(meant), count: ibans.length };
  });
  const share = (test: (result: { rank: number; count: number }) => boolean) =>
    (100 * ranks.filter(test).length) / ranks.length;
  assert.ok(share(({ rank }) => rank >= 0) >= 99.5);
  // Where the bank that is written is in no list, a correction at another bank is never the only one.
  assert.ok(share(({ rank, count }) => rank === 0 && count === 1) >= 57);
  assert.ok(share(({ rank, count }) => rank < 0 && count === 1) <= 0.2);
  assert.ok(share(({ rank }) => rank === 0) >= 78);
  assert.ok(share(({ rank }) => rank >= 0 && rank < 3) >= 95.5);
  assert.ok(ranks.reduce((sum, { count }) => sum + count, 0) / ranks.length <= 1.9);
});
