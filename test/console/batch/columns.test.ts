import assert from "node:assert/strict";
import { test } from "node:test";
import { type Columns, noteOf, numberOf } from "../../../src/console/batch/columns.ts";
import type { Sheet } from "../../../src/console/batch/sheets.ts";

const sheet = (columns: Partial<Sheet>, ...rows: readonly (readonly string[])[]): Sheet => ({
  name: "",
  delimiter: ";",
  header: undefined,
  rows,
  width: 2,
  ibanColumn: undefined,
  bicColumn: undefined,
  kontonummerColumn: undefined,
  blzColumn: undefined,
  ...columns,
});

test("a batch of the longest rows in any script stays below the 128 KB that the service takes", () => {
  const longest = sheet({ ibanColumn: 0 }, ["\ud800".repeat(1_000)]);
  const ibans = Array.from({ length: 500 }, () => Object.values(numberOf(longest, "0", 0))[0]);
  const size = Buffer.byteLength(JSON.stringify({ ibans }));
  assert.ok(size < 128 * 1024, String(size));
});

test("numbers are read as people and spreadsheets write them, and a note says how", () => {
  const ibans = sheet({ ibanColumn: 0, bicColumn: 1 }, ["IBAN: DE89-3704-0044-0532-0130-00", " cobadeff "]);
  assert.deepEqual(numberOf(ibans, "0", 0), { iban: "DE89370400440532013000" });
  assert.deepEqual(numberOf(ibans, "pairs", 0), { iban: "DE89370400440532013000", bic: "COBADEFF" });
  assert.equal(noteOf(ibans, "pairs", 0), "read as DE89370400440532013000");
  const accounts = sheet({ kontonummerColumn: 0, blzColumn: 1 }, ["532013000.0", "370 400 44"]);
  assert.deepEqual(numberOf(accounts, "accounts", 0), { kontonummer: "532013000", bankleitzahl: "37040044" });
  assert.equal(noteOf(accounts, "accounts", 0), "read as 532013000");
});

test("a row without the column has an empty number", () => {
  for (const columns of ["0", "pairs", "accounts", ""] as Columns[]) {
    assert.equal(Object.values(numberOf(sheet({}, []), columns, 5)).join(""), "");
  }
});
