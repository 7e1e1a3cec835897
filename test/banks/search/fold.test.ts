import assert from "node:assert/strict";
import { test } from "node:test";
import { fits, foldWord, foldWords, MAX_TEXT_WORDS } from "../../../src/banks/search/fold-words.ts";
import { pluck } from "../../support/pluck.ts";

const doesFit = (query: string, word: string): boolean => {
  const asked = foldWord(query);
  const written = foldWord(word);
  return asked.letters === written.letters && fits(asked.marks, written.marks);
};

test("an umlaut is found as written, spelled with e and as the plain vowel, ß as ss, the Turkish i with or without its dot", () => {
  for (const [written, ...queries] of [
    ["Köln", "köln", "koeln", "koln", "KÖLN", "KOELN", "Ko\u0308ln"],
    ["Koeln", "köln", "koeln", "koln", "KÖLN", "KOELN", "Ko\u0308ln"],
    ["Straße", "strasse", "straße", "STRASSE", "STRAẞE"],
    ["Strasse", "Straße"],
    ["Bankası", "bankası", "BANKASI", "bankasi"],
    // Before another vowel.
    ["Bäuerle", "Baeuerle"],
    ["Neuötting", "Neuoetting"],
    ["Höe", "Hoee"],
  ] as const) {
    for (const query of queries) assert.ok(doesFit(query, written), query);
  }
});

test("an umlaut in the query does not stand for a plain vowel, and ue behind a vowel or q is none", () => {
  for (const [query, written] of [
    ["Oldenbürg", "Oldenburg"],
    ["Oelde", "Olde"],
    ["Neunkirchen", "Neuenkirchen"],
  ] as const)
    assert.ok(!doesFit(query, written), query);
  for (const letters of ["bauer", "quelle", "treuen"])
    assert.deepEqual(foldWord(letters), { letters, marks: 0, typed: letters.length });
});

test("each beginning of a word folds to a beginning of the folded word", () => {
  for (const word of ["Königswusterhausen", "koenigswusterhausen", "Straße", "Überführung", "aaeaueoeue"]) {
    for (let length = 1; length <= word.length; length++) {
      const start = foldWord(word.slice(0, length));
      assert.ok(foldWord(word).letters.startsWith(start.letters), word.slice(0, length));
      assert.ok(fits(start.marks, foldWord(word).marks), word.slice(0, length));
    }
  }
});

test("other diacritics fall away and wide forms become plain ones", () => {
  assert.equal(foldWord("Crédit").letters, "credit");
  assert.equal(foldWord("Łódź").letters, "lodz");
  assert.deepEqual(pluck(foldWords("ＢＡＮＫ ﬁnanz İş"), "letters"), ["bank", "finanz", "is"]);
});

test("marks beyond the 31st letter are left out and never confuse", () => {
  const word = `${"x".repeat(40)}ö`;
  assert.equal(foldWord(word).marks, 0);
  assert.equal(foldWord(word).letters, `${"x".repeat(40)}o`);
});

test("a text is split at everything but letters and digits, and no more than the bound is read", () => {
  const lettersOf = (text: string) => pluck(foldWords(text), "letters").join(" ");
  assert.equal(lettersOf("M.M. Warburg & Co (N26)-Bank"), "m m warburg co n26 bank");
  assert.equal(foldWords("a ".repeat(100_000)).length, MAX_TEXT_WORDS);
  assert.deepEqual(foldWords(" -–.\u0000\u0308 \ud800"), []);
});
