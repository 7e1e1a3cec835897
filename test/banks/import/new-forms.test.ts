import assert from "node:assert/strict";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { readEditions } from "../../../src/banks/editions/data-folder.ts";
import { loadBankData } from "../../../src/banks/editions/load.ts";
import { DataFileError } from "../../../src/banks/files/data-file.ts";
import { countriesOf, datasetNames } from "../../../src/banks/files/datasets.ts";
import { prepareImport } from "../../../src/banks/import/import-file.ts";
import { readNormalForm } from "../../../src/banks/import/normal-form.ts";
import { namesIn } from "../../support/folders.ts";
import { pluck } from "../../support/pluck.ts";
import { ImportFolder, officialHeads, undated, validity } from "./import-folder.ts";
import { exampleOf, newForms, polish, textOf } from "./new-forms.ts";

const folder = new ImportFolder();

test("every list of a country's banks has an example", () => {
  const examples = new Set(pluck(newForms, "dataset"));
  const lists = datasetNames.filter((dataset) => countriesOf(dataset).length > 0);
  assert.deepEqual(
    lists.filter((name) => !examples.has(name)),
    [],
  );
});

for (const { name, content, dataset, validFrom, rows } of newForms) {
  test(`${name} is taken as ${dataset} of ${validFrom}`, async () => {
    const prepared = await prepareImport(folder.path, { name, content });
    assert.deepEqual([prepared.edition.dataset, prepared.edition.validFrom], [dataset, validFrom]);
    assert.deepEqual(readNormalForm(prepared.edition.dataset, name, prepared.content), rows);
    if (name.endsWith(".xlsx")) return;
    const end = content.includes("\r\n") ? "\r\n\r\n" : "\n\n";
    const withEnd = Buffer.concat([content, Buffer.from(end)]);
    const longer = await prepareImport(folder.path, { name, content: withEnd });
    assert.deepEqual(longer.content, prepared.content, "empty lines at the end are passed over");
  });
}

test("a register may call a country by its English name with or without accents", async () => {
  const rows = ["RÉUNION", "REUNION", "ST. PIERRE AND MIQUELON", "SAINT-BARTHELEMY", "TURKEY"].map(
    (country, row) => `"${country}","Testbank","","","TESTATWW00${row}","2025-10-05","",""\n`,
  );
  const content = Buffer.from(`${textOf("epc-vop").split("\n", 1)[0]}\n${rows.join("")}`);
  const prepared = await prepareImport(folder.path, { name: "vop_2026-11-15.csv", content });
  assert.equal(prepared.rows, rows.length);
});

test("a participant that is not ready yet is left out", async () => {
  const content = Buffer.from(
    '"Country","ParticipantName","BIC","Status"\n' +
      '"AUSTRIA","Testbank","TESTATWWXXX","Ready for operations"\n' +
      '"FRANCE","Banque","TESTFRPPXXX","Pending EDS registration"\n',
  );
  const prepared = await prepareImport(folder.path, { name: "vop_2026-11-15.csv", content });
  assert.deepEqual(readNormalForm("epc-vop", "vop.csv", prepared.content), [
    ["AUSTRIA", "Testbank", "", "", "TESTATWWXXX", "", "", ""],
  ]);
});

test("a list of banks replaces those of its countries from its first day on, and an older one does not", async () => {
  const target = new ImportFolder();
  const { name, content } = exampleOf("oenb");
  await target.import({ name, content });
  const older = textOf("oenb").replace("20.11.2026", "01.02.2026").replace("Testbank;", "Alte Bank;");
  await target.import({ name, content: Buffer.from(older, "latin1") });
  const austrian = async (day: string) => {
    const { directory: banks, lists } = await loadBankData(target.path, day);
    const records = Array.from({ length: banks.size }, (_, index) => banks.record(index));
    const names = pluck(
      records.filter(({ country }) => country === "AT"),
      "name",
    );
    return { names, edition: banks.editionOf("AT"), list: lists.find(({ country }) => country === "AT")! };
  };
  const before = await austrian("2026-01-31");
  assert.deepEqual([before.names.length, before.edition, before.list.next_edition], [892, "2026-11", null]);
  const between = await austrian("2026-05-01");
  assert.deepEqual([between.names, between.list.next_edition], [["Alte Bank"], "2026-11-20"]);
  const now = await austrian("2026-11-20");
  assert.deepEqual([now.names, now.edition, now.list.completeness], [["Testbank"], "2026-11-20", "complete"]);
});

test("an edition whose file is damaged or gone is repaired by importing it again, and replaced only by force", async () => {
  const target = new ImportFolder();
  const { name, content } = exampleOf("oenb");
  await target.import({ name, content });
  const stored = join(target.path, namesIn(target.path, "oenb")[0]!);
  const other = Buffer.from(textOf("oenb").replace("Testbank;", "Andere Bank;"), "latin1");
  for (const damage of [() => appendFileSync(stored, "x"), () => rmSync(stored)]) {
    damage();
    const { suspicion = "" } = await prepareImport(target.path, { name, content: other });
    assert.match(suspicion, /^nothing is compared, since the edition before is damaged: oenb/);
    assert.equal((await target.import({ name, content })).suspicion, undefined);
    await loadBankData(target.path, "2026-11-20");
  }
});

test("after an import the banks of other countries keep former BICs and successors", async () => {
  const target = new ImportFolder();
  await target.import(exampleOf("oenb"));
  const { directory: banks } = await loadBankData(target.path, "2026-12-01");
  const [former] = banks.otherBics({ country: "HU", bankCode: "142" }).former;
  const { successor } = banks.record(banks.findByCode("FR", "30076"));
  assert.deepEqual([former?.bic, successor], ["COBAHUHX", "30003"]);
});

test("registers contain name, town and schemes of a BIC", async () => {
  const target = new ImportFolder();
  await target.import(exampleOf("epc-vop"));
  const { register } = await loadBankData(target.path, "2026-12-01");
  assert.deepEqual(register.facts.get("TESTATWWXXX"), {
    name: "Testbank",
    location: "Wien",
    schemes: { vop: { since: "2025-10-05", until: null } },
  });
});

test("a file of any form with bytes changed, cut out or put in is read or refused, and never more", () => {
  const heads = [...officialHeads].map(([name, content]) => ({ name: undated(name), content }));
  const change = fc.record({
    source: fc.constantFrom(...newForms, ...heads),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    gone: fc.integer({ min: 0, max: 400 }),
    put: fc.uint8Array({ maxLength: 4 }),
  });
  const isTolerated = fc.asyncProperty(change, async ({ source: { name, content }, at, gone, put }) => {
    const place = Math.floor(at * content.length);
    const changed = Buffer.concat([content.subarray(0, place), put, content.subarray(place + gone)]);
    try {
      const { rows } = await prepareImport(folder.path, { name, content: changed, validity });
      assert.ok(rows > 0);
    } catch (error) {
      assert.ok(error instanceof DataFileError, String((error as Error).stack));
      const lines = changed.toString("latin1").split("\n").length;
      assert.ok(error.line >= 1 && error.line <= lines + 1, error.message);
    }
  });
  return fc.assert(isTolerated, { numRuns: 800 });
});

test("an import takes the place of the edition of its day, whose file is removed", async () => {
  const target = new ImportFolder();
  await target.import(exampleOf("oenb"));
  const first = await readEditions(target.path);
  assert.deepEqual(pluck(first, "dataset"), ["blz", "banks", "oenb"]);
  const content = Buffer.from(textOf("oenb").replace("Testbank;", "Andere Bank;"), "latin1");
  await target.import({ name: "two.csv", content });
  const second = await readEditions(target.path);
  assert.deepEqual([second.length, second[2]!.source], [3, "two.csv"]);
  assert.deepEqual(namesIn(target.path, "oenb"), [second[2]!.file]);
  assert.notEqual(second[2]!.file, first[2]!.file);
});

test("one name for codes of different banks that had other names is refused with the codes; a merger is not", async () => {
  const target = new ImportFolder();
  type Row = readonly [code: string, name: string, bic: string];
  const list = (day: string, rows: readonly Row[]) => ({
    name: `plewibnra-${day}.txt`,
    content: Buffer.from(rows.map((row) => polish(...row)).join("\r\n")),
    validity: { validFrom: day },
  });
  const banks = Array.from({ length: 100 }, (_, at): Row => {
    const bic = `TE${String.fromCharCode(65 + (at % 26))}APLP${at % 10}`;
    return [String(10_100_000 + at), `Bank ${at}`, bic];
  });
  const renamed = (count: number, bic?: string) =>
    banks.map((row, at): Row => (at < count ? [row[0], "Bank Slip", bic ?? row[2]] : row));
  await target.import(list("2026-10-01", banks));
  const slipped = await prepareImport(target.path, list("2026-11-01", renamed(3)));
  assert.match(
    slipped.suspicion ?? "",
    /3 bank codes of different banks .*"Bank Slip": PL 10100000, PL 10100001, PL 10100002$/,
  );
  for (const fine of [renamed(2), renamed(3, "TEAAPLP0")])
    assert.equal((await prepareImport(target.path, list("2026-11-01", fine))).suspicion, undefined);
});
