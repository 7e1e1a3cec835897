import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import table from "../../../../data/de-iban-rules.json" with { type: "json" };
import { stepsOfRule } from "../../../../src/banking/germany/iban-rules/generate.ts";
import type { Step } from "../../../../src/banking/germany/iban-rules/steps.ts";
import { methodNames } from "../../../../src/banking/germany/methods.ts";

test("the rules 0000 to 0057 are there, in whichever version, and no others", () => {
  for (let number = 0; number <= 57; number++) {
    const code = String(number).padStart(4, "0");
    assert.ok(stepsOfRule(code) !== undefined, code);
    for (const version of ["00", "99"]) assert.equal(stepsOfRule(code + version), stepsOfRule(code));
  }
  assert.equal(stepsOfRule("0058"), undefined);
});

const text = (pattern: string) => ({ type: "string", pattern: `^${pattern}$` });
const choice = (...values: readonly string[]) => ({ enum: values });
const listOf = (items: object) => ({ type: "array", items, minItems: 1 });
const tuple = (...items: readonly object[]) => {
  return { type: "array", items, minItems: 2, additionalItems: false };
};
const mapOf = (propertyNames: object, additionalProperties: object) => {
  return { type: "object", propertyNames, additionalProperties };
};
const fields = (optional: object, required: object = {}) => ({
  type: "object",
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});
const numberIn = (number: object, bound = number) => listOf({ anyOf: [number, tuple(bound, bound)] });
const wholeTo = (maximum: number) => ({ type: "integer", minimum: 1, maximum });
const digitsAt = (places: number) => listOf(tuple(wholeTo(places), text("\\d+")));

const blz = text("\\d{8}");
const kontonummer = text("[1-9]\\d{0,9}");
const bic = text("[A-Z]{6}[A-Z0-9]{5}");
const method = choice(...methodNames);
const then = choice("accept", "check");
const refusal = choice("not_convertible", "invalid_account");
const tenPlaces = text("[a-z\\d]{10}");
const replacements = mapOf(kontonummer, { anyOf: [kontonummer, tuple(blz, kontonummer)] });
const condition = fields({
  blz: numberIn(blz),
  blzDigits: digitsAt(8),
  kontonummer: numberIn(kontonummer, text("\\d{1,10}")),
  digitCount: listOf(wholeTo(10)),
  digits: digitsAt(10),
  method: listOf(method),
  methodKnown: { type: "boolean" },
  passes: method,
});
const conditions = { anyOf: [condition, listOf(condition)] };

/** The fields that each kind of step must have, and those that it may have. */
const kinds: Readonly<Record<Step["do"], readonly [required: object, optional?: object]>> = {
  refuse: [{ reason: refusal }],
  accept: [{}],
  check: [{}, { method }],
  fitSubAccount: [{ method, try: listOf(choice("asGiven", "appended")) }],
  setBic: [{ bic }],
  moveBlz: [{ to: blz }, { from: listOf(blz), bic, then }],
  moveToHypoBranch: [{ otherwise: refusal }],
  moveToSuccessor: [{}],
  replace: [{}, { table: replacements, tableByBlz: mapOf(blz, replacements), blz, bic, then }],
  rewrite: [{ from: tenPlaces, to: tenPlaces }, { then }],
};

test("every step of every rule is written as its kind asks, numbers without leading zeros", () => {
  const ajv = new Ajv({ strict: false });
  for (const [rule, { steps }] of Object.entries(table.rules)) {
    for (const [index, step] of (steps as unknown as Step[]).entries()) {
      const place = `IBAN rule ${rule}, step ${index + 1}`;
      assert.ok(Object.hasOwn(kinds, step.do), place);
      const [required, optional] = kinds[step.do];
      const own = fields({ when: conditions, unless: conditions, ...optional }, { do: {}, ...required });
      assert.ok(ajv.validate(own, step), `${place}: ${ajv.errorsText()}`);
      if (step.do !== "rewrite") continue;
      for (const letter of step.to.match(/[a-z]/g) ?? []) assert.ok(step.from.includes(letter), place);
    }
  }
  const branches = Object.values(table.formerHypoBank).flat();
  assert.equal(new Set(branches).size, branches.length);
  assert.ok(ajv.validate(mapOf(blz, listOf(text("\\d{3}"))), table.formerHypoBank), ajv.errorsText());
});
