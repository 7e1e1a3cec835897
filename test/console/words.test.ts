import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bankTexts,
  batchTexts,
  checkTexts,
  dateOf,
  Numbers,
  poolTexts,
  referenceTexts,
  serviceTexts,
  sourceText,
  texts,
} from "../../src/console/words.ts";
import { messages } from "../../src/contract/messages/messages.ts";
import { reasons } from "../../src/contract/status.ts";

const all = { texts, bankTexts, batchTexts, checkTexts, poolTexts, referenceTexts, serviceTexts };

/** The place of every text, with the parameters that it names. */
function placesOf(words: object, place = ""): string[] {
  return Object.entries(words).flatMap(([name, value]) =>
    typeof value === "string"
      ? [`${place}${name} ${(value.match(/\{\w+\}/g) ?? []).sort().join(" ")}`]
      : placesOf(value as object, `${place}${name}.`),
  );
}

test("both languages of the console have the same texts with the same parameters", () => {
  for (const [name, { en, de }] of Object.entries(all))
    assert.deepEqual(placesOf(de).sort(), placesOf(en).sort(), name);
});

test("every reason of the service has a name in the console", () => {
  for (const language of ["en", "de"] as const) {
    assert.deepEqual(
      Object.keys(reasons).filter((name) => !(name in batchTexts[language].reasons)),
      [],
    );
  }
});

test("both languages use the words that people know, and one word for a thing", () => {
  for (const [text, words] of [
    [poolTexts.en.limits.idle, "Idle: no requests."],
    [poolTexts.de.limits.idle, "Keine Anfragen."],
    [poolTexts.en.limits.workers, "all workers are busy, {workers} of the time."],
    [poolTexts.en.waitP99, "time in queue, p99"],
    [checkTexts.en.checkAnyway, "Check anyway"],
    [checkTexts.en.longerGerman, "{have} characters; German IBANs have {length} characters."],
    [checkTexts.de.suggestions, "Meinten Sie …?"],
    [batchTexts.en.quotes, "The quotation marks are unbalanced, so the rows cannot be separated."],
    [texts.de.batch, "Sammelprüfung"],
  ])
    assert.equal(text, words);
  const german = [...Object.values(all), ...Object.values(messages)].map(({ de }) => de);
  assert.doesNotMatch(JSON.stringify(german), /\bBLZ\b/, "Bankleitzahl");
});

const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("values are short, with their unit, in the form of the language", () => {
  const [english, german] = [new Numbers("en"), new Numbers("de")];
  for (const [value, unit, inEnglish, inGerman] of [
    [0, "perSecond", "0/s", "0/s"],
    [1_234.5, "perSecond", "1,235/s", "1.235/s"],
    [99_999, "perSecond", "99,999/s", "99.999/s"],
    [224_249, "perSecond", "224K/s", "224.000/s"],
    [7_123_456, "perSecond", "7.12M/s", "7,12 Mio./s"],
    [0.175, "milliseconds", "0.18 ms", "0,18 ms"],
    [12.34, "milliseconds", "12.3 ms", "12,3 ms"],
    [0.256, "share", "25.6%", "25,6 %"],
    [0.00612, "share", "0.6%", "0,6 %"],
    [1, "share", "100%", "100 %"],
    [0, "share", "0%", "0 %"],
    [16, "requests", "16", "16"],
    [171, "megabytes", "171 MB", "171 MB"],
    [null, "milliseconds", "–", "–"],
    [undefined, "share", "–", "–"],
  ] as const) {
    assert.equal(plain(english.value(value, unit)), inEnglish);
    assert.equal(plain(german.value(value, unit)), inGerman);
  }
});

test("a moment is a day and a time", () => {
  const at = new Date(2026, 10, 26, 6, 5).getTime() / 1_000;
  assert.equal(new Numbers("en").moment(at), "26/11/2026, 06:05");
  assert.equal(new Numbers("de").moment(at), "26.11.26, 06:05");
});

test("an edition's day is reported as a date, anything else as it is", () => {
  assert.equal(dateOf("2026-09-07", "en"), "7 Sept 2026");
  assert.equal(dateOf("2026-09-07", "de"), "07.09.2026");
  assert.equal(dateOf("own data", "en"), "own data");
});

test("the list that names a bank is said with its date, and an unknown date is said too", () => {
  for (const [edition, english, german] of [
    ["2025-09", "list “press”, Sept 2025", "Liste „press“, Sept. 2025"],
    [null, "list “press”, date unknown", "Liste „press“, Datum unbekannt"],
  ] as const) {
    assert.equal(sourceText({ list: "press", edition }, "en"), english);
    assert.equal(sourceText({ list: "press", edition }, "de"), german);
  }
});
