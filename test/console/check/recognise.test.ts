import assert from "node:assert/strict";
import { test } from "node:test";
import registry from "../../../data/iban-registry.json" with { type: "json" };
import { epcText } from "../../../src/console/check/epc-text.ts";
import { recognise } from "../../../src/console/check/recognise.ts";

const lengths = Object.fromEntries(registry.countries.map(({ code, ibanLength }) => [code, ibanLength]));

test("the example of every country is an IBAN, compact and in fours, in any case", () => {
  for (const { example } of registry.countries) {
    for (const text of [
      example,
      example.toLowerCase(),
      example.replace(/(.{4})/g, "$1 "),
      `IBAN ${example}`,
    ]) {
      const found = recognise(text, lengths);
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
  ]) {
    const expected = { kind: "account", kontonummer: "532013000", blz: "37040044" };
    assert.deepEqual(recognise(text, lengths), expected, text);
  }
  assert.deepEqual(recognise("532013000", lengths), {
    kind: "account",
    kontonummer: "532013000",
    blz: undefined,
  });
});

test("an account that a text names is found, and two IBANs on one line are two", () => {
  assert.deepEqual(recognise("Commerzbank, BLZ: 370 400 44, Konto-Nr. 532013000. Vielen Dank!", lengths), {
    kind: "account",
    kontonummer: "532013000",
    blz: "37040044",
  });
  assert.equal(recognise("DE89370400440532013000 DE02120300000000202051", lengths).kind, "text");
});

test("what is not complete says how long it has to be", () => {
  const partial = { kind: "partial", removed: [] };
  assert.deepEqual(recognise("DE89 3704", lengths), { ...partial, iban: "DE893704", length: 22 });
  assert.deepEqual(recognise("XX12", lengths), { ...partial, iban: "XX12", length: undefined });
});

test("text without a right IBAN stays text, and an empty field is empty", () => {
  assert.equal(recognise("Please call me tomorrow about the invoice", lengths).kind, "text");
  assert.equal(recognise(" \n", lengths).kind, "empty");
});

test("the payment code has the lines of the guidelines and refuses amounts out of bounds", () => {
  const payee = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };
  assert.equal(
    epcText(payee, "Erika Mustermann", "12,3", "Invoice 5"),
    "BCD\n002\n1\nSCT\nCOBADEFFXXX\nErika Mustermann\nDE89370400440532013000\nEUR12.30\n\n\nInvoice 5",
  );
  assert.equal(epcText(payee, "A", "", ""), "BCD\n002\n1\nSCT\nCOBADEFFXXX\nA\nDE89370400440532013000");
  for (const amount of ["0", "-1", "1000000000", "x"])
    assert.equal(epcText(payee, "A", amount, ""), undefined);
});
