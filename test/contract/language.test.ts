import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf, qualitiesIn } from "../../src/contract/language.ts";

const preferred: Readonly<Record<string, string>> = {
  "": "en",
  de: "de",
  "de-AT": "de",
  "DE-de,en;q=0.5": "de",
  "en-GB,en;q=0.9,de;q=0.8": "en",
  "fr,de;q=0.4": "de",
  "fr-CH, de;q=0.9, en;q=0.8": "de",
  "de;q=0.1,en;q=0.2": "en",
  "de;q=0": "en",
  "*": "en",
  "*;q=0.1,de": "de",
  "*;q=0.5,de;q=0.3": "en",
  "de;level=1;q=0.7": "de",
  fr: "en",
  "deu,;q=,=,de;q=x": "en",
};

test("Accept-Language decides by weight, then by order; what is not spoken counts as not asked for", () => {
  for (const [header, language] of Object.entries(preferred)) {
    assert.equal(languageOf("", header), language, header);
    assert.equal(languageOf("explain=1", header), language, header);
  }
});

test("lang in the query wins over the header where it names a language", () => {
  assert.equal(languageOf("lang=de", "en"), "de");
  assert.equal(languageOf("explain=1&lang=en", "de"), "en");
  assert.equal(languageOf("lang=fr", "de"), "de");
  assert.equal(languageOf("xlang=en&slang=en", "de"), "de");
});

test("of a header that is longer than any browser's the beginning counts", () => {
  assert.equal(languageOf("", `de,${"x,".repeat(8_000)}en`), "de");
  assert.equal(languageOf("", `${"x,".repeat(8_000)}de`), "en");
  assert.ok(qualitiesIn("x,".repeat(8_000)).length < 300, "so too of other preferences");
});

test("any number of different headers is read in bounded memory", () => {
  for (let number = 0; number < 2_000; number++) assert.equal(languageOf("", `x${number},de`), "de");
});
