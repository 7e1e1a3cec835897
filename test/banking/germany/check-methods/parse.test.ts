import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMethod } from "../../../../src/banking/germany/check-methods/parse.ts";

test("weights are assigned from right to left and repeated", () => {
  const [clause] = parseMethod("99", "m11(1-3,9-10>8; 2 3 4)").clauses;
  assert.deepEqual(clause, {
    when: null,
    variants: [
      {
        kind: "sum",
        rule: "m11",
        positions: [1, 2, 3, 9, 10],
        weights: [3, 2, 4, 3, 2],
        checkPosition: 8,
        plus: 0,
        remainders: [],
      },
    ],
  });
});

test("weights of s17 run from left to right", () => {
  const [block] = parseMethod("17", "s17(2-6>8)").clauses[0]!.variants;
  assert.ok(block?.kind === "sum");
  assert.deepEqual(block.weights, [1, 2, 1, 2, 1]);
});

test("stated remainders and additions are kept", () => {
  const [first, second] = parseMethod("99", "m11(1-9>10; 2; r0=no, r1=eq) else luhn(1-9>10; +7)").clauses[0]!
    .variants;
  assert.ok(first?.kind === "sum" && second?.kind === "sum");
  assert.deepEqual(first.remainders, [
    { remainder: 0, outcome: "no" },
    { remainder: 1, outcome: "eq" },
  ]);
  assert.equal(second.plus, 7);
  assert.deepEqual(second.weights, [2, 1, 2, 1, 2, 1, 2, 1, 2]);
});

test("a prefix enters as what it adds to the sum", () => {
  const [block] = parseMethod("D1", "pre(436338)").clauses[0]!.variants;
  assert.ok(block?.kind === "sum");
  // From the right, after the nine digits of the account: 8×1 3×2 3×1 6×2 3×1 4×2.
  assert.equal(block.plus, 8 + 6 + 3 + 3 + 3 + 8);
});

test("and binds tighter than or, and comparisons become inclusive ranges", () => {
  const { when } = parseMethod("99", "when v<60000 or n in {6,8..9} and not d1-2=07: ok; no").clauses[0]!;
  assert.deepEqual(when, {
    kind: "or",
    operands: [
      { kind: "in", subject: { kind: "value" }, ranges: [{ min: 0, max: 59999 }] },
      {
        kind: "and",
        operands: [
          {
            kind: "in",
            subject: { kind: "length" },
            ranges: [
              { min: 6, max: 6 },
              { min: 8, max: 9 },
            ],
          },
          {
            kind: "not",
            operand: {
              kind: "in",
              subject: { kind: "digits", from: 1, to: 2 },
              ranges: [{ min: 7, max: 7 }],
            },
          },
        ],
      },
    ],
  });
});

test("a named definition without conditions is replaced by its variants, one with conditions stays whole", () => {
  const plain = parseMethod("X", "luhn(1-9>10) else @06").clauses;
  const conditional = parseMethod("K", "when d1=0: ok; no").clauses;
  const named = new Map([
    ["X", plain],
    ["K", conditional],
  ]);
  const { variants } = parseMethod("99", "ok else X else shl(2; K)", named).clauses[0]!;
  assert.deepEqual(variants, [
    { kind: "ok" },
    ...plain[0]!.variants,
    {
      kind: "shift",
      by: 2,
      clauses: [{ when: null, variants: [{ kind: "definition", name: "K", clauses: conditional }] }],
    },
  ]);
});

const faults: readonly (readonly [line: string, fault: string])[] = [
  ["", "expected a word at column 1"],
  ["luhn", 'expected "(" at column 5'],
  ["luhn(1-9 10)", 'expected ">" at column 10'],
  ["luhn(1-9>11)", "11 is not within 1 to 10 at column 10"],
  ["luhn(0-9>10)", "0 is not within 1 to 10 at column 6"],
  ["luhn(5-3>10)", "3 is not within 6 to 10 at column 8"],
  ["luhn(1-5,5>10)", "5 is not within 6 to 10 at column 10"],
  ["luhn(1-9>10; +0)", "0 is not within 1 to 9 at column 15"],
  ["luhn(1-9>10", 'expected ")" at column 12'],
  ["luhn(1-9>10) @06", "expected the end at column 14"],
  ["luhn(1-9>10) else", "expected a word at column 18"],
  ["m11(1-9>10)", 'expected ";" at column 11'],
  ["m11(1-9>10; )", "expected a number at column 13"],
  ["m11(1-9>10; +7)", "expected a number at column 13"],
  ["m11(1-9>10; 2 11)", "11 is not within 0 to 10 at column 15"],
  ["m11(1-9>10; 2; r11=0)", "expected a remainder, r0 to r10 at column 16"],
  ["m11(1-9>10; 2; x=0)", "expected a remainder, r0 to r10 at column 16"],
  ["m11(1-9>10; 2; r0 0)", 'expected "=" at column 19'],
  ["m11(1-9>10; 2; r0=10)", "10 is not within 0 to 9 at column 19"],
  ["zero11(6-10>1; 1 2)", 'expected ";" at column 12'],
  ["pre(x)", "expected a number at column 5"],
  ["shl(0; luhn(1-7>8))", "0 is not within 1 to 9 at column 5"],
  ["m12(1-9>10; 2)", 'unknown block "m12" at column 1'],
  ["constructor", 'unknown block "constructor" at column 1'],
  ["when d1=0 ok; no", 'expected ":" at column 11'],
  ["when d1=0: ok", 'expected ";" at column 14'],
  ["when d11=0: ok; no", "expected v, n or d1 to d10 at column 6"],
  ["when d2-1=00: ok; no", "1 is not within 3 to 10 at column 9"],
  ["when d1-2=0: ok; no", "expected as many digits as d1-2 has at column 11"],
  ["when d1 in {3..1}: ok; no", "the range runs backwards at column 16"],
  ["when d1 in {1,2: ok; no", 'expected "}" at column 16'],
  ["when d1>3: ok; no", 'expected "in" at column 8'],
  ["luhn(1-9>10) # note", "unreadable sign at column 13"],
];

for (const [line, fault] of faults) {
  test(`"${line}" is refused with the method's name and the place`, () => {
    const message = `check-digit method Z9: ${fault} of "${line}"`;
    assert.throws(() => parseMethod("Z9", line), { message });
  });
}
