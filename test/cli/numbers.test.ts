import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { pruneEditions } from "../../src/banks/import/store.ts";
import { newForms } from "../banks/import/new-forms.ts";
import { newFolder } from "../support/folders.ts";
import { runHere } from "../support/run-here.ts";

const stateDir = newFolder();
const bankcheck = (...args: readonly string[]) => runHere(args, { STATE_DIR: stateDir });

test("an IBAN is composed at the command line, and what does not fit is reported in one line", async () => {
  const { exit, stdout } = await bankcheck(
    "compose",
    "ES",
    "2100",
    "0200051332",
    "--branch",
    "0418",
    "--offline",
  );
  assert.deepEqual([exit, stdout], [0, "ES9121000418450200051332\n"]);
  const wrong = await bankcheck("compose", "CZ", "0800", "2000145398");
  assert.deepEqual([wrong.exit, wrong.stdout, wrong.stderr.split("\n").length], [4, "", 2]);
  assert.equal((await bankcheck("compose", "XX", "1", "1")).exit, 1);
  const unproven = await bankcheck("compose", "FI", "123", "45600000786");
  assert.deepEqual([unproven.exit, unproven.stdout.slice(0, 2)], [0, "FI"]);
  assert.match(unproven.stderr, /fails the national check/);
  const british = ["compose", "GB", "NWBK", "31926818", "--branch", "601613"];
  assert.deepEqual((await bankcheck(...british)).exit, 0);
  const enforced = await runHere(british, { STATE_DIR: stateDir, OBSERVE_ACCOUNTS: "" });
  assert.deepEqual([enforced.exit, enforced.stdout], [4, ""]);
  const german = await bankcheck("compose", "FI", "123", "45600000786", "--lang", "de");
  assert.match(german.stderr, /besteht aber die nationale Prüfung nicht/);
  const refused = ["compose", "DE", "37040044", "x", "--lang", "de"];
  assert.match((await bankcheck(...refused)).stderr, /^Die Kontonummer /);
  assert.match((await bankcheck(...refused, "--json")).stderr, /^\{"error":\{"code":"invalid_request",/);
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
    const { exit, stdout, stderr } = await bankcheck("data", "import", "--force", path);
    assert.equal(exit, 0, stderr);
    return stdout;
  };
  assert.match(await stored(2099), /; in use from 2099-01-01 on\.\n$/);
  assert.match((await bankcheck("data", "stats")).stdout, /OeNB +2099-01-01 +to come /);
  for (const year of [2020, 2021, 2022, 2023, 2024]) await stored(year);
  const { stdout } = await bankcheck("data", "prune", "--keep", "2");
  assert.match(
    stdout,
    /removed oenb 2020-01-01\nremoved oenb 2021-01-01\nremoved oenb 2022-01-01\n3 removed/,
  );
  const folder = join(stateDir, "data");
  assert.deepEqual(await pruneEditions(folder, 2, "2026-11-21"), []);
  const { editions } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const left = editions.filter(({ dataset }: { dataset: string }) => dataset === "oenb");
  assert.deepEqual(left.map(({ validFrom }: { validFrom: string }) => validFrom).sort(), [
    "2023-01-01",
    "2024-01-01",
    "2099-01-01",
  ]);
  const stats = (await bankcheck("data", "stats")).stdout;
  assert.match(stats, /AT +2024-01-01 +\d+ days, old +2099-01-01 +1 +1 +complete +oenb/);
});
