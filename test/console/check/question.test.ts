import assert from "node:assert/strict";
import { test } from "node:test";
import registry from "../../../data/iban-registry.json" with { type: "json" };
import { amountOf, epcText } from "../../../src/console/check/epc-text.ts";
import { questionOf } from "../../../src/console/check/question.ts";
import { checkTexts as words } from "../../../src/console/words.ts";

const asked = (text: string, bic = "") => questionOf(text, { bic, blz: "", isBicTyped: false });
const numbersIn = (text: string, bic?: string) => asked(text, bic).numbers;

test("the example of every country is an IBAN, compact and in fours, in any case", () => {
  for (const { example } of registry.countries) {
    for (const text of [example, example.toLowerCase(), example.replace(/(.{4})/g, "$1 "), `IBAN ${example}`])
      assert.deepEqual(numbersIn(text), [{ iban: example }], text);
  }
});

test("either of two numbers without names may be the bank code, and one that is alone needs it", () => {
  const either = { kontonummer: "12345676", bankleitzahl: "37040044", inAnyOrder: true };
  assert.deepEqual(numbersIn("12345676 37040044"), [either]);
  for (const text of ["7 37040044", "37040044 7"])
    assert.deepEqual(numbersIn(text), [{ kontonummer: "7", bankleitzahl: "37040044" }], text);
  assert.deepEqual(asked("532013000"), { hint: words.needsBlz, takesBlz: true });
  const beside = questionOf("532013000", { bic: "", blz: "370 400 44", isBicTyped: false });
  assert.deepEqual(beside.numbers, [{ kontonummer: "532013000", bankleitzahl: "37040044" }]);
});

test("a bank code that is named as one is not an account number", () => {
  for (const text of ["BLZ 37040044", "Bankleitzahl: 370 400 44", "blz 37040044 Konto"])
    assert.deepEqual(asked(text), { hint: "Enter the account number at bank code 37040044." }, text);
  assert.deepEqual(asked("BLZ 3704"), { hint: "4 of 8 characters." });
  const named = numbersIn("Sort code 60-16-13, account 31926819, BIC NWBKGB2L", "NWBKGB2L");
  assert.deepEqual(named, [{ iban: "GB29NWBK60161331926819", bic: "NWBKGB2L" }]);
  for (const text of ["BLZ 37040044 12", "BLZ 370 400 44 12", "BLZ 37040044 Konto 12"])
    assert.deepEqual(numbersIn(text), [{ kontonummer: "12", bankleitzahl: "37040044" }], text);
});

test("a British account beside other numbers is not dropped, and the BIC beside the text makes its IBAN", () => {
  const british = "Sort code 60-16-13 Account 31926819";
  const german = "DE89370400440532013000";
  const needsBic = /^Sort code 601613, account 31926819: add the bank's BIC/;
  for (const [text, bic, numbers] of [
    [british, "", undefined],
    [british, "COBADEFF", undefined],
    [`IBAN ${german}, ${british}`, "", [{ iban: german }]],
    [
      `${british}, Konto 532013000 BLZ 37040044`,
      "",
      [{ kontonummer: "532013000", bankleitzahl: "37040044" }],
    ],
  ] as const) {
    const { hint = "", takesBic, ...question } = asked(text, bic);
    assert.match(hint, needsBic, `${text} ${bic}: a German BIC makes no British IBAN`);
    assert.deepEqual([takesBic, question.numbers], [true, numbers]);
  }
  const composed = { iban: "GB29NWBK60161331926819", bic: "NWBKGB2L" };
  assert.deepEqual(numbersIn(`IBAN ${german}, ${british}`, "nwbk gb 2l"), [{ iban: german }, composed]);
  const { numbers, cleaned } = asked(british, "NWBKGB2L");
  assert.deepEqual([numbers, cleaned], [[composed], "GB29 NWBK 6016 1331 9268 19 (found in the text)"]);
});

test("digits that are an IBAN without its country get it, others are too long for an account", () => {
  const { numbers, cleaned } = asked("89 3704 0044 0532 0130 00");
  assert.deepEqual(numbers, [{ iban: "DE89370400440532013000" }]);
  assert.equal(cleaned, "DE89 3704 0044 0532 0130 00 (“DE” added)");
  for (const digits of ["88370400440532013000", "12345678901", "1".repeat(61)]) {
    const { numbers, hint } = asked(digits);
    assert.deepEqual([numbers, hint], [undefined, hint?.replace(/^\d+/, String(digits.length))]);
    assert.match(hint ?? "", /digits: an account number has at most 10/);
  }
});

test("what is not complete says how long it has to be, or what else it is", () => {
  for (const [text, hint] of [
    ["DE89 3704", "8 of 22 characters."],
    ["XX12", "XX is not a country with IBANs. An IBAN begins with two letters and two digits."],
    ["DEUTDEFF", words.kinds.bic],
    ["COBADEFFXXX", words.kinds.bic],
    ["DE98 ZZZ0 9999 9999 99", words.kinds.creditor_identifier],
    ["30569309025904", words.kinds.card],
    ["4111 1111 1111 1111", words.kinds.card],
    ["4111 1111 1111 1111 110", words.kinds.card],
    ["Please call me tomorrow about the invoice", words.noneFound],
    [" \n", words.empty],
  ] as const)
    assert.equal(asked(text).hint, hint, text);
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
