import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuleBank } from "../../../../src/banking/germany/iban-rules/draft.ts";
import { generateIban, isCheckDigitWaived } from "../../../../src/banking/germany/iban-rules/generate.ts";
import { readVectors } from "../../../vectors/read.ts";

const bankWith = (rule: string, method: string) => (): RuleBank => ({ rule, method, bic: null });

test("a number of a rule's list is waived at a bank with that rule", () => {
  assert.equal(isCheckDigitWaived("35060190", "0008090100", bankWith("002600", "06")), true);
  assert.equal(isCheckDigitWaived("32060362", "0000004444", bankWith("002700", "06")), true);
});

test("a number is not waived at a bank with another rule, an unknown one or none", () => {
  assert.equal(isCheckDigitWaived("35060190", "0008090100", bankWith("000000", "06")), false);
  assert.equal(
    isCheckDigitWaived("35060190", "0008090100", () => ({ rule: null, method: "06", bic: null })),
    false,
  );
  assert.equal(
    isCheckDigitWaived("35060190", "0008090100", () => undefined),
    false,
  );
});

test("a number beside the list is not waived", () => {
  assert.equal(isCheckDigitWaived("35060190", "0008090101", bankWith("002600", "06")), false);
});

test("the target of a donation account that is given without check is waived", () => {
  assert.equal(isCheckDigitWaived("70020270", "5803435253", bankWith("003301", "99")), true);
});

test("a number that rule 0049 rotates is waived, one it does not is not", () => {
  assert.equal(isCheckDigitWaived("30060010", "9060640063", bankWith("004901", "44")), true);
  assert.equal(isCheckDigitWaived("30060010", "8060640063", bankWith("004901", "44")), false);
});

test("a number that generateIban accepts without a test is waived in its IBAN, for every vector", () => {
  let waived = 0;
  for (const vector of readVectors("de-iban-rules.ndjson")) {
    const bankOf = (blz: string) => (blz === vector.blz ? { ...vector.bank, rule: vector.rule } : undefined);
    const generated = generateIban(vector.blz, vector.account, bankOf);
    if (!("iban" in generated) || generated.checkDigit !== "waived" || generated.blz !== vector.blz) continue;
    waived++;
    assert.equal(
      isCheckDigitWaived(generated.blz, generated.kontonummer, bankOf),
      true,
      JSON.stringify(vector),
    );
  }
  assert.ok(waived >= 50, `only ${waived} vectors are given without a test`);
});
