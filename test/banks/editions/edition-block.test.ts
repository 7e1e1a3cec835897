import assert from "node:assert/strict";
import { test } from "node:test";
import { openEdition, writeEdition } from "../../../src/banks/editions/edition-file.ts";
import { packWeights } from "../../../src/banks/lookup/account-policy.ts";
import { type BicFacts, bicRegister, factsOfBic } from "../../../src/banks/lookup/bics.ts";
import { bankSearch } from "../../../src/banks/search/bank-search.ts";
import { packArrays } from "../../../src/banks/search/packed-arrays.ts";
import { indexBanks } from "../../../src/banks/search/search-index.ts";
import { loadShippedData } from "../../support/shipped-directory.ts";

const testFacts: BicFacts = {
  name: "Prüfbank",
  location: null,
  schemes: { vop: { since: "2025-10-05", until: null } },
};
const { directory, modulus } = await loadShippedData();
const parts = {
  directory: directory.parts,
  search: indexBanks(directory),
  register: bicRegister({
    editions: { vop: "2026-11-15" },
    facts: new Map([["TESTDEFFXXX", testFacts]]),
  }),
  modulus: packWeights(modulus),
};

test("an edition opens unchanged at any place, over any earlier bytes", () => {
  const place = 4_096;
  const buffer = new SharedArrayBuffer(16 * 1_048_576);
  const room = new Uint8Array(buffer, place);
  room.fill(0xff);
  writeEdition(room, parts);
  const opened = openEdition(buffer, place);
  assert.deepEqual(opened.directory.bytes, directory.bytes);
  const built = bankSearch(directory);
  const names = ["commerzbank", "deutshce"].map((name) => ({ name }));
  for (const query of [...names, { location: "koeln" }, { name: "spk", zip: "5" }])
    assert.deepEqual(opened.search({ ...query, max: 50 }), built({ ...query, max: 50 }));
  assert.deepEqual(factsOfBic(opened.register, "TESTDEFF"), testFacts);
  assert.equal(factsOfBic(opened.register, "TESTDEFFXXY"), undefined);
  assert.deepEqual(opened.register.editions, { vop: "2026-11-15" });
  const found = [...opened.directory.withBic("COBADEFF")];
  const all = Array.from({ length: directory.size }, (_, index) => index);
  const expected = all.filter((index) => directory.bic(index)?.startsWith("COBADEFF"));
  assert.ok(expected.length > 100);
  assert.deepEqual(new Set(found), new Set(expected));
  assert.equal(opened.directory.withBic("ZZZZ").length, 0);
  assert.deepEqual(opened.weights(), modulus);
});

test("an edition that does not fit is refused and nothing is written", () => {
  const room = new Uint8Array(packArrays(parts).length - 1);
  const refusal = /RangeError: the bank data takes \d+ bytes, and \d+ have room/;
  assert.throws(() => writeEdition(room, parts), refusal);
  assert.ok(room.every((byte) => byte === 0));
  writeEdition(new Uint8Array(room.length + 1), parts);
});

test("bytes that are not an edition are not opened", () => {
  assert.throws(() => openEdition(new SharedArrayBuffer(4_096), 0), RangeError);
});
