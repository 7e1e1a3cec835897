import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { standardUkAccount } from "../../../src/banking/national/uk-account.ts";
import { checkModulus, type ModulusTable } from "../../../src/banking/national/uk-modulus.ts";
import { readUkSubstitutionsCsv, readUkWeightsCsv } from "../../../src/banks/files/uk-weights-csv.ts";
import { dataFolder } from "../../banks/shipped.ts";
import { words } from "../../support/words.ts";
import { readVectors } from "../../vectors/read.ts";

const shipped = (file: string) => readFileSync(dataFolder + file);
const weights = shipped("uk-modulus-weights.csv");
const substitutions = readUkSubstitutionsCsv("substitutions", shipped("uk-sort-code-substitutions.csv"));
const table: ModulusTable = {
  ranges: readUkWeightsCsv("weights", weights),
  substitutes: Object.fromEntries(substitutions),
};

const vectors = readVectors("uk-modulus.ndjson");

test("every account of the vectors passes, fails or has no rule, by checks with every exception", () => {
  const exceptions = new Set<number>();
  for (const vector of vectors) {
    const { sortCode, account } = vector.standard ?? vector;
    const checked = checkModulus(table, sortCode + account);
    const result = checked === "exempt" ? "passed" : checked;
    assert.equal(result, vector.result, JSON.stringify(vector));
    for (const check of vector.checks ?? []) exceptions.add(Number(check.split("/")[1] ?? 0));
  }
  assert.ok(vectors.length > 1_800);
  assert.deepEqual(
    [...exceptions].sort((one, other) => one - other),
    Array.from({ length: 15 }, (_, exception) => exception),
  );
});

test("accounts of six to ten digits become sort code and eight digits where the bank is known", () => {
  const converted = vectors.filter(({ standard }) => standard !== undefined);
  assert.ok(converted.length >= 10, `${converted.length} accounts of another length`);
  for (const { sortCode, account, standard } of converted) {
    assert.deepEqual(standardUkAccount(sortCode, account), standard);
  }
  for (const refused of words`
    089999/12345 089999/12345678901 107999/123456789 107999/1234567890 083000/1234567890 08999/12345678
    089999/1234567x
  `) {
    const [sortCode = "", account = ""] = refused.split("/");
    assert.equal(standardUkAccount(sortCode, account), undefined, refused);
  }
});

test("exception 2 decides alone where a newer table has no second row", () => {
  const row = table.ranges.find(({ rows }) => rows[0]?.exception === 2)!.rows[0]!;
  const alone: ModulusTable = {
    ranges: [{ start: 303535, end: 303536, rows: [row] }],
    substitutes: {},
  };
  const results = Array.from({ length: 100 }, (_, account) =>
    checkModulus(alone, `303535${String(account * 7).padStart(8, "1")}`),
  );
  assert.deepEqual([...new Set(results)].sort(), ["failed", "passed"]);
});

test("a table that cannot be right is refused with line and reason", () => {
  const [head = "", first = "", ...others] = weights.toString().split("\n");
  const changed = (from: string, to: string) => [head, first.replace(from, to), ...others];
  const tables: readonly (readonly [lines: readonly string[], line: number, reason: RegExp])[] = [
    [changed("010004;016715", "016715;010004"), 2, /ends before/],
    [changed("010004", "10004"), 2, /six digits/],
    [changed(";1;", ";1;15"), 2, /exception "15"/],
    [changed(";8;7", ";x;7"), 2, /weight/],
    [[head, ...["7", "6", "5"].map((last) => first.replace(";8;7", `;8;${last}`)), ""], 2, /two rows/],
    [[head, first, first.replace("010004", "010005"), ""], 3, /overlaps another/],
  ];
  for (const [lines, line, message] of tables) {
    const content = Buffer.from(lines.join("\n"));
    assert.throws(() => readUkWeightsCsv("weights", content), { name: "DataFileError", line, message });
  }
});
