import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { outcomeOf } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { correctAccount } from "../../src/suggest/correct.ts";
import { readVectors } from "../vectors/read.ts";
import { correctionsOf, filters } from "./engine.ts";

const slips = [
  { kind: "substitution", given: "DE89370400440532013001", meant: "DE89370400440532013000", positions: [21] },
  { kind: "substitution", given: "DE8937040044053201300X", meant: "DE89370400440532013000", positions: [21] },
  { kind: "substitution", given: "DE8é370400440532013000", meant: "DE89370400440532013000", positions: [3] },
  { kind: "substitution", given: "GB29N4BK60161331926819", meant: "GB29NWBK60161331926819", positions: [5] },
  { kind: "substitution", given: "DR89370400440532013000", meant: "DE89370400440532013000", positions: [1] },
  { kind: "lookalike", given: "DE8937O400440532013000", meant: "DE89370400440532013000", positions: [6] },
  {
    kind: "lookalike",
    given: "DE8937O4OO44O532O13OOO",
    meant: "DE89370400440532013000",
    positions: [6, 8, 9, 12, 16, 19, 20, 21],
  },
  { kind: "lookalike", given: "6B29NWBK60161331926819", meant: "GB29NWBK60161331926819", positions: [0] },
  {
    kind: "transposition",
    given: "DE89370400445032013000",
    meant: "DE89370400440532013000",
    positions: [12, 13],
  },
  {
    kind: "transposition",
    given: "D8E9370400440532013000",
    meant: "DE89370400440532013000",
    positions: [1, 2],
  },
  { kind: "jump", given: "DE89370400440502313000", meant: "DE89370400440532013000", positions: [14, 16] },
  { kind: "twin", given: "DE89370400550532013000", meant: "DE89370400440532013000", positions: [10, 11] },
  { kind: "doubled", given: "DE89370404440532013000", meant: "DE89370400440532013000", positions: [9] },
  { kind: "phonetic", given: "DE89370400440532030000", meant: "DE89370400440532013000", positions: [17, 18] },
  { kind: "extra", given: "DE893704004405320130000", meant: "DE89370400440532013000", positions: [19] },
  { kind: "extra", given: "DE89-370400440532013000", meant: "DE89370400440532013000", positions: [4] },
  { kind: "missing", given: "DE8937040044053201300", meant: "DE89370400440532013000", positions: [19] },
  { kind: "missing", given: "E89370400440532013000", meant: "DE89370400440532013000", positions: [0] },
  { kind: "missing", given: "89370400440532013000", meant: "DE89370400440532013000", positions: [0, 1] },
  { kind: "missing", given: "DE893704004405320130", meant: "DE89370400440532013000", positions: [20, 21] },
  { kind: "lookalike", given: "0E89370400440532013000", meant: "DE89370400440532013000", positions: [0] },
  {
    kind: "substitution",
    given: "DE00370400440532013000",
    meant: "DE89370400440532013000",
    positions: [2, 3],
  },
] as const;

for (const { kind, given, meant, positions } of slips) {
  test(`${given} is corrected: ${kind}`, () => {
    const correction = correctionsOf(given).found.find(({ iban }) => iban === meant);
    assert.ok(correction, JSON.stringify(correctionsOf(given).found));
    assert.equal(correction.kind, kind);
    assert.deepEqual(correction.positions, positions);
  });
}

test("a listed bank does not drive out the bank that is written, which may be in no list", () => {
  const { found } = correctionsOf("CH9300762011623852958");
  assert.ok(found.some(({ iban, bank }) => iban === "CH9300762011623852957" && bank < 0));
  assert.ok(found[0]!.bank >= 0, "a known bank comes first");
});

test("two digits in the wrong order are likelier than a digit that repeats its neighbour", () => {
  const { found } = correctionsOf("CH9300762011628352957");
  assert.deepEqual(
    found.slice(0, 2).map(({ iban, kind }) => [iban, kind]),
    [
      ["CH9300762011623852957", "transposition"],
      ["CH9307762011628352957", "doubled"],
    ],
  );
});

test("no more than one slip is undone, and a text far from any IBAN has no corrections", () => {
  for (const text of [
    "",
    "DE",
    "NOT AN IBAN",
    "ZZ89370400440532013000",
    "DE".padEnd(5_000, "0"),
    "\u0000\u00ff".repeat(9),
  ]) {
    assert.deepEqual(correctionsOf(text), { counts: { iso: 0, national: 0, all: 0 }, found: [] });
  }
  const twoWrongDigits = correctionsOf("DE89370400441532013001").found.map(({ iban }) => iban);
  assert.ok(!twoWrongDigits.includes("DE89370400440532013000"));
});

test("what fails the national digits, the German account or the German bank code is left out", () => {
  const spain = correctionsOf("ES9121000418450200051333");
  assert.ok(spain.counts.iso > spain.counts.national, JSON.stringify(spain.counts));
  const germany = correctionsOf("DE89370400440532013001");
  assert.ok(germany.counts.national > germany.counts.all, JSON.stringify(germany.counts));
});

test("a bank that is not in an incomplete directory is kept where no candidate's bank is known", () => {
  const unknown = correctionsOf("FK88SC123456789013").found;
  assert.ok(unknown.some(({ bank }) => bank < 0) && unknown.every(({ bank }) => bank < 0));
});

test("account number and bank code are corrected where one slip explains them, the likeliest first", () => {
  const corrections = (kontonummer: string, blz: string) =>
    correctAccount(kontonummer, blz, filters).map(
      (one) => `${one.kontonummer} ${one.blz} ${one.field} ${one.kind} ${one.positions.join()}`,
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
const damaged = fc
  .tuple(
    fc.constantFrom(...ibanCountries.map(({ example }) => example)),
    fc.nat({ max: 33 }),
    fc.nat({ max: 3 }),
    fc.array(characters, { maxLength: 3 }),
  )
  .map(([example, at, gone, put]) => example.slice(0, at) + put.join("") + example.slice(at + gone));

test("every correction is another valid IBAN, found once, the likeliest first, with the positions that change", () => {
  fc.assert(
    fc.property(damaged, (given) => {
      const { counts, found } = correctionsOf(given);
      assert.equal(new Set(found.map(({ iban }) => iban)).size, found.length);
      assert.ok(
        counts.iso >= counts.national && counts.national >= counts.all && counts.all === found.length,
      );
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
    const ibans = correctionsOf(given).found.map(({ iban }) => iban);
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

test("a British account that fails the modulus check of its sort code is left out", () => {
  const { counts, found } = correctionsOf("GB29NWBK60161331926818");
  assert.ok(counts.national > counts.all, JSON.stringify(counts));
  assert.ok(found.some(({ iban }) => iban === "GB29NWBK60161331926819"));
});
