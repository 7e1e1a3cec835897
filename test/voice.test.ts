import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { files, pages, root } from "./support/repository.ts";
import { userTexts } from "./user-texts.ts";

/** Phrases that no native speaker would use here, most of them German in English words. */
const unidiomatic =
  /\b(?:told|tell(?:s|ing)?|stands?(?! for)|stood|came to|comes? to|(?:holds?|held) against|whatever|nobody|by (?:itself|themselves)|(?:is|are|was|were) asked(?! (?:to|for|again|about))|gives(?! up)|gave(?! up)|goes on|so many|becomes? of|takes down|at the least|taken (?:up|away)|as (?:it|they) (?:was|were)(?! \w+(?:ed|en|t)\b)|(?<!there )(?:is|are|was|were) no (?!longer|more)\w+)\b/i;

for (const { name, texts } of userTexts) {
  test(`the texts of ${name} are plain English`, () => {
    assert.ok(texts.length > 5);
    const found = texts.filter(({ text }) => unidiomatic.test(text));
    assert.deepEqual(found, []);
  });
}

/** Identifiers that say "told" for notified or reported, "most" for max, or describe what they ask instead of naming it. */
const unidiomaticName =
  /\b(?:told|untold|nobody)\b|\b\w+Told\b|\btell[A-Z]\w*|\b(?:most|least)[A-Z]\w*|\b(?:MOST|LEAST)_\w+|\bwhyNot\w*|\blookEvery\w*/;

/** A comment, a regular expression or a text of a source file. */
const parts =
  /(?<comment>\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*)|(?<=[=(,:?&|![{;]\s*|=>\s|return\s)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/\w*|(?<text>"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/g;

const sources = files
  .filter((file) => /\.(ts|js|mjs)$/.test(file) && file !== "test/voice.test.ts")
  .map((file) => {
    const found = { comment: "", text: "" };
    const code = readFileSync(root + file, "utf8").replaceAll(parts, (...match) => {
      const { comment, text } = match.at(-1) as { comment?: string; text?: string };
      if (comment !== undefined) found.comment += `${comment}\n`;
      if (text !== undefined) found.text += `${text}\n`;
      return '""';
    });
    return { file, code, ...found };
  });

/** The lines of one part of all sources that a pattern matches, with their files. */
function linesWith(pattern: RegExp, part: "code" | "comment" | "text"): readonly string[] {
  return sources.flatMap((source) =>
    source[part]
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${source.file}: ${line.trim()}`),
  );
}

test("the parts of a source file are separated", () => {
  const source = sources.find(({ file }) => file === "test/user-texts.ts");
  assert.match(source!.comment, /An English text that users see/);
  assert.match(source!.text, /"\.\.\/src\/settings-table\.ts"/);
  assert.doesNotMatch(source!.code, /English text/);
});

test("comments are plain English", () => assert.deepEqual(linesWith(unidiomatic, "comment"), []));

test("output of the command line, log lines and test names are plain English", () => {
  assert.deepEqual(linesWith(unidiomatic, "text"), []);
});

test("names are the field's words", () => assert.deepEqual(linesWith(unidiomaticName, "code"), []));

const operatorFiles = files.filter((file) =>
  /^\.(?:deploy|github)\/.*(?:\.(?:ya?ml|cfg|conf|service|json)|Dockerfile)$/.test(file),
);

test("the pages and the files for operators are plain English", () => {
  const found = [...pages, ...operatorFiles].flatMap((page) =>
    readFileSync(root + page, "utf8")
      .replaceAll(/^```.*?^```$/gms, "")
      .split("\n")
      .filter((line) => unidiomatic.test(line))
      .map((line) => `${page}: ${line}`),
  );
  assert.deepEqual(found, []);
});
