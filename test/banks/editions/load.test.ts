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

interface Files {
  blz?: string | Uint8Array;
  banks?: string | Uint8Array;
  editions?: string;
}

async function load(files: Files): Promise<BankDirectory> {
  await writeFile(join(folder, "blz.csv"), files.blz ?? blz);
  await writeFile(join(folder, "banks.csv"), files.banks ?? banks);
  await writeFile(join(folder, "manifest.json"), files.editions ?? editions);
  return (await loadBankData(folder, "")).directory;
}

test("undamaged files are read, with or without a last line feed", async () => {
  assert.equal((await load({})).size, 38);
  assert.equal((await load({ blz: blz.trimEnd(), banks: banks.trimEnd() })).size, 38);
});

type Damage = readonly [what: string, line: number, reason: RegExp, from: string | RegExp, to: string];

/** What takes the place of what in which line, by file. */
const damages: Readonly<Record<"blz" | "banks", readonly Damage[]>> = {
  blz: [
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
  banks: [
    ["a value too few", 5, /expect 10, got 9/, ";", ""],
    ["an empty line", 7, /expect 10, got 1/, /.*/, ""],
    ["a quote inside a value", 9, /Quote/, "Bank", 'Ba"nk'],
    ["an unknown country", 4, /country "ZZ"/, "AD;", "ZZ;"],
    ["a German bank abroad", 4, /German banks belong/, "AD;", "DE;"],
    ["a row without source", 4, /source/, "schwifty", ""],
    ["a bank code given twice", 6, /already/, /.*/, banks.split("\n")[1]!],
  ],
};

const refused = (what: string, files: Files, file: string, line: number, reason: RegExp) =>
  test(`${what} is refused with file, line and reason`, async () => {
    await assert.rejects(load(files), (error) => {
      assert.ok(error instanceof DataFileError, String(error));
      assert.deepEqual([error.file, error.line], [file, line]);
      assert.match(error.reason, reason);
      assert.equal(error.message, `${file}, line ${line}: ${error.reason}`);
      return true;
    });
  });

refused("an empty file", { banks: "" }, "banks.csv", 1, /header is not country;/);
refused("a header alone", { banks: firstLines("banks.csv", 1) }, "banks.csv", 1, /no row/);
for (const [name, text] of Object.entries({ blz, banks })) {
  for (const [what, line, reason, from, to] of damages[name as "blz" | "banks"]) {
    const lines = text.split("\n");
    lines[line - 1] = lines[line - 1]!.replace(from, to);
    assert.notEqual(lines.join("\n"), text);
    refused(what, { [name]: lines.join("\n") }, `${name}.csv`, line, reason);
  }
}

test("a byte that is not UTF-8 is refused with its line", async () => {
  const latin1 = Buffer.from(blz.replace("Zweigniederlassung", "Zweigniederlassüng"), "latin1");
  await assert.rejects(load({ blz: latin1 }), /^DataFileError: blz.csv, line 1: not UTF-8$/);
  const bytes = Buffer.from(banks);
  bytes[banks.indexOf("MORA")] = 0xfc;
  await assert.rejects(load({ banks: bytes }), /^DataFileError: banks.csv, line 4: not UTF-8$/);
});
