import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { pruneEditions } from "../../src/banks/import/store.ts";
import { newForms } from "../banks/import/new-forms.ts";
import { bankcheck, bankcheckHere } from "./command.ts";

const stateDir = mkdtempSync(join(tmpdir(), "bankcheck-numbers-"));
after(() => rmSync(stateDir, { recursive: true, force: true }));

test("an IBAN is composed at the command line, and what does not fit is reported in one line", async () => {
  const { status, stdout } = bankcheck(stateDir, "compose", "ES", "2100", "0200051332", "--branch", "0418");
  assert.deepEqual([status, stdout], [0, "ES9121000418450200051332\n"]);
  const wrong = await bankcheckHere(stateDir, "compose", "CZ", "0800", "2000145398");
  assert.deepEqual([wrong.status, wrong.stdout, wrong.stderr.split("\n").length], [4, "", 2]);
  assert.equal((await bankcheckHere(stateDir, "compose", "XX", "1", "1")).status, 1);
  const unproven = await bankcheckHere(stateDir, "compose", "FI", "123", "45600000786");
  assert.deepEqual([unproven.status, unproven.stdout.slice(0, 2)], [0, "FI"]);
  assert.match(unproven.stderr, /fails the national check/);
});

test("test numbers are the same for the same seed, as many as asked, of one country or of all", async () => {
  const made = async (...args: readonly string[]) =>
    (await bankcheckHere(stateDir, "sample", ...args)).stdout.trimEnd().split("\n");
  const first = bankcheck(stateDir, "sample", "-n", "300").stdout.trimEnd().split("\n");
  assert.deepEqual([first.length, first[0]], [301, "iban,bic,bank,genuine"]);
  assert.equal(new Set(first.slice(1).map((line) => line.slice(0, 2))).size, ibanCountries.length);
  assert.deepEqual(await made("-n", "300"), first);
  const german = await made("-n", "5", "--country", "de", "--seed", "x");
  assert.ok(german.slice(1).every((line) => /^DE\d{20},.*,false$/.test(line)));
});

test("old editions are pruned, none that is in use or to come; the lists are reported with their age", async () => {
  const { name, content } = newForms.find(({ dataset }) => dataset === "oenb")!;
  const path = join(stateDir, name);
  for (const day of ["01.01.2020", "01.01.2021", "01.01.2022", "01.01.2023", "01.01.2024", "01.01.2099"]) {
    writeFileSync(path, Buffer.from(content.toString("latin1").replace("20.11.2026", day), "latin1"));
    const { status, stderr } = await bankcheckHere(stateDir, "data", "import", "--force", path);
    assert.equal(status, 0, stderr);
  }
  const { stdout } = await bankcheckHere(stateDir, "data", "prune", "--keep", "2");
  assert.match(
    stdout,
    /removed oenb 2020-01-01\nremoved oenb 2021-01-01\nremoved oenb 2022-01-01\n3 removed/,
  );
  const folder = join(stateDir, "data");
  assert.deepEqual(await pruneEditions(folder, 2, "2026-11-21"), []);
  const { editions } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const left = editions.filter(({ dataset }: { dataset: string }) => dataset === "oenb");
  assert.deepEqual(
    left.map(({ validFrom }: { validFrom: string }) => validFrom),
    ["2023-01-01", "2024-01-01", "2099-01-01"],
  );
  const stats = (await bankcheckHere(stateDir, "data", "stats")).stdout;
  assert.match(stats, /AT +2024-01-01 +\d+ days, old +2099-01-01 +1 +1 +complete +oenb/);
});
