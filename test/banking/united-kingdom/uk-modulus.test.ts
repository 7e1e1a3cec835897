import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { standardUkAccount } from "../../../src/banking/national/uk-account.ts";
import { checkModulus, type ModulusTable } from "../../../src/banking/national/uk-modulus.ts";
import { readUkSubstitutionsCsv, readUkWeightsCsv } from "../../../src/banks/files/uk-weights-csv.ts";
import { dataFolder } from "../../banks/shipped.ts";
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
  for (const [sortCode, account] of [
    ["089999", "12345"],
    ["089999", "12345678901"],
    ["107999", "123456789"],
    ["107999", "1234567890"],
    ["083000", "1234567890"],
    ["08999", "12345678"],
    ["089999", "1234567x"],
  ] as const) {
    assert.equal(standardUkAccount(sortCode, account), undefined, `${sortCode} ${account}`);
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
  const lines = weights.toString().split("\n");
  const changed = (line: number, from: string, to: string) =>
    Buffer.from(lines.map((text, at) => (at === line - 1 ? text.replace(from, to) : text)).join("\n"));
  for (const [content, line, reason] of [
    [changed(2, "010004;016715", "016715;010004"), 2, /ends before/],
    [changed(2, "010004", "10004"), 2, /six digits/],
    [changed(2, ";1;", ";1;15"), 2, /exception "15"/],
    [changed(2, ";8;7", ";x;7"), 2, /weight/],
    [
      Buffer.from(
        [lines[0], ...["7", "6", "5"].map((last) => lines[1]!.replace(";8;7", `;8;${last}`)), ""].join("\n"),
      ),
      2,
      /two rows/,
    ],
    [
      Buffer.from([lines[0], lines[1], lines[1]!.replace("010004", "010005"), ""].join("\n")),
      3,
      /overlaps another/,
    ],
  ] as const) {
    assert.throws(() => readUkWeightsCsv("weights", content), {
      name: "DataFileError",
      line,
      message: reason,
    });
  }
});
