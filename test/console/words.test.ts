import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bankTexts,
  batchTexts,
  checkTexts,
  poolTexts,
  referenceTexts,
  serviceTexts,
  texts,
} from "../../src/console/words.ts";
import { checkNames } from "../../src/contract/message.ts";
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

test("every check and every reason of the service has a name in the console", () => {
  for (const language of ["en", "de"] as const) {
    assert.deepEqual(
      checkNames.filter((name) => !(name in checkTexts[language].checks)),
      [],
    );
    assert.deepEqual(
      Object.keys(reasons).filter((name) => !(name in batchTexts[language].reasons)),
      [],
    );
  }
});
