import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { pruneEditions } from "../../src/banks/import/store.ts";
import { newForms } from "../banks/import/new-forms.ts";
import { newFolder } from "../support/folders.ts";
import { pluck } from "../support/pluck.ts";
import { runHere } from "../support/run-here.ts";
import { expectEnd } from "./expect-end.ts";

const stateDir = newFolder();
const bankcheck = (...args: readonly string[]) => runHere(args, { STATE_DIR: stateDir });

test("an IBAN is composed at the command line, and what does not fit is reported in one line", async () => {
  for (const [args, code, prints, says, variables = {}] of [
    ["ES 2100 0200051332 --branch 0418 --offline", 0, /^ES9121000418450200051332\n$/, /^$/],
    ["CZ 0800 2000145398", 4, /^$/, /^[^\n]+\n$/],
    ["XX 1 1", 1, /^$/, /^[^\n]+\n$/],
    ["FI 123 45600000786", 0, /^FI/, /fails the national check/],
    ["FI 123 45600000786 --lang de", 0, /^FI/, /besteht aber die nationale Prüfung nicht/],
    ["GB NWBK 31926818 --branch 601613", 0, /^GB/, ""],
    ["GB NWBK 31926818 --branch 601613", 4, /^$/, "", { OBSERVE_ACCOUNTS: "" }],
    ["DE 37040044 x --lang de", 1, /^$/, /^Die Kontonummer /],
    ["DE 37040044 x --lang de --json", 1, /^$/, /^\{"error":\{"code":"invalid_request",/],
  ] as const) {
    const run = runHere(["compose", ...args.split(" ")], { STATE_DIR: stateDir, ...variables });
    assert.match((await expectEnd(run, code, says)).stdout, prints, args);
  }
});

test("test numbers are the same for the same seed, as many as asked, of one country or of all", async () => {
  const made = async (...args: readonly string[]) =>
    (await bankcheck("sample", ...args)).stdout.trimEnd().split("\n");
  const first = await made("-n", "300");
  assert.deepEqual([first.length, first[0]], [301, "iban,bic,bank,genuine"]);
  assert.equal(new Set(first.slice(1).map((line) => line.slice(0, 2))).size, ibanCountries.length);
  assert.deepEqual(await made("-n", "300"), first);
  const german = await made("-n", "5", "--country", "de", "--seed", "x", "--offline");
  assert.ok(german.slice(1).every((line) => /^DE\d{20},.*,false$/.test(line)));
});

test("old editions are pruned, none that is in use or to come; the lists are reported with their age", async () => {
  const { name, content } = newForms.find(({ dataset }) => dataset === "oenb")!;
  const path = join(stateDir, name);
  const stored = async (year: number) => {
    const text = content.toString("latin1").replace("20.11.2026", `01.01.${year}`);
    writeFileSync(path, Buffer.from(text, "latin1"));
    return (await expectEnd(bankcheck("data", "import", "--force", path), 0)).stdout;
  };
  assert.match(await stored(2099), /; in use from 2099-01-01 on\.\n$/);
  assert.match((await bankcheck("data", "stats")).stdout, /OeNB +2099-01-01 +to come /);
  for (const year of [2020, 2021, 2022, 2023, 2024]) await stored(year);
  const { stdout } = await bankcheck("data", "prune", "--keep", "2");
  const removed = /removed oenb 2020-01-01\nremoved oenb 2021-01-01\nremoved oenb 2022-01-01\n3 removed/;
  assert.match(stdout, removed);
  const folder = join(stateDir, "data");
  assert.deepEqual(await pruneEditions(folder, 2, "2026-11-21"), []);
  const { editions } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const left = (editions as Record<string, string>[]).filter(({ dataset }) => dataset === "oenb");
  assert.deepEqual(pluck(left, "validFrom").toSorted(), ["2023-01-01", "2024-01-01", "2099-01-01"]);
  const stats = (await bankcheck("data", "stats")).stdout;
  assert.match(stats, /AT +2024-01-01 +\d+ days, old +2099-01-01 +1 +1 +complete +oenb/);
});
