import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckedNumbers, type Columns, type Sheet } from "../../../src/console/batch/columns.ts";

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
  const ibans = Array.from(
    { length: 500 },
    () => Object.values(new CheckedNumbers(longest, "0").number(0))[0],
  );
  const size = Buffer.byteLength(JSON.stringify({ ibans }));
  assert.ok(size < 128 * 1024, String(size));
});

test("numbers are read as people and spreadsheets write them, and a note says how", () => {
  const ibans = sheet({ ibanColumn: 0, bicColumn: 1 }, ["IBAN: DE89-3704-0044-0532-0130-00", " cobadeff "]);
  assert.deepEqual(new CheckedNumbers(ibans, "0").number(0), { iban: "DE89370400440532013000" });
  assert.deepEqual(new CheckedNumbers(ibans, "pairs").number(0), {
    iban: "DE89370400440532013000",
    bic: "COBADEFF",
  });
  assert.equal(new CheckedNumbers(ibans, "pairs").note(0), "read as DE89370400440532013000");
  const accounts = sheet({ kontonummerColumn: 0, blzColumn: 1 }, ["532013000.0", "370 400 44"]);
  assert.deepEqual(new CheckedNumbers(accounts, "accounts").number(0), {
    kontonummer: "532013000",
    bankleitzahl: "37040044",
  });
  assert.equal(new CheckedNumbers(accounts, "accounts").note(0), "read as 532013000");
});

test("a row without the column has an empty number", () => {
  for (const columns of ["0", "pairs", "accounts", ""] as Columns[]) {
    assert.equal(Object.values(new CheckedNumbers(sheet({}, []), columns).number(5)).join(""), "");
  }
});
