import assert from "node:assert/strict";
import { test } from "node:test";
import registry from "../../../data/iban-registry.json" with { type: "json" };
import { amountOf, epcText } from "../../../src/console/check/epc-text.ts";
import { lengthHint, recognise } from "../../../src/console/check/recognise.ts";
import { checkTexts as words } from "../../../src/console/words.ts";

test("the example of every country is an IBAN, compact and in fours, in any case", () => {
  for (const { example } of registry.countries) {
    for (const text of [
      example,
      example.toLowerCase(),
      example.replace(/(.{4})/g, "$1 "),
      `IBAN ${example}`,
    ]) {
      const found = recognise(text);
      assert.equal(found.kind === "iban" && found.iban, example, text);
    }
  }
});

test("either of two numbers without names may be the bank code, and an account number may be alone", () => {
  const either = { kind: "account", kontonummer: "12345676", blz: "37040044", inAnyOrder: true };
  assert.deepEqual(recognise("12345676 37040044"), either);
  for (const text of ["7 37040044", "37040044 7"])
    assert.deepEqual(recognise(text), { kind: "account", kontonummer: "7", blz: "37040044" }, text);
  assert.deepEqual(recognise("532013000"), {
    kind: "account",
    kontonummer: "532013000",
    blz: undefined,
  });
});

test("a bank code that is named as one is not an account number", () => {
  for (const text of ["BLZ 37040044", "Bankleitzahl: 370 400 44", "blz 37040044 Konto"])
    assert.deepEqual(recognise(text), { kind: "blz", blz: "37040044" }, text);
  assert.deepEqual(recognise("BLZ 3704"), { kind: "blz", blz: "3704" });
  const named = recognise("Sort code 60-16-13, account 31926819, BIC NWBKGB2L");
  assert.deepEqual(named, {
    kind: "iban",
    iban: "GB29NWBK60161331926819",
    bic: "NWBKGB2L",
    removed: ["text"],
  });
  for (const text of ["BLZ 37040044 12", "BLZ 370 400 44 12", "BLZ 37040044 Konto 12"])
    assert.deepEqual(recognise(text), { kind: "account", kontonummer: "12", blz: "37040044" }, text);
});

test("a British account beside other numbers is not dropped, and the BIC beside the text makes its IBAN", () => {
  const british = "Sort code 60-16-13 Account 31926819";
  const german = "DE89370400440532013000";
  const bankCodeOf = (text: string, bic?: string) =>
    recognise(text, bic).british?.map(({ bankCode }) => bankCode);
  assert.deepEqual([recognise(british).kind, bankCodeOf(british)], ["text", ["601613"]]);
  const both = recognise(`IBAN ${german}, ${british}`);
  assert.deepEqual([both.kind, bankCodeOf(`IBAN ${german}, ${british}`)], ["iban", ["601613"]]);
  const composed = { iban: "GB29NWBK60161331926819", bic: "NWBKGB2L" };
  assert.deepEqual(recognise(`IBAN ${german}, ${british}`, "nwbk gb 2l"), {
    kind: "numbers",
    numbers: [{ iban: german }, composed],
  });
  assert.deepEqual(recognise(british, "NWBKGB2L"), { kind: "iban", ...composed, removed: ["text"] });
  assert.deepEqual(bankCodeOf(british, "COBADEFF"), ["601613"], "a German BIC makes no British IBAN");
});

test("digits that are an IBAN without its country get it, others are too long for an account", () => {
  const [right, wrong] = ["89 3704 0044 0532 0130 00", "88370400440532013000"];
  const expected = { kind: "iban", iban: "DE89370400440532013000", bic: undefined, removed: ["country"] };
  assert.deepEqual(recognise(right), expected);
  for (const digits of [wrong, "12345678901"]) {
    const expected = { kind: "partial", iban: digits, length: undefined, removed: [] };
    assert.deepEqual(recognise(digits), expected);
  }
});

test("what is not complete says how long it has to be", () => {
  const partial = { kind: "partial", removed: [] };
  assert.deepEqual(recognise("DE89 3704"), { ...partial, iban: "DE893704", length: 22 });
  assert.deepEqual(recognise("XX12"), { ...partial, iban: "XX12", length: undefined });
  for (const [text, hint] of [
    ["DE89 3704", "8 of 22 characters."],
    ["DEUTDEFF", words.kinds.bic],
    ["COBADEFFXXX", words.kinds.bic],
    ["DE98 ZZZ0 9999 9999 99", words.kinds.creditor_identifier],
    ["30569309025904", words.kinds.card],
    ["4111 1111 1111 1111", words.kinds.card],
    ["4111 1111 1111 1111 110", words.kinds.card],
  ] as const) {
    const found = recognise(text);
    assert.equal(found.kind === "partial" && lengthHint(found), hint);
  }
});

test("text without a right IBAN stays text, and an empty field is empty", () => {
  assert.equal(recognise("Please call me tomorrow about the invoice").kind, "text");
  assert.equal(recognise(" \n").kind, "empty");
});

test("the payment code has the lines of the guidelines", () => {
  const payee = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };
  assert.equal(
    epcText(payee, "Erika Mustermann", 12.3, "Invoice 5"),
    "BCD\n002\n1\nSCT\nCOBADEFFXXX\nErika Mustermann\nDE89370400440532013000\nEUR12.30\n\n\nInvoice 5",
  );
  assert.equal(
    epcText(payee, "A", undefined, ""),
    "BCD\n002\n1\nSCT\nCOBADEFFXXX\nA\nDE89370400440532013000",
  );
});

test("an amount is read as it is written in English and German, and never as a smaller one", () => {
  for (const [text, amount] of [
    ["12,3", 12.3],
    ["12.30 €", 12.3],
    ["EUR 1.234,56", 1_234.56],
    ["1,234.56", 1_234.56],
    ["1 234 567,89", 1_234_567.89],
    ["999999999.99", 999_999_999.99],
  ] as const)
    for (const language of ["en", "de"] as const) assert.equal(amountOf(text, language), amount, text);
  assert.equal(amountOf("1.234", "de"), 1_234);
  assert.equal(amountOf("1,234", "en"), 1_234);
  assert.equal(amountOf("1.234", "en"), undefined, "three decimals are not a thousand euros");
  assert.equal(amountOf("12,345", "de"), undefined);
  for (const text of ["0", "-1", "1000000000", "x", "1.2345", "1,23,45", "12.345.6", ""])
    for (const language of ["en", "de"] as const) assert.equal(amountOf(text, language), undefined, text);
});
