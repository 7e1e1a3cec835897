import assert from "node:assert/strict";
import { test } from "node:test";
import abbreviations from "../../../data/search-abbreviations.json" with { type: "json" };
import sortCodes from "../../../data/uk-sort-code-ranges.json" with { type: "json" };
import { type BankQuery, bankSearch } from "../../../src/banks/search/bank-search.ts";
import { foldWords, joinedLetters } from "../../../src/banks/search/fold-words.ts";
import { pluck } from "../../support/pluck.ts";
import { loadShippedData } from "../../support/shipped-directory.ts";
import { rowsOf } from "../shipped.ts";

const rows = rowsOf("blz.csv");
const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const joined = (text: string): string => joinedLetters(foldWords(text));

/** How often each text occurs. */
function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const { directory } = await loadShippedData();
const search = bankSearch(directory);

function find(query: Partial<BankQuery>) {
  const { total, records } = search({ max: 50, ...query });
  return { total, banks: records.map((index) => directory.record(index)) };
}

test("a zip prefix finds exactly the rows that begin with it", () => {
  const counts = countsOf(rows.flatMap(({ PLZ }) => [...PLZ].map((_, at) => PLZ.slice(0, at + 1))));
  assert.ok(counts.size > 7_000);
  // All short ones, and a sample of those that few rows have.
  const sample = [...counts].filter(([zip], index) => zip.length < 4 || index % 5 === 0);
  for (const [zip, count] of sample) {
    const { total, banks } = find({ zip, max: 5 });
    assert.equal(total, count, zip);
    for (const bank of banks) assert.ok(bank.zip.startsWith(zip), zip);
  }
});

test("every whole Bankleitzahl finds its bank with all its further locations, the main one first", () => {
  for (const [bankleitzahl, count] of countsOf(pluck(rows, "Bankleitzahl"))) {
    const { total, banks } = find({ bankleitzahl, max: 2 });
    assert.equal(total, count, bankleitzahl);
    assert.equal(banks[0]?.main, true);
    assert.equal(banks[0]?.bankCode, bankleitzahl);
  }
});

test("a UK sort code finds the banks to whose range it was allocated, the narrowest one, and only in the UK", () => {
  const codes = (bankleitzahl: string, countries: readonly string[] | "*" = ["GB"]) =>
    find({ bankleitzahl, countries, max: 5 }).banks.map(({ bankCode }) => bankCode);
  assert.deepEqual(codes("601613"), ["NWBK"]);
  assert.deepEqual(codes("608371"), ["SRLG"]);
  assert.deepEqual(codes("400500").toSorted(), ["HBUK", "MIDL"]);
  for (const unknown of ["990000", "6016", "60161", "6016131"]) assert.deepEqual(codes(unknown), [], unknown);
  assert.deepEqual(codes("601613", ["FR"]), []);
  for (const [range, banks] of Object.entries(sortCodes.ranges))
    assert.deepEqual(codes(range.padEnd(6, "0")).toSorted(), banks.toSorted(), range);
});

test("every town is found by its name, first and with all its banks, and without umlauts or with them spelled out", () => {
  const plain: Readonly<Record<string, string>> = { ä: "a", ö: "o", ü: "u", ß: "ss" };
  for (const [location, count] of countsOf(pluck(rows, "Ort").filter(Boolean))) {
    const { total, banks } = find({ location });
    assert.ok(total >= count, location);
    assert.equal(joined(banks[0]!.location), joined(location));
    for (const bank of banks) assert.ok(joined(bank.location).startsWith(joined(location)), bank.location);
    for (const e of ["", "e"]) {
      const written = location
        .toLowerCase()
        .replace(/[äöüß]/g, (letter) => plain[letter] + (letter === "ß" ? "" : e));
      const found = find({ location: written }).banks;
      assert.ok(pluck(found, "location").includes(location), written);
    }
  }
});

test("every name finds itself first", () => {
  for (const name of distinct(rows.map((row) => row.Bezeichnung))) {
    assert.equal(joined(find({ name, max: 1 }).banks[0]?.name ?? ""), joined(name));
  }
});

test("frequent searches rank the expected bank first, with typos too", () => {
  const firsts: readonly [Partial<BankQuery>, string][] = [
    [{ name: "commerzbank", location: "köln" }, "37040044"],
    [{ name: "haspa" }, "20050550"],
    [{ name: "Sparkasse Köln Bonn" }, "37050198"],
    [{ name: "ing diba" }, "50010517"],
    [{ name: "sparkase hanover" }, "25050180"],
    [{ name: "ksk koeln" }, "37050299"],
    [{ name: "landesbank baden-württemberg stuttgart" }, "60050000"],
    [{ name: "Donner und Reuschel" }, "20030300"],
    [{ name: "Donner & Reuschel" }, "20030300"],
    [{ name: "dkb", location: "berlin" }, "12030000"],
    [{ name: "n26" }, "10011001"],
    [{ name: "stadtsparkasse", location: "Mnuechen" }, "70150000"],
    // Without the zeros that its code begins with.
    [{ bankleitzahl: "4835", countries: ["CH"] }, "04835"],
  ];
  for (const [query, bankCode] of firsts)
    assert.equal(find(query).banks[0]?.bankCode, bankCode, JSON.stringify(query));
  for (const [name, expected] of [
    ["Komerzbank", /^Commerzbank/],
    ["Comerzbnak", /^Commerzbank/],
    ["Deutsche Bnak", /^Deutsche Bank/],
    ["Spakrasse Bremn", /^Sparkasse Bremen/],
    ["Volskbnk", /^Volksbank/],
  ] as const)
    assert.match(find({ name }).banks[0]?.name ?? "nothing", expected, name);
});

test("the bank itself comes before its subsidiaries, however its legal form, accents or short name are written", () => {
  for (const [country, bankCode, ...names] of [
    ["FR", "30003", "Societe Generale", "Société Générale S.A."],
    ["FR", "30004", "BNP Paribas", "BNP Paribas SA"],
    ["FR", "30006", "Crédit Agricole"],
    ["FR", "17789", "Deutsche Bank AG"],
    ["FR", "17629", "Commerzbank AG"],
    ["IT", "03104", "Deutsche Bank"],
    ["IT", "02008", "UniCredit", "UniCredit SpA"],
    ["ES", "0019", "Deutsche Bank"],
    ["ES", "0049", "Santander"],
    ["ES", "0182", "BBVA"],
    ["NL", "INGB", "ING"],
    ["BE", "400", "KBC Bank N.V."],
    ["TR", "00046", "Akbank TAŞ"],
    ["CH", "08384", "Reyl and Cie SA"],
    ["CH", "00315", "UBS"],
  ] as const) {
    for (const name of names)
      assert.equal(find({ name, countries: [country] }).banks[0]?.bankCode, bankCode, `${name}, ${country}`);
  }
});

test("nonsense finds nothing", () => {
  const near = ["qwertz", "Bxnx", "Deutsche Qwertz"];
  for (const text of [...near, "Entenhausener Taschengeldkasse", "xx yy zz", "ä".repeat(40), "москва"]) {
    assert.equal(find({ name: text }).total, 0, text);
    assert.equal(find({ location: text }).total, 0, text);
  }
});

test("a text of 100 KB is cut to what is read of any text, and answered like it", () => {
  find({ name: "warm" });
  for (const text of [
    "a ".repeat(50_000),
    "sparkasse volksbank ".repeat(5_000),
    "x".repeat(100_000),
    "\u0308".repeat(50_000),
    "\ufdfa".repeat(33_000),
  ]) {
    assert.equal(find({ name: text, location: text, zip: "8".repeat(100_000) }).total, 0, text.slice(0, 20));
    assert.deepEqual(find({ name: text }), find({ name: text.slice(0, 1_000) }), text.slice(0, 20));
  }
});

test("every reading of an abbreviation is in the shipped data", () => {
  const wordsOf = (texts: readonly string[]) =>
    distinct(texts).map((text) => pluck(foldWords(text), "letters"));
  const names = wordsOf(rows.flatMap((row) => [row.Bezeichnung, row.Kurzbezeichnung]));
  for (const [readings, texts] of [
    [abbreviations.names, names],
    [abbreviations.towns, wordsOf(pluck(rows, "Ort"))],
  ] as const) {
    for (const reading of Object.values(readings).flat()) {
      const asked = reading
        .split(" ")
        .map((word) => ({ letters: joined(word), isStart: word.endsWith("*") }));
      const isIn = (text: readonly string[]) =>
        asked.every(({ letters, isStart }) =>
          text.some((word) => (isStart ? word.startsWith(letters) : word === letters)),
        );
      assert.ok(texts.some(isIn), reading);
    }
  }
});
