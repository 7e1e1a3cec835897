import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuleBank } from "../../../../src/banking/germany/iban-rules/draft.ts";
import { generateIban, isCheckDigitWaived } from "../../../../src/banking/germany/iban-rules/generate.ts";
import { readVectors } from "../../../vectors/read.ts";

const vectors = readVectors("de-iban-rules.ndjson");

test("every vector of the IBAN rules yields its IBAN and BIC or its refusal", () => {
  assert.ok(vectors.length > 600, `only ${vectors.length} vectors`);
  for (const { rule, blz, account, iban, bic, error, bank, target } of vectors) {
    const generated = generateIban(blz, account, (wanted) => {
      if (wanted === blz) return { ...bank, rule, removed: bank.change === "D" };
      return wanted === target?.blz ? { ...target, rule: null } : undefined;
    });
    const label = `rule ${rule}, ${blz}/${account}`;
    if ("error" in generated) assert.equal(generated.error, error, label);
    else assert.deepEqual([generated.iban, generated.bic], [iban, bic ?? null], label);
  }
});

test("a check digit is waived for the numbers of a rule's list, at a bank with that rule", () => {
  const bank = (rule: string | null, method: string): RuleBank => ({ rule, method, bic: null });
  for (const [blz, kontonummer, found, isWaived] of [
    ["35060190", "0008090100", bank("002600", "06"), true],
    ["32060362", "0000004444", bank("002700", "06"), true],
    ["35060190", "0008090100", bank("000000", "06"), false],
    ["35060190", "0008090100", bank(null, "06"), false],
    ["35060190", "0008090100", undefined, false],
    ["35060190", "0008090101", bank("002600", "06"), false],
    // The target of a donation account that is given without check.
    ["70020270", "5803435253", bank("003301", "99"), true],
    // Rule 0049 rotates the first of these.
    ["30060010", "9060640063", bank("004901", "44"), true],
    ["30060010", "8060640063", bank("004901", "44"), false],
  ] as const) {
    const result = isCheckDigitWaived(blz, kontonummer, () => found);
    assert.equal(result, isWaived, `${blz} ${kontonummer} ${found?.rule}`);
  }
});

test("a number that generateIban accepts without a test is waived in its IBAN, for every vector", () => {
  let waived = 0;
  for (const vector of vectors) {
    const bankOf = (blz: string) => (blz === vector.blz ? { ...vector.bank, rule: vector.rule } : undefined);
    const generated = generateIban(vector.blz, vector.account, bankOf);
    if (!("iban" in generated) || generated.checkDigit !== "waived" || generated.blz !== vector.blz) continue;
    waived++;
    const isWaived = isCheckDigitWaived(generated.blz, generated.kontonummer, bankOf);
    assert.ok(isWaived, JSON.stringify(vector));
  }
  assert.ok(waived >= 50, `only ${waived} vectors are given without a test`);
});
