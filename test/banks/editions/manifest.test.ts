import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { dataFolderOf, readEditions, sha256, shippedData } from "../../../src/banks/editions/data-folder.ts";
import { loadBankData } from "../../../src/banks/editions/load.ts";
import { type DataEdition, manifestText } from "../../../src/banks/editions/manifest.ts";
import { readSclCsv } from "../../../src/banks/files/register-csv.ts";
import { newFolder } from "../../support/folders.ts";
import { pluck } from "../../support/pluck.ts";
import { firstLines } from "../shipped.ts";

const folder = newFolder();

const blz = firstLines("blz.csv", 20);
const banks = firstLines("banks.csv", 20);
const facts = { source: "a file", importedAt: "2026-09-01T00:00:00.000Z" };

async function put(dataset: DataEdition["dataset"], validFrom: string, content: string) {
  const file = `${dataset}-${validFrom}.csv`;
  await writeFile(join(folder, file), content);
  return { dataset, file, validFrom, sha256: sha256(Buffer.from(content)), ...facts };
}

const list = (content: string) => writeFile(join(folder, "manifest.json"), content);
const named = (name: string) => blz.replace('"Bundesbank"', `"${name}"`);
const editions = [
  await put("blz", "2026-12-07", named("Third")),
  await put("blz", "2026-06-08", named("First")),
  { ...(await put("blz", "2026-09-07", named("Second"))), validUntil: "2026-12-06" },
  await put("banks", "2025-09", banks),
  await put("scl", "2026-11-30", "bic;name;sct;sdd;b2b;scc\nMARKDEF1100;BUNDESBANK;1;1;0;1\n"),
];

async function on(day: string) {
  const { directory, validUntil, nextChange } = await loadBankData(folder, day);
  return [directory.record(0).name, directory.edition.german, validUntil, nextChange];
}

test("of each dataset the latest edition that has begun is used, or else the first, and the next change is reported", async () => {
  await list(manifestText(editions));
  assert.deepEqual(await readEditions(folder), editions);
  assert.deepEqual((await on("2020-01-01"))[1], "2026-06-08");
  assert.deepEqual(await on("2026-09-06"), ["First", "2026-06-08", null, "2026-09-07"]);
  assert.deepEqual(await on("2026-09-07"), ["Second", "2026-09-07", "2026-12-06", "2026-12-07"]);
  assert.deepEqual(await on("2026-12-06"), ["Second", "2026-09-07", "2026-12-06", "2026-12-07"]);
  assert.deepEqual(await on("2026-12-07"), ["Third", "2026-12-07", null, null]);
  assert.deepEqual(await on("2030-01-01"), ["Third", "2026-12-07", null, null]);
});

test("the first day of a withdrawn list of single BICs is not that of withdrawn bank codes", async () => {
  const isWithdrawn = ({ validFrom }: DataEdition) => ["2026-06-08", "2026-11-30"].includes(validFrom);
  const marked = editions.map((each) => (isWithdrawn(each) ? { ...each, withdrawn: true as const } : each));
  await list(manifestText(marked));
  assert.deepEqual((await loadBankData(folder, "2026-12-07")).withdrawn, ["2026-06-08"]);
});

test("with a clearing directory the SEPA flags are those it lists, and its edition is reported", async () => {
  await list(manifestText(editions));
  const { directory } = await loadBankData(folder, "2026-12-07");
  assert.equal(directory.edition.scl, "2026-11-30");
  const { bic, sepa, sepaSource } = directory.record(0);
  assert.equal(bic, "MARKDEF1100");
  assert.deepEqual([sepa, sepaSource], [{ sct: 1, sdd: 1, b2b: 0, scc: 1 }, "directory"]);
  await list(manifestText(editions.filter(({ dataset }) => dataset !== "scl")));
  const { directory: assumed } = await loadBankData(folder, "2026-12-07");
  assert.equal(assumed.edition.scl, undefined);
  assert.equal(assumed.record(0).sepaSource, "assumed");
});

test("the data folder is the one set, or else the one imported to, or else the shipped one", async () => {
  await list(manifestText(editions));
  const stateDir = newFolder();
  assert.equal(dataFolderOf({ dataDir: "/data", stateDir }), "/data");
  assert.equal(dataFolderOf({ dataDir: "", stateDir }), shippedData);
  await symlink(folder, join(stateDir, "data"));
  assert.equal(dataFolderOf({ dataDir: "", stateDir }), join(stateDir, "data"));
});

const one = editions[0]!;
const another = { ...one, sha256: sha256(Buffer.from("another")) };
const damages: [what: string, content: string, reason: RegExp, file?: string][] = [
  ["that is not JSON", "{", /not JSON/],
  ["that is null", "null", /version 1/],
  ["of another version", JSON.stringify({ version: 2, editions }), /version 1/],
  ["that leads out of the folder", manifestText([{ ...one, file: "../blz.csv" }]), /number 1 is malformed/],
  ["of an unknown dataset", manifestText([one, { ...one, dataset: "toString" as "blz" }]), /number 2 is mal/],
  ["with a day that is none", manifestText([{ ...one, validFrom: "soon" }]), /number 1 is malformed/],
  ["that lists an edition twice", manifestText([one, one]), /edition 2026-12-07 of blz twice/],
  [
    "of a file that is another now",
    manifestText([another, editions[3]!]),
    /line 1: .*digest has changed/,
    one.file,
  ],
  ["without the other countries' banks", manifestText([one]), /no edition of banks/],
];
for (const [what, content, message, file = "manifest.json"] of damages) {
  test(`a manifest ${what} is refused`, async () => {
    await list(content);
    await assert.rejects(loadBankData(folder, "2026-12-07"), { name: "DataFileError", file, message });
  });
}

test("a pipe in place of a manifest or of a file of banks is refused at once", async () => {
  for (const name of ["manifest.json", "blz.csv"]) {
    const place = join(folder, `piped-${name}`);
    await mkdir(place);
    const listed = { ...one, file: "blz.csv" };
    await writeFile(join(place, "manifest.json"), manifestText([listed, editions[3]!]));
    await rm(join(place, name), { force: true });
    execFileSync("mkfifo", [join(place, name)]);
    await assert.rejects(loadBankData(place, "2026-12-07"), { message: `${name}, line 1: it is not a file` });
  }
});

test("lists that are not imported any more are passed over in the manifest of an older version", async () => {
  const own = [await put("blz", "2026-09-07", blz), await put("banks", "2026-11", banks)];
  const retired = ["finance-finland", "bic-lei", "mfi"].map((dataset) => ({ ...own[0]!, dataset }));
  await list(JSON.stringify({ version: 1, editions: [...own, ...retired] }));
  assert.deepEqual(pluck(await readEditions(folder), "dataset"), ["blz", "banks"]);
  await loadBankData(folder, "2026-11-23");
});

test("a folder without a manifest is named", async () => {
  const place = join(folder, "absent");
  await assert.rejects(loadBankData(place, "2026-12-07"), {
    code: "ENOENT",
    message: `${place} holds no bank data: its manifest.json is missing.`,
  });
});

test("a row with Datensatznummer has deletion mark and successor, for its further locations too", async () => {
  const row = (mark: string, successor: string, kind = "1", change = "U") =>
    `"37040044";"${kind}";"Bank";"50447";"Köln";"Bank Köln";;"COBADEFFXXX";"13";"006102";"${change}";"${mark}";"${successor}";"000000";"P"`;
  const recordsOf = async (...rows: string[]) => {
    const content = `${firstLines("blz.csv", 1)}${rows.join("\n")}\n`;
    await list(manifestText([await put("blz", "2026-12-07", content), editions[3]!]));
    const { directory } = await loadBankData(folder, "2026-12-07");
    return rows.map((_, index) => {
      const { deleteMark, removed = false, successor } = directory.record(index);
      return [deleteMark, removed, successor];
    });
  };
  assert.deepEqual(await recordsOf(row("0", "00000000")), [[false, false, null]]);
  assert.deepEqual(await recordsOf(row("0", "00000000", "1", "D")), [[true, true, null]]);
  assert.deepEqual(await recordsOf(row("1", "37040048"), row("0", "00000000", "2")), [
    [true, false, "37040048"],
    [true, false, "37040048"],
  ]);
  await assert.rejects(recordsOf(row("2", "00000000")), /line 2: .*Bankleitzahllöschung/);
  await assert.rejects(recordsOf(row("1", "0000000X")), /line 2: successor "0000000X" is not a Bankleitzahl/);
});

test("a clearing directory contains the services of each BIC", () => {
  const row = "MARKDEFF;BUNDESBANK;1;1;0;1";
  const read = (...rows: string[]) =>
    readSclCsv("scl.csv", Buffer.from(["bic;name;sct;sdd;b2b;scc", ...rows, ""].join("\n")));
  assert.deepEqual(read(row), [{ bic: "MARKDEFF", name: "BUNDESBANK", sct: 1, sdd: 1, b2b: 0, scc: 1 }]);
  assert.throws(() => read("MARKDEFF;B;1;1;0;2"), /line 2: the service flag "2"/);
  assert.throws(() => read("MARKDE;B;1;1;0;1"), /line 2: BIC "MARKDE"/);
  assert.throws(() => read(row, row), /line 3: BIC MARKDEFF is listed twice/);
});
