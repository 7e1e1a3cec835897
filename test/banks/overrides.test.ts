import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readEditions } from "../../src/banks/editions/data-folder.ts";
import { loadBankData } from "../../src/banks/editions/load.ts";
import { DataFileError } from "../../src/banks/files/data-file.ts";
import { type Override, overridesFile, readOverridesCsv } from "../../src/banks/files/overrides-csv.ts";
import { prepareImport } from "../../src/banks/import/import-file.ts";
import { changeOverrides } from "../../src/banks/import/store.ts";
import { plain } from "../../src/checks/answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import type { IbanCheckAnswer } from "../../src/client/index.ts";
import { newFolder } from "../support/folders.ts";
import { pluck } from "../support/pluck.ts";
import { exampleOf } from "./import/new-forms.ts";
import { writeSmallData } from "./small-data.ts";

const head = "country;bank_code;name;bic;schemes;valid_until";
const noFacts = { name: "", bic: "", schemes: "", validUntil: "" };
const entry = (country: string, bankCode: string, facts: Partial<Override>): Override => ({
  country,
  bankCode,
  ...noFacts,
  ...facts,
});

async function load(folder: string, day = "2026-11-23") {
  const loaded = await loadBankData(folder, day);
  const { directory } = loaded;
  const bank = (country: string, code: string) => {
    const at = directory.findByCode(country, code);
    return at < 0 ? undefined : { ...directory.record(at), bics: directory.bics(directory.record(at)) };
  };
  return { loaded, directory, bank };
}

test("a local entry replaces name, BIC and schemes of a bank alone, is shown as local, and adds a bank", async () => {
  const folder = newFolder();
  const schemes = { sct: 1, sdd: 0, b2b: 0, scc: 0 } as const;
  await changeOverrides(folder, () => [
    entry("DE", "37040044", { name: 'Bank "Eins"; Köln', schemes: "sct" }),
    entry("AT", "12000", { bic: "TESTATWW" }),
    entry("DE", "10020890", { bic: "TESTDEFF" }),
    entry("DE", "10080000", { bic: "TESTDEFF" }),
    entry("NL", "TEST", { name: "Testbank" }),
    entry("PL", "99999999", { bic: "TESTPLPW" }),
  ]);
  const { directory, bank } = await load(folder);
  const local = { list: "local", edition: null };
  const german = bank("DE", "37040044")!;
  assert.deepEqual([german.name, german.shortName, german.bic], ['Bank "Eins"; Köln', "", "COBADEFFXXX"]);
  assert.deepEqual([german.sepa, german.sepaSource, german.method], [schemes, "local", "13"]);
  assert.deepEqual(german.origin, { name: local, bic: { list: "blz", edition: "2026-09-07" } });
  const austrian = bank("AT", "12000")!;
  assert.deepEqual([austrian.bic, austrian.bics[0], austrian.origin?.bic], ["TESTATWW", "TESTATWW", local]);
  assert.match(austrian.name, /UniCredit/);
  // Neither a further location nor a list of further BICs states the one that is replaced.
  for (const code of ["10020890", "10080000"]) assert.deepEqual(bank("DE", code)?.bics, ["TESTDEFF"], code);
  assert.deepEqual([bank("NL", "TEST")?.name, bank("NL", "TEST")?.origin?.name], ["Testbank", local]);
  // Without a name there is no bank.
  assert.equal(bank("PL", "99999999"), undefined);
  const explained = { ...plain, explain: true };
  const { data } = ibanAnswer(directory, "DE89370400440532013000", undefined, explained) as IbanCheckAnswer;
  assert.deepEqual(data.sepa_methods, schemes);
  assert.deepEqual(data.sources, { ...german.origin, schemes: local });
  // The lists are still the shipped ones, which an import begins with.
  assert.deepEqual(pluck(await readEditions(folder), "file").slice(0, 2), ["blz.csv", "banks.csv"]);
  await prepareImport(folder, exampleOf("oenb"));
});

test("an entry ends after its last day, and makes another edition", async () => {
  const folder = newFolder();
  const isOne = (row: string) => /^("37040044"|AT;)/.test(row);
  writeSmallData(folder, { blz: isOne, banks: isOne });
  const ending = entry("DE", "37040044", { name: "Bis Jahresende", validUntil: "2026-12-31" });
  await changeOverrides(folder, () => [ending]);
  const { loaded, bank } = await load(folder, "2026-12-31");
  assert.deepEqual([bank("DE", "37040044")?.name, loaded.localUntil], ["Bis Jahresende", "2026-12-31"]);
  const after = await load(folder, "2027-01-01");
  assert.deepEqual([after.bank("DE", "37040044")?.name, after.loaded.localUntil], ["Commerzbank", null]);
  assert.notDeepEqual(after.loaded.files, loaded.files);
});

test("changes at the same time are all kept, and removing the last entry removes the file", async () => {
  const folder = newFolder();
  const codes = Array.from({ length: 30 }, (_, at) => String(10_000_000 + at));
  const add = (code: string) =>
    changeOverrides(folder, (entries) => [...entries, entry("DE", code, { name: `Bank ${code}` })]);
  await Promise.all(codes.map(add));
  const stored = readOverridesCsv(overridesFile, readFileSync(join(folder, overridesFile)));
  assert.deepEqual(pluck(stored, "bankCode"), codes);
  await changeOverrides(folder, () => []);
  assert.ok(!existsSync(join(folder, overridesFile)));
});

test("a change that cannot be written leaves the entries as they are", async () => {
  const folder = newFolder();
  const entries = [entry("DE", "37040044", { name: "Eins" })];
  await changeOverrides(folder, () => entries);
  const before = readFileSync(join(folder, overridesFile), "utf8");
  const failing = changeOverrides(folder, () => {
    throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
  });
  await assert.rejects(failing, /no space left/);
  assert.equal(readFileSync(join(folder, overridesFile), "utf8"), before);
  // The lock is free again; a folder in the file's place is an error, not a crash.
  await changeOverrides(folder, () => []);
  mkdirSync(join(folder, overridesFile));
  await assert.rejects(
    changeOverrides(folder, () => entries),
    DataFileError,
  );
});

test("a malformed file of local entries, or one cut off in a row, is refused with its line", async () => {
  // All columns are there, and the day has lost its end or the row a day.
  const cut = "DE;37040044;Bank;;;";
  for (const [row, reason] of [
    ["DE;37040044;;;;", /neither name, BIC nor schemes/],
    ["DE;3704004;Bank;;;", /does not fit the BBAN/],
    ["ZZ;1;Bank;;;", /not in the IBAN registry/],
    ["DE;37040044;;COBA;;", /not in ISO 9362/],
    ["DE;37040044;;;sct,swift;", /not a list of schemes/],
    ["DE;37040044;Bank;;;2026-02-30", /is not a day/],
    ["DE;37040044;Ba\u0007nk;;;", /unprintable/],
    ["DE;10000000;Zwei;;;", /is listed twice/],
    ["DE;37040044;Bank;;", /wrong number of columns/],
    [cut, /the file is cut off/],
  ] as const) {
    const folder = newFolder();
    const end = row === cut ? "" : "\n";
    writeFileSync(join(folder, overridesFile), `${head}\nDE;10000000;Eins;;;\n${row}${end}`);
    await assert.rejects(
      loadBankData(folder, "2026-11-23"),
      (error) => error instanceof DataFileError && error.line === 3 && reason.test(error.message),
      row,
    );
  }
});

test("local entries that a spreadsheet has saved, with a byte order mark and CRLF, are read", () => {
  const saved = Buffer.from(`\ufeff${head}\r\nDE;37040044;Köln;;;\r\n`);
  assert.deepEqual(readOverridesCsv(overridesFile, saved), [entry("DE", "37040044", { name: "Köln" })]);
});
