import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { dataFolder, germanEdition } from "./shipped.ts";

const sources = readFileSync(`${dataFolder}SOURCES.md`, "utf8");

test("every data file has a row in the table of SOURCES.md", () => {
  const files = readdirSync(dataFolder).filter((file) => /\.(csv|json)$/.test(file));
  for (const file of files) assert.ok(sources.includes(`\n| \`${file}\` |`), `${file} is not in the table`);
});

test("SOURCES.md names the edition the service reports for the German banks", () => {
  assert.ok(sources.includes(`Edition valid from ${germanEdition}`));
});
