import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import sepaDefaults from "../../../data/sepa-defaults.json" with { type: "json" };
import { methodNames } from "../../../src/banking/germany/methods.ts";
import { ibanCountries, ibanCountryByCode } from "../../../src/banking/iban/registry.ts";
import type { BankRecord } from "../../../src/banks/directory/record.ts";
import { readBankBicsCsv, readFormerCodesCsv } from "../../../src/banks/files/shipped-facts.ts";
import { loadShippedData } from "../../support/shipped-directory.ts";
import { dataFolder, rowsOf } from "../shipped.ts";

const { directory } = await loadShippedData();
const germanRows = rowsOf("blz.csv");
const otherRows = rowsOf("banks.csv");
const unknownToNull = (text: string): string | null => text || null;

test("the directory holds every shipped record and says of which edition", () => {
  assert.equal(directory.size, germanRows.length + otherRows.length);
  assert.equal(directory.germanCount, germanRows.length);
  assert.equal(directory.parts.blzCount, germanRows.filter((row) => row.Merkmal === "1").length);
  assert.deepEqual(directory.edition, { german: "2026-09-07", other: "2026-11" });
});

/** Letters and digits alone, so that lists may write a name as they like. */
const lettersOf = (name: string) =>
  name
    .normalize("NFD")
    .toUpperCase()
    .replace(/[^\p{L}\d]/gu, "");

test("more than 200 codes of the largest European banks have their name and their BIC", () => {
  const [, ...known] = readFileSync(new URL("../../vectors/european-banks.csv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  assert.ok(known.length > 200);
  const otherMain: string[] = [];
  for (const line of known) {
    const [country = "", code = "", bic = "", name = ""] = line.split(";");
    const index = directory.findByCode(country, code);
    assert.ok(index >= 0, line);
    const record = directory.record(index);
    assert.ok(lettersOf(record.name).includes(lettersOf(name)), `${line}: ${record.name}`);
    const bics = directory.bics(record).map((each) => each.slice(0, 8));
    assert.ok(bics.includes(bic), `${line}: ${bics.join(", ")}`);
    if (bics[0] !== bic) otherMain.push(`${country} ${code}`);
  }
  // These have several BICs that belong to the code, and the list names another one first.
  assert.deepEqual(otherMain, ["GB SRLG", "GB BOFS"]);
});

test("the whole directory takes less than eight megabytes", () => {
  assert.ok(directory.bytes.length < 8_000_000, `${directory.bytes.length} bytes`);
});

test("every German row is returned as it is in the file, its check-digit method by index too", () => {
  let main = germanRows[0]!;
  for (const [index, row] of germanRows.entries()) {
    if (row.Merkmal === "1") main = row;
    const flag = main.BIC === "" ? 0 : 1;
    assert.equal(methodNames[directory.methodIndex(index)] ?? "", row.Prüfzifferberechnungsmethode);
    const { origin: _, ...record } = directory.record(index);
    assert.deepEqual(record, {
      country: "DE",
      bankCode: row.Bankleitzahl,
      branchCode: "",
      bic: unknownToNull(row.BIC),
      name: row.Bezeichnung,
      shortName: row.Kurzbezeichnung,
      zip: row.PLZ,
      location: row.Ort,
      method: unknownToNull(row.Prüfzifferberechnungsmethode),
      rule: unknownToNull(row["IBAN-Regel"]),
      ruleSource: ({ P: "published", I: "inferred" } as const)[row.Quelle as "P" | "I"] ?? null,
      main: row.Merkmal === "1",
      deleteMark: main.Bankleitzahllöschung === "1",
      successor: main["Nachfolge-Bankleitzahl"].replace(/^0{8}$/, "") || null,
      sepa: { sct: flag, sdd: flag, b2b: flag, scc: flag },
      sepaSource: "assumed",
    } satisfies BankRecord);
  }
});

test("every row of another country is returned as it is in the file", () => {
  const outsideSepa = new Set(ibanCountries.filter(({ sepa }) => !sepa).map(({ code }) => code));
  const territories = new Set(["NC", "PF", "WF"]);
  const countries: Readonly<Record<string, readonly number[]>> = sepaDefaults.countries;
  const successors = readFormerCodesCsv("former-codes.csv", readFileSync(`${dataFolder}former-codes.csv`));
  for (const [position, row] of otherRows.entries()) {
    const index = directory.germanCount + position;
    const { sepa, successor, origin: _, ...rest } = directory.record(index);
    assert.equal(directory.methodIndex(index), -1);
    assert.equal(successor, successors.get(`${row.country} ${row.bank_code}`) ?? null);
    assert.deepEqual(rest, {
      country: row.country,
      bankCode: row.bank_code,
      branchCode: row.branch_code,
      bic: unknownToNull(row.bic),
      name: row.name,
      shortName: row.short_name,
      zip: row.zip,
      location: row.city,
      method: null,
      rule: null,
      ruleSource: null,
      main: true,
      deleteMark: null,
      sepaSource: "assumed",
    } satisfies Omit<BankRecord, "sepa" | "successor" | "origin">);
    const inSepa = !outsideSepa.has(row.country) && !territories.has(row.bic.slice(4, 6));
    const usual = countries[row.bic.slice(4, 6)] ?? countries[row.country] ?? [1, 1, 0, 0];
    const [sct, sdd, b2b, scc] = inSepa ? usual : [0, 0, 0, 0];
    assert.deepEqual(sepa, { sct, sdd, b2b, scc }, `${row.country} ${row.bank_code}`);
  }
});

test("no bank code but those of its country is found", () => {
  const known = new Set(otherRows.map((row) => row.country + row.bank_code));
  const blzs = new Set(germanRows.map((row) => row.Bankleitzahl));
  for (let number = 10_000_000; number <= 99_999_999; number += 997) {
    const blz = String(number);
    assert.equal(directory.findByCode("DE", blz) >= 0, blzs.has(blz), blz);
  }
  for (const country of ["AT", "BE", "DK", "NO", "FR"]) {
    const length = ibanCountryByCode(country)!.bank.length;
    for (let code = 0; code < 10 ** Math.min(length, 4); code++) {
      const bankCode = String(code).padStart(length, "0");
      const key = country + bankCode;
      assert.equal(directory.findByCode(country, bankCode) >= 0, known.has(key), key);
    }
  }
  for (const code of ["3704004", "370400440", "37040044370", "03704004", "00000000", ""])
    assert.equal(directory.findByCode("DE", code), -1, code);
});

test("the BICs of a bank code are those of all its rows, the main one first, then its further ones", () => {
  const others = readBankBicsCsv("bank-bics.csv", readFileSync(`${dataFolder}bank-bics.csv`));
  const further = (key: string) => others.get(key)?.further ?? [];
  const bicsByBlz = new Map<string, Set<string>>();
  for (const row of germanRows) {
    const bics = bicsByBlz.get(row.Bankleitzahl) ?? new Set();
    bicsByBlz.set(row.Bankleitzahl, row.BIC === "" ? bics : bics.add(row.BIC));
  }
  for (const [index, row] of germanRows.entries()) {
    const own = [...bicsByBlz.get(row.Bankleitzahl)!];
    const known = directory.bics(directory.record(index));
    assert.deepEqual(new Set(known), new Set([...own, ...further(`DE ${row.Bankleitzahl}`)]));
    assert.deepEqual([known[0], known.length], [own[0], new Set(known).size]);
  }
  for (const [position, row] of otherRows.entries()) {
    const index = directory.germanCount + position;
    const bics = [row.bic, ...further(`${row.country} ${row.bank_code}`)];
    assert.deepEqual(directory.bics(directory.record(index)), bics.filter(Boolean));
  }
});
