import assert from "node:assert/strict";
import { test } from "node:test";
import { generateIban } from "../../../../src/banking/germany/iban-rules/generate.ts";
import { readVectors } from "../../../vectors/read.ts";

test("every vector of the IBAN rules yields its IBAN and BIC or its refusal", () => {
  const vectors = readVectors("de-iban-rules.ndjson");
  assert.ok(vectors.length > 600, `only ${vectors.length} vectors`);
  for (const { rule, blz, account, iban, bic, error, bank, target } of vectors) {
    const generated = generateIban(blz, account, (wanted) => {
      if (wanted === blz) return { ...bank, rule };
      return wanted === target?.blz ? { ...target, rule: null } : undefined;
    });
    const label = `rule ${rule}, ${blz}/${account}`;
    if ("error" in generated) assert.equal(generated.error, error, label);
    else assert.deepEqual([generated.iban, generated.bic], [iban, bic ?? null], label);
  }
});
