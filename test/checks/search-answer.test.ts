import assert from "node:assert/strict";
import { test } from "node:test";
import { bankSearch } from "../../src/banks/search/bank-search.ts";
import { searchAnswer } from "../../src/checks/search-answer.ts";
import type { BankSearchAnswer } from "../../src/client/index.ts";
import { directoryOf, germanBank } from "../banks/records.ts";

const directory = directoryOf([
  germanBank(),
  germanBank({ main: false, shortName: "", bic: null, zip: "50202", location: "Frechen" }),
  germanBank({ main: false, shortName: "", zip: "50171", location: "Kerpen" }),
]);
const search = bankSearch(directory);

test("what was found is given with status 1, the fields of each item in the specified order", () => {
  const item = (zip: string, location: string, short_name: string | null, main: boolean) => {
    return { zip, location, bank: "Commerzbank", blz: "37040044", bic: "COBADEFFXXX", short_name, main };
  };
  const items = [item("50447", "Köln", "Commerzbank Köln", true), item("50171", "Kerpen", null, false)];
  assert.equal(
    JSON.stringify(searchAnswer(directory, search, { name: "commerzbank", max: 2 }, "en")),
    JSON.stringify({ status: 1, message: "Banks found.", results: { count: 2, items, total: 3 } }),
  );
});

test("an item has country and bank code where countries or a BIC are asked for, and an offset passes the first", () => {
  const items = (query: Parameters<typeof searchAnswer>[2]) =>
    (searchAnswer(directory, search, query, "en") as BankSearchAnswer).results.items;
  for (const query of [{ bic: "COBADEFF" }, { name: "commerzbank", countries: ["DE"] }]) {
    const [first] = items({ ...query, max: 1 });
    assert.deepEqual([first?.country, first?.bank_code], ["DE", "37040044"]);
  }
  const behind = items({ name: "commerzbank", max: 2, offset: 1 }).map(({ zip, bic }) => `${zip} ${bic}`);
  assert.deepEqual(behind, ["50171 COBADEFFXXX", "50202 null"]);
});

test("nothing found is status 0 with an empty list", () => {
  assert.deepEqual(searchAnswer(directory, search, { name: "xyzzy", max: 10 }, "en"), {
    status: 0,
    message: "No bank found.",
    results: { count: 0, items: [], total: 0 },
  });
});
