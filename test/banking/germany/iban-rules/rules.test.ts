import assert from "node:assert/strict";
import { test } from "node:test";
import { compileRules, stepsOfRule } from "../../../../src/banking/germany/iban-rules/generate.ts";
import type { RuleTable } from "../../../../src/banking/germany/iban-rules/steps.ts";

const lists = {
  two: { "10020890": ["101", "157"] },
  twice: { "10020890": ["101"], "16020086": ["101"] },
  uneven: { "10020890": ["101", "15"] },
  nothing: {},
};

function compile(...steps: readonly unknown[]) {
  return compileRules({
    blzByLeadingDigits: lists,
    rules: { "0099": { version: "00", steps } },
  } as unknown as RuleTable);
}

function run(kontonummer: string, ...steps: readonly unknown[]): unknown {
  const bankOf = () => ({ method: "09", bic: null, rule: "0099" });
  const draft = { blz: "12345678", kontonummer, bic: undefined, found: undefined, observes: false, bankOf };
  for (const { run: runStep } of compile(...steps).get("0099")!) {
    const outcome = runStep(draft);
    if (outcome !== "next") return outcome;
  }
  return draft.kontonummer;
}

test("the rules 0000 to 0057 are there, in whichever version, and no others", () => {
  for (let number = 0; number <= 57; number++) {
    const code = String(number).padStart(4, "0");
    assert.ok(stepsOfRule(code) !== undefined, code);
    for (const version of ["00", "99"]) assert.equal(stepsOfRule(code + version), stepsOfRule(code));
  }
  assert.equal(stepsOfRule("0058"), undefined);
});

const faults: readonly (readonly [step: unknown, message: RegExp])[] = [
  [{ do: "guess" }, /unknown step "guess"/],
  [{ do: "toString" }, /unknown step "toString"/],
  [{ do: "accept", when: { colour: ["red"] } }, /unknown condition "colour"/],
  [{ do: "accept", unless: [{ constructor: 1 }] }, /unknown condition "constructor"/],
  [{ do: "accept", when: { kontonummer: ["12345678901"] } }, /"12345678901" does not have 1 to 10 digits/],
  [{ do: "accept", when: { kontonummer: [["1", "x"]] } }, /"x" does not have 1 to 10 digits/],
  [{ do: "accept", when: { blz: ["123456789"] } }, /"123456789" does not have 1 to 8 digits/],
  [{ do: "accept", when: { digits: { "11": "0" } } }, /position 11 is not in 1 to 10/],
  [{ do: "accept", when: { blzDigits: { "0": "4" } } }, /position 0 is not in 1 to 8/],
  [{ do: "accept", when: { digits: { "1.5": "0" } } }, /position 1.5 is not in 1 to 10/],
  [{ do: "refuse", unless: { passes: "12" } }, /unknown check-digit method "12"/],
  [{ do: "check", method: "12" }, /unknown check-digit method "12"/],
  [{ do: "fitSubAccount", method: "F0", variant: 1, try: [] }, /unknown check-digit method "F0"/],
  [{ do: "moveBlz", to: "1234567" }, /bank code "1234567" does not have 8 digits/],
  [{ do: "moveBlz", to: "1234567x" }, /"1234567x" does not have 1 to 8 digits/],
  [{ do: "replace", table: { "": "1" } }, /"" does not have 1 to 10 digits/],
  [{ do: "rewrite", from: "abcdefghi", to: "0abcdefghi" }, /"abcdefghi" is not a pattern of ten digits/],
  [
    { do: "rewrite", from: "abcdefghij", to: "abcdefghik" },
    /"abcdefghik" has a letter that "abcdefghij" lacks/,
  ],
  [{ do: "moveBlzByLeadingDigits", table: "absent" }, /table "absent" is empty or absent/],
  [{ do: "moveBlzByLeadingDigits", table: "nothing" }, /table "nothing" is empty or absent/],
  [{ do: "moveBlzByLeadingDigits", table: "twice" }, /leading digits 101 are in table "twice" twice/],
  [{ do: "moveBlzByLeadingDigits", table: "uneven" }, /leading digits of table "uneven" differ in length/],
];

test("a faulty entry is refused with its rule and step", () => {
  for (const [step, message] of faults) {
    assert.throws(
      () => compile({ do: "accept" }, step),
      (error: Error) => {
        assert.match(error.message, /^IBAN rule 0099, step 2: /);
        assert.match(error.message, message);
        return true;
      },
    );
  }
});

test("a number that fits a pattern is rewritten, another one stays", () => {
  const append = { do: "rewrite", from: "00cdefghij", to: "cdefghij00" };
  assert.equal(run("0012345678", append), "1234567800");
  assert.equal(run("0123456789", append), "0123456789");
});

test("of several conditions one is enough, of several properties all are needed", () => {
  const either = { do: "accept", when: [{ digitCount: [3] }, { digits: { "10": "7" } }] };
  const both = { do: "accept", when: { digitCount: [3], digits: { "10": "7" } } };
  const numbers = ["0000000123", "0000001237", "0000000127", "0000001234"];
  assert.deepEqual(
    numbers.map((n) => run(n, either) === "accept"),
    [true, true, true, false],
  );
  assert.deepEqual(
    numbers.map((n) => run(n, both) === "accept"),
    [false, false, true, false],
  );
});

test("ranges include both ends and single numbers match exactly", () => {
  const step = { do: "accept", when: { kontonummer: ["7", ["100", "200"]] } };
  const accepted = ["7", "8", "99", "100", "200", "201", "70"].filter(
    (n) => run(n.padStart(10, "0"), step) === "accept",
  );
  assert.deepEqual(accepted, ["7", "100", "200"]);
});
