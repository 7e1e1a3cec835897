import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bankTexts,
  batchTexts,
  checkTexts,
  dateOf,
  momentOf,
  poolTexts,
  quantity,
  referenceTexts,
  serviceTexts,
  setLanguage,
  sourceText,
} from "../../src/console/words.ts";
import { languages } from "../../src/contract/language.ts";
import { messages } from "../../src/contract/messages/messages.ts";
import { reasons } from "../../src/contract/status.ts";

const all = { bankTexts, batchTexts, checkTexts, poolTexts, referenceTexts, serviceTexts };

/** Returns what the page says in English and in German. */
function inEach<Said>(say: () => Said): Said[] {
  return languages.map((language) => {
    setLanguage(language);
    return say();
  });
}

/** The place of every text, with the parameters that it names. */
function placesOf(words: object, place = ""): string[] {
  return Object.entries(words).flatMap(([name, value]) =>
    typeof value === "string"
      ? [`${place}${name} ${(value.match(/\{\w+\}/g) ?? []).sort().join(" ")}`]
      : placesOf(value as object, `${place}${name}.`),
  );
}

test("both languages of the console have the same texts with the same parameters", () => {
  const [english, german] = inEach(() => placesOf(all));
  assert.deepEqual(german, english);
});

test("every reason of the service has a name in the console", () => {
  const nameless = Object.keys(reasons).filter((name) => !(name in batchTexts.reasons));
  assert.deepEqual(nameless, []);
});

test("the German texts say Bankleitzahl, and never its abbreviation", () => {
  const [, console] = inEach(() => JSON.stringify(all));
  const german = Object.values(messages).map(({ de }) => de);
  assert.doesNotMatch(JSON.stringify([console, german]), /\bBLZ\b/);
});

test("values, days and sources are short, in the form of the language", () => {
  const at = new Date(2026, 10, 26, 6, 5).getTime();
  const press = (edition: string | null) => sourceText({ list: "press", edition });
  for (const [say, english, german] of [
    [() => quantity(0, "perSecond"), "0/s", "0/s"],
    [() => quantity(1_234.5, "perSecond"), "1,235/s", "1.235/s"],
    [() => quantity(99_999, "perSecond"), "99,999/s", "99.999/s"],
    [() => quantity(224_249, "perSecond"), "224K/s", "224.000/s"],
    [() => quantity(7_123_456, "perSecond"), "7.12M/s", "7,12 Mio./s"],
    [() => quantity(0.175, "milliseconds"), "0.18 ms", "0,18 ms"],
    [() => quantity(12.34, "milliseconds"), "12.3 ms", "12,3 ms"],
    [() => quantity(0.256, "share"), "25.6%", "25,6 %"],
    [() => quantity(0.00612, "share"), "0.6%", "0,6 %"],
    [() => quantity(1, "share"), "100%", "100 %"],
    [() => quantity(0, "share"), "0%", "0 %"],
    [() => quantity(16, "requests"), "16", "16"],
    [() => quantity(171, "megabytes"), "171 MB", "171 MB"],
    [() => quantity(null, "milliseconds"), "–", "–"],
    [() => quantity(undefined, "share"), "–", "–"],
    [() => momentOf(at, "short"), "26/11/2026, 06:05", "26.11.26, 06:05"],
    [() => dateOf("2026-09-07"), "7 Sept 2026", "07.09.2026"],
    [() => dateOf("own data"), "own data", "own data"],
    [() => press("2025-09"), "list “press”, Sept 2025", "Liste „press“, Sept. 2025"],
    [() => press(null), "list “press”, date unknown", "Liste „press“, Datum unbekannt"],
  ] as const) {
    const said = inEach(() => say().replaceAll("\u00a0", " "));
    assert.deepEqual(said, [english, german]);
  }
});
