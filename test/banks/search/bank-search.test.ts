import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { BankRecord } from "../../../src/banks/directory/record.ts";
import { type BankQuery, bankSearch } from "../../../src/banks/search/bank-search.ts";
import { pluck } from "../../support/pluck.ts";
import { directoryOf, germanBank, italianBank } from "../records.ts";

function searchOver(records: readonly BankRecord[]) {
  const directory = directoryOf(records);
  const search = bankSearch(directory);
  return {
    search,
    find: (query: Partial<BankQuery>): readonly BankRecord[] =>
      search({ max: 50, ...query }).records.map((index) => directory.record(index)),
  };
}

let nextBlz = 20000000;
const bank = (fields: Partial<BankRecord>): BankRecord =>
  germanBank({ bankCode: String(nextBlz++), bic: null, shortName: "", ...fields });
const town = (location: string): BankRecord => bank({ name: "Sparkasse", location });
const named = (name: string): BankRecord => bank({ name });

const townsFound = (records: readonly BankRecord[], location: string): readonly string[] =>
  pluck(searchOver(records).find({ location }), "location");
const namesFound = (records: readonly BankRecord[], name: string): readonly string[] =>
  pluck(searchOver(records).find({ name }), "name");

test("a location that is a town's name finds no other town", () => {
  const others = ["Mönchengladbach", "Münchenbernsdorf", "Garching b. München", "München-Flughafen"];
  const towns = ["München", ...others].map(town);
  assert.deepEqual(townsFound(towns, "münchen"), ["München", "München-Flughafen"]);
  assert.deepEqual(townsFound(towns, "münch").length, 4);
});

test("a location that is the beginning of several towns finds them all", () => {
  const towns = ["Frankfurt am Main", "Frankfurt (Oder)", "Frankenthal"].map(town);
  assert.deepEqual([...townsFound(towns, "frankfurt")].sort(), ["Frankfurt (Oder)", "Frankfurt am Main"]);
  assert.deepEqual(townsFound(towns, "Oder Frankfurt"), ["Frankfurt (Oder)"]);
  assert.deepEqual(townsFound(towns, "Frankfurt a.M."), ["Frankfurt am Main"]);
});

test("typos are tolerated only where nothing is written so: one from five letters on, two from six, exchanged letters from four", () => {
  const towns = ["Hannover", "Hanover", "Ulm", "Kassel", "Bonn"].map(town);
  assert.deepEqual(townsFound(towns, "Hanover"), ["Hanover"]);
  assert.deepEqual([...townsFound(towns, "Hnnover")].sort(), ["Hannover", "Hanover"]);
  assert.deepEqual(townsFound(towns, "Kasesl"), ["Kassel"]);
  assert.deepEqual(townsFound(towns, "Uml"), []);
  assert.deepEqual(townsFound(towns, "Ksaesl"), ["Kassel"]);
  assert.deepEqual(townsFound(towns, "Xsaesl"), []);
  assert.deepEqual(townsFound(towns, "Bnon"), ["Bonn"]);
  assert.deepEqual(townsFound(towns, "Benn"), []);
});

test("words are found in any order, by their beginnings and joined", () => {
  const banks = ["Volksbank Mittelhessen", "ING-DiBa", "Sparkasse KölnBonn"].map(named);
  assert.deepEqual(namesFound(banks, "mittel volks"), ["Volksbank Mittelhessen"]);
  assert.deepEqual(namesFound(banks, "ingdiba"), ["ING-DiBa"]);
  assert.deepEqual(namesFound(banks, "Bonn Köln Sparkasse"), ["Sparkasse KölnBonn"]);
  assert.deepEqual(namesFound(banks, "hessen"), []);
});

test("abbreviations are found by what they stand for, behind what is written so", () => {
  const names = ["Kreissparkasse Köln", "Stadtsparkasse", "Spk Plus", "Raiffeisenbank Süd", "VR-Bank Nord"];
  const banks = names.map(named);
  assert.deepEqual(namesFound(banks, "spk"), ["Spk Plus", "Kreissparkasse Köln", "Stadtsparkasse"]);
  assert.deepEqual(namesFound(banks, "ksk"), ["Kreissparkasse Köln"]);
  assert.deepEqual(namesFound(banks, "raiba"), ["Raiffeisenbank Süd"]);
  for (const written of ["vr bank", "vrbank"]) assert.deepEqual(namesFound(banks, written), ["VR-Bank Nord"]);
});

test("better names rank first: equal, with that beginning, containing it, containing a longer word", () => {
  const names = ["Commerzbank", "Commerzbank Filiale", "Neue Commerzbank", "Commerzbanken"];
  assert.deepEqual(namesFound([...names].reverse().map(named), "commerzbank"), names);
});

test("equally good hits rank main records before additional locations, then by zip, then by Bankleitzahl", () => {
  const same = { name: "Bank", location: "Köln" };
  const records = [
    bank({ ...same, bankCode: "30000001", zip: "50002" }),
    bank({ ...same, bankCode: "30000001", zip: "50000", main: false }),
    bank({ ...same, bankCode: "30000003", zip: "50001" }),
    bank({ ...same, bankCode: "30000002", zip: "50001" }),
    bank({ ...same, bankCode: "30000004", zip: "" }),
  ];
  assert.deepEqual(
    searchOver(records)
      .find({ name: "bank" })
      .map(({ bankCode, zip }) => `${bankCode} ${zip}`),
    ["30000002 50001", "30000003 50001", "30000001 50002", "30000004 ", "30000001 50000"],
  );
});

test("a bank's own code comes before those that were another bank's, and before closed banks", () => {
  const names = ["UBI Banca (former)", "Banca (formerly UBI Banca)", "La UBI Banca", "UBI Banca S.p.A."];
  const { find } = searchOver(names.map((name, at) => italianBank({ bankCode: `0300${at}`, name })));
  const codes = (query: Partial<BankQuery>) => pluck(find({ ...query, countries: ["IT"] }), "bankCode");
  assert.deepEqual(codes({ name: "ubi banca" }), ["03003", "03002", "03000", "03001"]);
  assert.deepEqual(codes({ bankleitzahl: "0300" }), ["03002", "03003", "03000", "03001"]);
});

test("a word with the same umlauts ranks before one with others", () => {
  const towns = [town("Münster"), town("Munster")];
  assert.deepEqual(townsFound(towns, "munster"), ["Munster", "Münster"]);
  assert.deepEqual(townsFound(towns, "muenster"), ["Münster"]);
});

test("a number has no typo, and neither has a name that exists in another town", () => {
  assert.deepEqual(namesFound([named("Filiale 12345")], "12346"), []);
  const { find } = searchOver([
    bank({ name: "Merkur", location: "Köln" }),
    bank({ name: "Merkut", location: "Bonn" }),
  ]);
  assert.deepEqual(find({ name: "Merkur", location: "Bonn" }), []);
  assert.equal(find({ name: "Merkus", location: "Bonn" }).length, 1);
});

test("an abbreviation stands for whole words and may have several itself", () => {
  const towns = [town("Berg i.Gau"), town("Berg Isar Gau")];
  assert.deepEqual(townsFound(towns, "Berg im Gau"), ["Berg i.Gau"]);
  const banks = ["Volksbank Raiffeisenbank Ost", "Volksbank West", "Bank VRF"].map(named);
  assert.deepEqual(namesFound(banks, "vr bank ost"), ["Volksbank Raiffeisenbank Ost"]);
});

test("a town is found by its name in one word too", () => {
  assert.deepEqual(townsFound([town("Bad Homburg"), town("Baden")], "badhom"), ["Bad Homburg"]);
  assert.deepEqual(townsFound([town("Bad Endorf"), town("Baden")], "baden"), ["Baden"]);
});

test("criteria are combined with and", () => {
  const { find } = searchOver([
    bank({ name: "Volksbank", location: "Köln", zip: "50667", bankCode: "37000001" }),
    bank({ name: "Volksbank", location: "Bonn", zip: "53111", bankCode: "37000002" }),
    bank({ name: "Sparkasse", location: "Köln", zip: "50667", bankCode: "37000003" }),
  ]);
  const codes = (query: Partial<BankQuery>) => find(query).map((record) => record.bankCode);
  assert.deepEqual(codes({ name: "volksbank", location: "köln" }), ["37000001"]);
  assert.deepEqual(codes({ location: "köln", bankleitzahl: "37000003" }), ["37000003"]);
  assert.deepEqual(codes({ zip: "53", name: "bank" }), []);
  assert.deepEqual(codes({ zip: "53", bankleitzahl: "370" }), ["37000002"]);
  assert.deepEqual(codes({ name: "sparkasse", zip: "53" }), []);
});

test("zip and Bankleitzahl are prefixes; what is longer or no number finds nothing", () => {
  const { find } = searchOver([
    bank({ zip: "01234", bankCode: "37040044" }),
    ...["", "123456", "D-0123"].map((zip) => bank({ zip })),
  ]);
  for (const zip of ["0", "01", "01234", "1"]) assert.equal(find({ zip }).length, 1, zip);
  for (const zip of ["2", "012345", "0123x", "٠١", "1e3", "-1", "0x1"])
    assert.equal(find({ zip }).length, 0, zip);
  for (const bankleitzahl of ["3", "3704", "37040044"])
    assert.equal(find({ bankleitzahl }).length, 1, bankleitzahl);
  for (const bankleitzahl of ["370400440", "0", "3704 0044x"]) assert.equal(find({ bankleitzahl }).length, 0);
});

test("the short name and the town serve where the name alone finds nothing", () => {
  const { find } = searchOver([
    bank({ name: "Landesbank", shortName: "LBBW Stuttgart", location: "Stuttgart" }),
    bank({ name: "Commerzbank", location: "Frechen" }),
    bank({ name: "Frechener Bank", location: "Köln" }),
  ]);
  assert.equal(find({ name: "LBBW Stuttgart" }).length, 1);
  assert.deepEqual(pluck(find({ name: "Commerzbank Frechen" }), "name"), ["Commerzbank"]);
  assert.deepEqual(pluck(find({ name: "Frechen" }), "name"), ["Frechener Bank"]);
  assert.equal(find({ name: "Stuttgart Köln" }).length, 0);
});

test("a bank and its town find that bank too where another one has the town in its short name", () => {
  const { find } = searchOver([
    bank({ name: "Landesbank", shortName: "Landesbank Stuttgart", location: "Ulm" }),
    bank({ name: "Landesbank", shortName: "Landesbank Ost", location: "Stuttgart" }),
  ]);
  const towns = pluck(find({ name: "Landesbank Stuttgart" }), "location");
  assert.deepEqual(towns.sort(), ["Stuttgart", "Ulm"]);
});

test("a town alone is never found by the name", () => {
  assert.deepEqual(searchOver([bank({ name: "Commerzbank", location: "Köln" })]).find({ name: "Köln" }), []);
});

test("records equal in all that is shown are given once", () => {
  const same = { bankCode: "30000009", main: false, location: "Ulm", zip: "89073" } as const;
  const { search } = searchOver([
    bank({ bankCode: "30000009" }),
    bank(same),
    bank(same),
    bank({ ...same, bic: "SOLADES1ULM" }),
  ]);
  assert.equal(search({ location: "Ulm", max: 10 }).total, 2);
});

test("the total counts what max cuts off, and foreign banks are not searched", () => {
  const { search } = searchOver([...Array.from({ length: 60 }, () => named("Volksbank")), italianBank()]);
  const { total, records } = search({ name: "volksbank", max: 7 });
  assert.deepEqual([total, records.length], [60, 7]);
  assert.equal(search({ name: "UBI Banca", max: 7 }).total, 0);
});

test("a query of nothing finds nothing; white space is not asked, punctuation is and finds nothing", () => {
  const { find } = searchOver([bank({ zip: "80000" })]);
  assert.equal(find({}).length, 0);
  assert.equal(find({ name: " ", location: "", zip: "\t" }).length, 0);
  assert.equal(find({ name: " ", zip: "80" }).length, 1);
  assert.equal(find({ name: "---", zip: "80" }).length, 0);
  assert.equal(find({ location: "(!)", zip: "80" }).length, 0);
});

test("no text makes it throw, and hits are distinct and within max", () => {
  const { search } = searchOver(["Köln", "Straße Nord", "N26"].flatMap((text) => [named(text), town(text)]));
  const near = fc.string({ unit: fc.constantFrom(..."Köoelnß 2", "\u0308", "\ud800") });
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), near);
  fc.assert(
    fc.property(text, text, text, text, fc.integer({ min: 1, max: 50 }), (...values) => {
      const [name, location, zip, bankleitzahl, max] = values;
      const all = { name, location, zip, bankleitzahl };
      for (const query of [{ name }, { location }, { name, location }, all]) {
        const { total, records } = search({ ...query, max });
        assert.equal(records.length, Math.min(total, max));
        assert.equal(new Set(records).size, records.length);
      }
    }),
    { numRuns: 500 },
  );
});
