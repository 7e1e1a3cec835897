import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RuleBank } from "../../../../src/banking/germany/iban-rules/draft.ts";
import { generateIban } from "../../../../src/banking/germany/iban-rules/generate.ts";
import { methodNames } from "../../../../src/banking/germany/methods.ts";
import { words } from "../../../support/words.ts";

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: min, maxLength: max });
const ruleCode = fc.integer({ min: 0, max: 57 }).map((rule) => String(rule).padStart(4, "0"));
const method = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("09", "13", "63", "76", "C7", "99", "C5", "00") },
  { weight: 2, arbitrary: fc.constantFrom(...methodNames) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, "", "12") },
);
const facts = fc.record(
  {
    method,
    bic: fc.constantFrom("BANKDEFFXXX", "", null, undefined),
    rule: ruleCode,
    successor: fc.constantFrom("87654321", "00000000", null, undefined),
    removed: fc.constantFrom(true, false, undefined),
  },
  { requiredKeys: ["rule"] },
) as unknown as fc.Arbitrary<RuleBank>;
const ruleBlz = fc.constantFrom(
  ...words`
    50040033 12080000 50070010 10020000 76026000 68351976 68351557 50050222 55050000 70020270 21050000 37010111
  `,
);
const blz = fc.oneof(ruleBlz, digits(8, 8));
const refusals = words`
  check_digit not_convertible invalid_account deleted_blz unknown_bank unknown_rule
`;

test("digits of any length become an IBAN that passes modulo 97 and holds its BLZ and account, or are refused", () => {
  fc.assert(
    fc.property(digits(0, 12), blz, facts, fc.option(facts), (kontonummer, from, bank, target) => {
      const bankOf = (wanted: string) => (wanted === from ? bank : target) ?? undefined;
      const generated = generateIban(from, kontonummer, bankOf);
      if ("error" in generated) {
        assert.ok(refusals.includes(generated.error));
        return;
      }
      const { iban } = generated;
      assert.equal(iban.slice(4), generated.blz + generated.kontonummer);
      assert.match(iban, /^DE\d{20}$/);
      assert.equal(BigInt(`${iban.slice(4)}1314${iban.slice(2, 4)}`) % 97n, 1n);
      assert.notEqual(Number(generated.kontonummer), 0);
      assert.ok(generated.bic === null || generated.bic.length === 11);
      const isReplaced = generated.kontonummer !== kontonummer.padStart(10, "0");
      assert.equal(generated.changes.includes("kontonummer"), isReplaced);
      assert.equal(generated.changes.includes("blz"), generated.blz !== from);
    }),
    { numRuns: 5000 },
  );
});
