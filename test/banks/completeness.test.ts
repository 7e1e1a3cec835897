import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { words } from "../support/words.ts";
import { coverageRows } from "./coverage-rows.ts";
import { dataFolder, factsIn, factsMissing, germanEdition, rowsOf } from "./shipped.ts";

interface Fact {
  readonly country: string;
  readonly bank_code: string;
  readonly name?: string;
}

const complete = coverageRows().filter(({ completeness }) => completeness === "complete");
const countries = new Set(complete.map(({ country }) => country));
const codes = new Set([
  ...rowsOf("banks.csv").map(({ country, bank_code }) => `${country} ${bank_code}`),
  ...rowsOf("blz.csv").map(({ Bankleitzahl }) => `DE ${Bankleitzahl}`),
]);
const missingOf = (rows: readonly Fact[]) =>
  rows
    .filter(({ country }) => countries.has(country))
    .map(({ country, bank_code }) => `${country} ${bank_code}`)
    .filter((code) => !codes.has(code));

test("a list that is called complete states its date and has a bank for every code that other facts name", () => {
  assert.ok(complete.length > 10);
  for (const { country, edition } of complete) assert.ok(edition !== undefined, `${country} is undated`);
  const former = rowsOf("former-codes.csv");
  const followed = former.filter(({ successor }) => /^\d+$/.test(successor));
  const successors = followed.map(({ country, successor }) => ({ country, bank_code: successor }));
  assert.deepEqual(missingOf([...rowsOf("bank-bics.csv"), ...former, ...successors]), []);
});

test("a complete list has every living code of the collected facts", {
  skip: factsMissing,
}, () => {
  const files = words`banks.csv banks-additions.csv banks-additions-2.csv banks-corrections.csv bank-bics.csv`;
  const facts = files.flatMap((file) => factsIn<Fact>(file));
  const living = facts.filter(({ name = "" }) => !name.endsWith("(former)"));
  assert.ok(living.length > 19_000);
  assert.deepEqual(missingOf(living), []);
});

const sources = readFileSync(`${dataFolder}SOURCES.md`, "utf8");

test("every data file has a row in the table of SOURCES.md", () => {
  const files = readdirSync(dataFolder).filter((file) => /\.(csv|json)$/.test(file));
  for (const file of files) assert.ok(sources.includes(`\n| \`${file}\` |`), `${file} is not in the table`);
});

test("SOURCES.md names the edition the service reports for the German banks", () => {
  assert.ok(sources.includes(`Edition valid from ${germanEdition}`));
});
