import assert from "node:assert/strict";
import { test } from "node:test";
import registry from "../../../data/iban-registry.json" with { type: "json" };
import { amountOf, epcText } from "../../../src/console/check/epc-text.ts";
import { lengthHint, recognise } from "../../../src/console/check/recognise.ts";
import { checkTexts } from "../../../src/console/words.ts";

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

test("an account number and a bank code are recognised in any order and spelling", () => {
  for (const text of [
    "532013000 37040044",
    "37040044 532013000",
    "BLZ: 37040044, Konto: 532013000",
    "Kontonummer 532013000 BLZ 370 400 44",
    "532013000/37040044",
    "Kto.-Nr. 532 013 000, BLZ 370 400 44",
    "Kto-Nr.: 532013000 BLZ: 37040044",
    "532013000 (BLZ 37040044)",
    "Bankleitzahl (BLZ): 37040044\nKontonummer: 532013000",
    "Account no.: 532013000, sort code: 37040044",
    "KTO-NR 532013000 BLZ-NR 37040044",
    "BLZ = 370 400 44, Girokonto = 532013000",
    "Bank-Leitzahl 37040044, Bankkonto 532013000",
    "532013000 · 37040044",
    ":25:37040044/532013000EUR",
    ":86:051?00UEBERWEISUNG?20RECHNUNG 4711?3037040044?31532013000?32MUSTERMANN",
    "Kontonummer (10-stellig): 532013000, Bankleitzahl (8 Stellen): 37040044",
    "Kontoinhaber: Erika Mustermann, Konto-Nr.: 532013000, BLZ: 37040044 (Commerzbank Köln)",
  ]) {
    const expected = { kind: "account", kontonummer: "532013000", blz: "37040044" };
    assert.deepEqual(recognise(text), expected, text);
  }
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
  const british = { kind: "british", sortCode: "601613", account: "31926819" };
  for (const text of ["sort code 60-16-13, account 31926819", "60-16-13 31926819"])
    assert.deepEqual(recognise(text), british, "the account is not taken for a bank code");
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

test("an account that a text names is found, and two IBANs on one line are two", () => {
  assert.deepEqual(recognise("Commerzbank, BLZ: 370 400 44, Konto-Nr. 532013000. Vielen Dank!"), {
    kind: "account",
    kontonummer: "532013000",
    blz: "37040044",
  });
  const both = recognise("DE89370400440532013000 DE02120300000000202051");
  const numbers = [{ iban: "DE89370400440532013000" }, { iban: "DE02120300000000202051" }];
  assert.deepEqual(both, { kind: "numbers", numbers });
});

test("the IBAN of an invoice is found with its BIC, among other numbers", () => {
  for (const [text, iban, bic] of [
    [
      "Rechnung Nr. 4711 vom 22.11.2026\nBitte überweisen Sie 1.250,00 € auf unser Konto bei der Commerzbank Köln:\nIBAN DE89 3704 0044 0532 0130 00\nBIC COBADEFFXXX\nUSt-IdNr. DE123456789, HRB 12345, Steuernummer 123/456/78901, Tel. 0221 123456",
      "DE89370400440532013000",
      "COBADEFFXXX",
    ],
    [
      "Invoice no. 2026-114\nPlease transfer EUR 1,250.00 within 14 days.\nAccount holder: Example Ltd\nIBAN: GB29 NWBK 6016\n1331 9268 19\nBIC/SWIFT: NWBKGB2L\nVAT GB123456789, phone +44 20 7946 0000",
      "GB29NWBK60161331926819",
      "NWBKGB2L",
    ],
    ["BIC BYLADEM1001 IBAN DE02 1203 0000 0000 2020 51", "DE02120300000000202051", "BYLADEM1001"],
    ["BYLADEM1001 DE02120300000000202051", "DE02120300000000202051", "BYLADEM1001"],
    ["ERIKA MUSTERMANN DE02 1203 0000 0000 2020 51", "DE02120300000000202051", undefined],
    ["IBAN: DE02 1203 0000 0000 2020 51BIC: BYLADEM1001", "DE02120300000000202051", "BYLADEM1001"],
    ["iban de02120300000000202051 bic byladem1001", "DE02120300000000202051", "BYLADEM1001"],
    ["DE02 1203 0000 0000 2020 51, BIC unbekannt", "DE02120300000000202051", undefined],
    [
      ":86:166?00GUTSCHRIFT?20SVWZ+RE 4711?30COBADEFFXXX?31DE89370400440532013000?32ERIKA",
      "DE89370400440532013000",
      "COBADEFFXXX",
    ],
    [
      "<BIC>COBADEFFXXX</BIC></FinInstnId></CdtrAgt><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN>",
      "DE89370400440532013000",
      "COBADEFFXXX",
    ],
    [":25:DE89370400440532013000EUR", "DE89370400440532013000", undefined],
    ["Zahlung an NL91-ABNA-0417-1643-00 (SWIFT-BIC: ABNANL2A)", "NL91ABNA0417164300", "ABNANL2A"],
  ] as const)
    assert.deepEqual(recognise(text), { kind: "iban", iban, bic, removed: ["text"] });
});

test("an IBAN with wrong check digits is found next to its BIC, and other numbers are not mistaken for one", () => {
  const expected = { kind: "iban", iban: "DE03120300000000202051", bic: "BYLADEM1001", removed: ["text"] };
  for (const text of [
    "DE03 1203 0000 0000 2020 51 BIC BYLADEM1001",
    "IBAN DE03 1203 0000 0000 2020 51\nBYLADEM1001",
    "Unsere IBAN: DE03 1203 0000 0000 2020 51, BIC BYLADEM1001, Danke",
  ])
    assert.deepEqual(recognise(text), expected, text);
  assert.equal(recognise("USt-IdNr. DE123456789 HRB 12345 Amt Köln").kind, "text");
  assert.equal(recognise("DE03 1203 0000 0000 2020 51 AB").kind, "iban");
});

test("a digit too many is not cut off to make the number right", () => {
  for (const text of [
    "DE89 3704 0044 0532 0130 000",
    "DE89 3704 0044 0532 0130 00 0",
    "IBAN: DE893704004405320130001",
  ]) {
    const found = recognise(text);
    assert.equal(found.kind, "partial", text);
  }
  assert.equal(recognise("Bitte an DE893704004405320130001 zahlen").kind, "partial");
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

test("says what was removed from a number, and a space of any width is nothing to say", () => {
  for (const [text, removed] of [
    ["DE89\u00a03704\u20090044\u202f0532 0130 00", []],
    ["DE89·3704·0044·0532·0130·00", ["separators"]],
    ["\u2068DE89 3704 0044 0532 0130 00\u2069", ["invisible"]],
    ["IBAN: DE89-3704-0044-0532-0130-00", ["separators", "label"]],
    ["ＤＥ89 3704 0044 0532 0130 00", ["width"]],
  ] as const) {
    const found = recognise(text);
    assert.deepEqual(found.kind === "iban" && [found.iban, found.removed], [
      "DE89370400440532013000",
      removed,
    ]);
  }
});

test("what is not complete says how long it has to be", () => {
  const partial = { kind: "partial", removed: [] };
  assert.deepEqual(recognise("DE89 3704"), { ...partial, iban: "DE893704", length: 22 });
  assert.deepEqual(recognise("XX12"), { ...partial, iban: "XX12", length: undefined });
  const words = checkTexts.en;
  for (const [text, hint] of [
    ["DE89 3704", "8 of 22 characters."],
    ["DEUTDEFF", words.onlyBic],
    ["COBADEFFXXX", words.onlyBic],
    ["DE98 ZZZ0 9999 9999 99", words.creditor],
  ] as const) {
    const found = recognise(text);
    assert.equal(found.kind === "partial" && lengthHint(found, words), hint);
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
