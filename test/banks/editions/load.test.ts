import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { loadBankData } from "../../../src/banks/editions/load.ts";
import { DataFileError } from "../../../src/banks/files/data-file.ts";
import { newFolder } from "../../support/folders.ts";
import { dataFolder, firstLines } from "../shipped.ts";

const folder = newFolder();

const blz = firstLines("blz.csv", 20);
const banks = firstLines("banks.csv", 20);
const editions = await readFile(`${dataFolder}manifest.json`, "utf8");

/** Loads files that are not damaged, but for those given. */
async function load(damaged: Readonly<Record<string, string | Uint8Array>>): Promise<BankDirectory> {
  const files = { "blz.csv": blz, "banks.csv": banks, "manifest.json": editions, ...damaged };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return (await loadBankData(folder, "")).directory;
}

test("undamaged files are read, with or without a last line feed", async () => {
  assert.equal((await load({})).size, 38);
  assert.equal((await load({ "blz.csv": blz.trimEnd(), "banks.csv": banks.trimEnd() })).size, 38);
});

type Damage = readonly [what: string, line: number, reason: RegExp, from: string | RegExp, to: string];

/** What takes the place of what in which line, by file. */
const damages: Readonly<Record<"blz.csv" | "banks.csv", readonly Damage[]>> = {
  "blz.csv": [
    ["another header", 1, /header is not Bankleitzahl;/, "PLZ", "Plz"],
    ["a value too many", 6, /expect 15, got 16/, /$/, ";"],
    ["a quote not closed", 4, /Quote/, '"Berlin"', '"Berlin'],
    ["a line break inside a value", 3, /a value contains a line break/, '"Berlin"', '"Ber\nlin"'],
    ["a Bankleitzahl given twice", 3, /already/, /.*/, blz.split("\n")[1]!],
    ["an unknown Merkmal", 9, /Merkmal "3"/, '"1"', '"3"'],
    ["a further location of no bank", 9, /does not follow its main record/, '"1"', '"2"'],
    ["a PAN without Datensatznummer", 11, /placeholders/, ';;"', ';"12345";"'],
    ["an unknown Quelle", 2, /Quelle "X"/, '"P"', '"X"'],
  ],
  "banks.csv": [
    ["a value too few", 5, /expect 10, got 9/, ";", ""],
    ["an empty line", 7, /expect 10, got 1/, /.*/, ""],
    ["a quote inside a value", 9, /Quote/, "Bank", 'Ba"nk'],
    ["an unknown country", 4, /country "ZZ"/, "AD;", "ZZ;"],
    ["a German bank abroad", 4, /German banks belong/, "AD;", "DE;"],
    ["a row without source", 4, /source/, "schwifty", ""],
    ["a bank code given twice", 6, /already/, /.*/, banks.split("\n")[1]!],
  ],
};

const refused = (what: string, file: string, content: string, line: number, reason: RegExp) =>
  test(`${what} is refused with file, line and reason`, async () => {
    await assert.rejects(load({ [file]: content }), (error) => {
      assert.ok(error instanceof DataFileError, String(error));
      assert.deepEqual([error.file, error.line], [file, line]);
      assert.match(error.reason, reason);
      assert.equal(error.message, `${file}, line ${line}: ${error.reason}`);
      return true;
    });
  });

refused("an empty file", "banks.csv", "", 1, /header is not country;/);
refused("a header alone", "banks.csv", firstLines("banks.csv", 1), 1, /no row/);
for (const [file, text] of [
  ["blz.csv", blz],
  ["banks.csv", banks],
] as const) {
  for (const [what, line, reason, from, to] of damages[file]) {
    const lines = text.split("\n");
    lines[line - 1] = lines[line - 1]!.replace(from, to);
    assert.notEqual(lines.join("\n"), text);
    refused(what, file, lines.join("\n"), line, reason);
  }
}

test("a byte that is not UTF-8 is refused with its line", async () => {
  const latin1 = Buffer.from(blz.replace("Zweigniederlassung", "Zweigniederlassüng"), "latin1");
  await assert.rejects(load({ "blz.csv": latin1 }), /^DataFileError: blz.csv, line 1: not UTF-8$/);
  const bytes = Buffer.from(banks);
  bytes[banks.indexOf("MORA")] = 0xfc;
  await assert.rejects(load({ "banks.csv": bytes }), /^DataFileError: banks.csv, line 4: not UTF-8$/);
});
