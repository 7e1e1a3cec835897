import assert from "node:assert/strict";
import { test } from "node:test";
import { exitCodes } from "../src/cli/exit-codes.ts";
import { batchTexts } from "../src/console/batch/words.ts";
import { checkTexts } from "../src/console/check/words.ts";
import { poolWords } from "../src/console/pool/words.ts";
import { serviceTexts } from "../src/console/service/words.ts";
import { texts } from "../src/console/words.ts";
import { messages } from "../src/contract/messages.ts";
import { openApiDocument } from "../src/contract/openapi/document.ts";
import { reasons } from "../src/contract/reasons.ts";
import { metricsTable } from "../src/metrics/metrics-table.ts";
import { settingsTable } from "../src/settings.ts";

/** Phrases that nobody would say, most of them German in English words. */
const unidiomatic =
  /\b(is|are|be|was) told\b(?! apart)|\btells?\b|\bstands?\b(?! for)|\bcame to\b|\bbecomes? of\b|(?<!there )\bis no (?!longer)\w|\bheld against\b|\bso many\b|\bgives the\b|\btakes down\b|\bat the least\b|\btaken (up|away)\b|\bgoes on\b|\bwhat is refused\b/i;

/** Every text in a table or document, with the path to it. */
function textsIn(value: unknown, path: string): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${path}.${name}`));
}

const tables = {
  messages,
  reasons,
  settingsTable,
  metricsTable,
  exitCodes,
  openApi: openApiDocument(),
  console: [texts.en, checkTexts.en, batchTexts.en, poolWords.en, serviceTexts.en],
};

for (const [name, table] of Object.entries(tables)) {
  test(`the texts of ${name} are plain English`, () => {
    const found = textsIn(table, name).filter(
      ([path, text]) => !path.endsWith(".de") && unidiomatic.test(text),
    );
    assert.deepEqual(found, []);
  });
}
