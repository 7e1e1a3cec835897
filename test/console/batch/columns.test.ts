import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckedNumbers, type Sheet, sheetOf } from "../../../src/console/batch/columns.ts";
import { jsonRows, numbersInText } from "../../../src/console/batch/documents.ts";

/** The sheet of lines whose fields semicolons separate. */
function sheet(...lines: readonly string[]): Sheet {
  const rows = lines.map((line) => line.split(";"));
  return sheetOf({ name: "", rows, rowNumbers: rows.map((_, index) => index + 1), delimiter: ";" })!;
}

const checked = (...lines: readonly string[]) => new CheckedNumbers(sheet(...lines));

const iban = "DE89370400440532013000";

test("numbers are read as people and spreadsheets write them, and a note says how", () => {
  const pairs = sheet("iban;bic", "IBAN: DE89-3704-0044-0532-0130-00; cobadeff ");
  const note = `read as ${iban}`;
  assert.deepEqual(new CheckedNumbers(pairs).read(0), { number: { iban, bic: "COBADEFF" }, note });
  assert.deepEqual(new CheckedNumbers(pairs, 1).read(0).number, { iban });
  const accounts = checked("konto;blz", "532013000.0;370 400 44");
  const number = { kontonummer: "532013000", bankleitzahl: "37040044" };
  assert.deepEqual(accounts.read(0), { number, note: "read as 532013000" });
});

test("no number is lost, and none read twice, wherever a long text is cut into slices", async () => {
  for (const [number, found] of [
    ["DE89 3704 0044 0532 0130 00", [iban, ""]],
    ["Konto 532013000, BLZ 37040044", ["532013000", "37040044"]],
  ] as const)
    for (const blank of [" ", "\n"])
      for (let at = 8_150; at < 8_200; at++) {
        const text = `${`word${blank}`.repeat(2_000).slice(0, at)}${blank}${number} word`;
        const [sheet, ...others] = await numbersInText(text);
        const numbers = sheet?.rows.slice(1).map((row) => row.slice(0, 2));
        assert.deepEqual([numbers, others], [[found], []], `${blank} ${at}`);
        assert.equal(sheet?.rowNumbers[1], text.slice(0, text.indexOf(number)).split("\n").length);
      }
});

test("a row without the column has an empty number", () => {
  for (const lines of [["iban;bic", `${iban};COBADEFF`], ["konto;blz", "1;37040044"], [iban]]) {
    const { length } = sheet(...lines).choices;
    for (let choice = 0; choice < length; choice++) {
      const numbers = new CheckedNumbers(sheet(...lines), choice);
      assert.equal(Object.values(numbers.read(5).number).join(""), "");
    }
  }
});

test("a row with more fields than those before it widens the table, so that results stay below their names", () => {
  const rows = Array.from({ length: 110 }, () => `Anna;${iban}`);
  assert.equal(sheet("name;iban", ...rows, `Ben;${iban};`).width, 3);
});

test("rows keep their numbers in the file, and a title above the header is not checked", () => {
  const { header, rows, rowNumbers } = sheet(
    "Suppliers, November 2026;;",
    "See the next sheet;;",
    "Name;IBAN;Town",
    `Anna;${iban};Köln`,
    `Ben;${iban};Bonn`,
    `Carla;${iban};Trier`,
  );
  assert.deepEqual(header, ["Name", "IBAN", "Town"]);
  const names = rows.map(([name]) => name);
  assert.deepEqual(
    [names, rowNumbers],
    [
      ["Anna", "Ben", "Carla"],
      [4, 5, 6],
    ],
  );
});

test("the names of JSON's keys are never taken for a row, and rows are counted from 1", () => {
  for (const [text, header] of [
    [`{"1":"${iban}","":2}`, ["1", ""]],
    [`["${iban}"]`, ["iban"]],
  ] as const) {
    const found = sheetOf(jsonRows(text)!)!;
    assert.deepEqual([found.header, found.rowNumbers], [header, [1]], text);
  }
});

test("every pair of columns that may be meant can be chosen", () => {
  const accounts = checked("customer;payee account;BLZ", "4711;532013000;37040044");
  assert.equal(accounts.checked.length, 0);
  assert.deepEqual(accounts.options(), [
    ...["–", "customer with BLZ", "payee account with BLZ"],
    ...["customer", "payee account", "BLZ"],
  ]);
  const ibans = checked("payer;payee;bic", `${iban};${iban};COBADEFF`);
  assert.deepEqual(ibans.options().slice(0, 4), [
    ...["–", "All 2 columns of IBANs", "payer with bic", "payee with bic"],
  ]);
  const beside = checked("iban;IBAN;Konto;BLZ", `${iban};${iban};532013000;37040044`);
  const twoCodes = checked("37040044;37040044", ";10010010");
  assert.deepEqual([beside.checked, twoCodes.checked], [[], []], "as the command asks for the column");
});
