import assert from "node:assert/strict";
import { test } from "node:test";
import { bicColumns } from "../../../src/rows/columns.ts";
import { recogniseLayout } from "../../../src/rows/layout.ts";
import { accountAt, at, iban, ibanAt } from "./layouts.ts";

test("columns are known by the names that people give them; a longer name is not theirs", () => {
  const named = (...names: readonly string[]) => at(`n;${names.join(";")}\na;x;y\n`).numbers;
  for (const name of ["iban", "IBAN-Nr", "IbanNummer", "iban number", " IBAN "])
    assert.deepEqual(named(name, "m"), [ibanAt(1)], name);
  for (const [kontonummer, blz] of [
    ["Konto", "BLZ"],
    ["Kto.-Nr.", "Bankleitzahl"],
    ["account number", "bank code"],
    ["AccountNo", "bank_code"],
    ["Kontonummer", "bankcode"],
  ] as const)
    assert.deepEqual(named(kontonummer, blz), [accountAt(1, 2)], kontonummer);
  for (const names of [
    ["ibanity", "m"],
    ["Unterkonto", "BLZ"],
    ["Kontostand", "BLZ"],
    ["Konto", "BLZ alt"],
    ["Konto", "alte BLZ"],
  ])
    assert.throws(() => named(...names), /No column looks like IBANs/, names.join());
  const bicsAt = (name: string, ...rows: readonly (readonly string[])[]) =>
    bicColumns({ header: ["iban", name], rows });
  for (const name of ["BIC", "swift", "BIC/SWIFT", "SwiftBic", "SWIFT-BIC", "bicswift", "BIC code", "BICNr."])
    assert.deepEqual(bicsAt(name, ["", "x"]), [1], name);
  for (const name of ["BICs", "old BIC", "swiftly"]) assert.deepEqual(bicsAt(name, ["", "x"]), [], name);
  const beside = (bic: string) => bicsAt("bank", [iban, bic], [` ${iban.toLowerCase()}`, bic], ["", ""]);
  for (const bic of ["COBADEFF", " cobadeffxxx "]) assert.deepEqual(beside(bic), [1], bic);
  for (const text of ["BNPAFRPP", "COBADEFFX", "COBADEFFXXXX", "C0BADEFF", "COBADE"])
    assert.deepEqual(beside(text), [], text);
});

test("columns named by options are taken, and what does not fit together is said with the options", () => {
  const three = `IBAN;iban;b\n${iban};${iban};COBADEFF\n`;
  assert.deepEqual(at(three, ["iban"]).numbers, [ibanAt(1)], "the exact name comes first");
  assert.deepEqual(at(three, ["1"], { bicColumn: "B" }).numbers, [{ ...ibanAt(0), columns: [0, 2] }]);
  const accounts = { kontonummerColumn: "x", blzColumn: "y" };
  assert.deepEqual(at("y;x\n1;2\n", [], accounts).numbers, [accountAt(1, 0)]);
  const list = `${iban};x\n`;
  for (const [content, column, more, says] of [
    [three, ["1", "2"], { bicColumn: "b" }, /^--bic-column takes one column with IBANs/],
    ["y;x\n1;2\n", [], { ...accounts, bicColumn: "x" }, /^--bic-column takes one column with IBANs/],
    ["konto;blz;b\n1;2;x\n", [], { bicColumn: "b" }, /^--bic-column takes one column with IBANs/],
    [
      three,
      ["1", "3"],
      {},
      /^Only one of the columns IBAN, b looks like IBANs;.* For IBAN and BIC use --bic-column/,
    ],
    [
      "x;y\n1;2\n",
      [],
      { blzColumn: "y" },
      /^Name both --kontonummer-column and --blz-column, without --column/,
    ],
    ["x;y\n1;2\n", [], { kontonummerColumn: "x" }, /^Name both/],
    ["x;y\n1;2\n", ["x"], accounts, /^Name both/],
    [three, ["c"], {}, /^There is no column "c"; the columns are: IBAN, iban, b\.$/],
    [list, ["3"], {}, /^There is no column "3"; the columns are: 1 … 2\.$/],
    [list, ["0"], {}, /^There is no column "0"/],
    [list, ["1x"], {}, /^There is no column "1x"/],
    [`${iban};${iban}\n`, [], {}, /look like IBANs: number 1, number 2\. Choose with --column,/],
    [
      `x;;${"y".repeat(41)};${"z".repeat(40)}\n`,
      [],
      { header: false },
      /with --column; the columns are:\n {2}1: "x"\n {2}2: \(empty\)\n {2}3: "y{40}…"\n {2}4: "z{40}"$/,
    ],
  ] as const)
    assert.throws(() => at(content, column, more), { name: "InputError", message: says });
});

test("a file that cannot be recognised is refused for its own reason", () => {
  for (const [content, isAll, more, says] of [
    ["", true, {}, /^The file is empty/],
    [" \n", false, {}, /no readable rows/],
    ["a\0b", true, {}, /^The file is not text/],
    [`"${"x".repeat(70_000)}`, false, {}, /^The first row is longer than 64 KB/],
    [`{"a":"${"x".repeat(70_000)}`, false, {}, /^The first row is longer than 64 KB/],
    [" { \n", true, {}, /^The file is a JSON object over several lines/],
    ["{broken\n[1]\n", true, {}, /^None of the first lines is a JSON object/],
    ["a\n", true, { skipLines: 4 }, /^The file has no line 5 within its first 64 KB/],
  ] as const) {
    const recognise = () => recogniseLayout(Buffer.from(content), isAll, { column: [], ...more });
    assert.throws(recognise, { name: "InputError", message: says }, content.slice(0, 20));
  }
});
