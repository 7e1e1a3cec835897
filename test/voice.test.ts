import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { userTexts } from "./user-texts.ts";

/** Phrases that no native speaker would use, most of them German in English words. */
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

/** Identifiers that say "told" for notified or reported, "most" for max, or describe what they ask instead of naming it. */
const unidiomaticName =
  /\b(?:told|untold)\b|\b\w+Told\b|\btell[A-Z]\w*|\b(?:most|least)[A-Z]\w*|\b(?:MOST|LEAST)_\w+|\bwhyNot\w*|\blookEvery\w*|\btoldAlready\b/;

/** Rooms whose identifiers follow the rule. */
const namedRooms = readdirSync(fileURLToPath(new URL("../src", import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** A file without its comments and texts. */
function codeOf(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, '""');
}

for (const room of namedRooms) {
  test(`names in src/${room} are the field's words`, () => {
    const folder = fileURLToPath(new URL(`../src/${room}`, import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    assert.ok(files.length > 2);
    const found = files.flatMap((file) => {
      const code = codeOf(readFileSync(join(folder, file), "utf8"));
      return code
        .split("\n")
        .filter((line) => unidiomaticName.test(line))
        .map((line) => `${file}: ${line.trim()}`);
    });
    assert.deepEqual(found, []);
  });
}
