import assert from "node:assert/strict";
import { before, test } from "node:test";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { type EditionParts, openEdition, writeEdition } from "../../../src/banks/editions/edition-block.ts";
import { loadShippedDirectory } from "../../../src/banks/editions/load.ts";
import { BankSearch } from "../../../src/banks/search/bank-search.ts";
import { packSearchIndex } from "../../../src/banks/search/search-index.ts";
import { dataFolder } from "../shipped.ts";

let directory: BankDirectory;
let parts: EditionParts;
before(async () => {
  const buffer = await loadShippedDirectory(dataFolder);
  directory = new BankDirectory(buffer);
  parts = { directory: buffer, searchIndex: packSearchIndex(directory) };
});

test("an edition is opened as it was written, at any place, over what stood there before", () => {
  const place = 4_096;
  const buffer = new SharedArrayBuffer(16 * 1_048_576);
  const room = new Uint8Array(buffer, place);
  room.fill(0xff);
  writeEdition(room, parts);
  const opened = openEdition(buffer, place);
  assert.deepEqual(opened.directory.bytes, directory.bytes);
  const built = new BankSearch(directory);
  for (const query of [
    { name: "commerzbank" },
    { location: "koeln" },
    { name: "spk", zip: "5" },
    { name: "deutshce" },
  ]) {
    assert.deepEqual(opened.search.find({ ...query, max: 50 }), built.find({ ...query, max: 50 }));
  }
});

test("an edition that does not fit is refused and nothing is written", () => {
  const room = new Uint8Array(directory.bytes.length + parts.searchIndex.length + 240);
  assert.throws(
    () => writeEdition(room, parts),
    /RangeError: the bank data takes \d+ bytes, and \d+ have room/,
  );
  assert.ok(room.every((byte) => byte === 0));
  writeEdition(new Uint8Array(room.length + 64), parts);
});

test("where no edition stands, none is opened", () => {
  assert.throws(() => openEdition(new SharedArrayBuffer(4_096), 0), RangeError);
});
