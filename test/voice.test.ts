import assert from "node:assert/strict";
import { test } from "node:test";
import { userTexts } from "./user-texts.ts";

/** Phrases that nobody would say, most of them German in English words. */
const unidiomatic =
  /\b(is|are|be|was) told\b(?! apart)|\btells?\b|\bstands?\b(?! for)|\bcame to\b|\bbecomes? of\b|(?<!there )\bis no (?!longer)\w|\bheld against\b|\bso many\b|\bgives the\b|\btakes down\b|\bat the least\b|\btaken (up|away)\b|\bgoes on\b|\bwhat is refused\b/i;

for (const { name, texts } of userTexts) {
  test(`the texts of ${name} are plain English`, () => {
    assert.ok(texts.length > 5);
    assert.deepEqual(
      texts.filter(({ text }) => unidiomatic.test(text)),
      [],
    );
  });
}
