import assert from "node:assert/strict";
import { test } from "node:test";
import { germanAccount } from "../../../../src/banking/germany/account.ts";
import { methodGraph } from "../../../../src/banking/germany/check-methods/parse.ts";
import { graph, walk } from "../../../../src/banking/germany/methods.ts";

/** Lines of which the last decides, and account numbers with their verdict. */
const promises: Readonly<Record<string, readonly [Readonly<Record<string, string>>, verdicts: string]>> = {
  "and binds tighter than or, and ranges include both ends": [
    { Z9: "when v<60000 or n in {6,8..9} and not d3-4=07: ok; no" },
    "59999 123456 12345678 123456789 unchecked, 60000 1234567 7345678 107345678 1234567890 invalid",
  ],
  "a condition inside a shift reads the moved digits": [
    { Z9: "shl(2; when d1-2=12 and d4=4: ok; no)" },
    "12345678 unchecked, 13345678 0012305678 1200120405 invalid",
  ],
  "shifts and references add up": [
    { Z1: "luhn(1-6>7)", Z2: "shl(1; @Z1)", Z3: "shl(2; @Z2)" },
    "0001234566 valid, 0001234567 1001234566 invalid",
  ],
  // Weights 2 3 …: d9 = 6 has remainder 1, d9 = 5 remainder 10.
  "the digit left of the check digit counts only for the remainder that says so": [
    { Z9: "m11(1-9>10; 2 3 4 5 6 7; r0=0, r1=eq)" },
    "66 51 valid, 60 55 invalid",
  ],
};

for (const [promise, [lines, verdicts]] of Object.entries(promises)) {
  test(promise, () => {
    const built = methodGraph(Object.entries(lines));
    for (const [numbers, verdict] of verdicts.split(", ").map((text) => text.split(/ (?=\w+$)/))) {
      for (const number of numbers!.split(" "))
        assert.equal(walk(built, built.methods.at(-1)!.entry, germanAccount(number)), verdict, number);
    }
  });
}

test("a graph only leads to nodes before, so that every walk ends", () => {
  const { nodes, methods, sums } = graph;
  for (const [number, { whenFails, whenHolds }] of nodes.entries()) {
    assert.ok(whenFails < number && whenHolds < number, String(number));
  }
  assert.ok(sums.length < methods.length, "equal calculations are shared");
});

const faults: readonly (readonly [lines: Readonly<Record<string, string>>, fault: string])[] = [
  [{ Z1: "@Z2" }, "there is no method Z2 to refer to"],
  [{ Z1: "@Z2", Z2: "ok else @Z1" }, "method Z1 refers to itself"],
  [{ Z1: "shl(2; luhn(1-8>9))" }, "luhn shifted by 2 places reads beyond digit 10"],
  [{ Z1: "shl(1; zero11(6-10; 1))" }, "zero11 shifted by 1 places reads beyond digit 10"],
  [{ Z1: "shl(2; alg24)" }, "alg24 cannot be shifted"],
  [{ Z1: "shl(2; when n=6: ok; no)" }, "a shifted number has no n to test"],
  [{ Z1: "shl(2; when v<6: ok; no)" }, "a shifted number has no v to test"],
  [{ Z1: "shl(2; when d9=6: ok; no)" }, "a shift by 2 leaves no digit 9 to test"],
];

for (const [lines, fault] of faults) {
  test(`${JSON.stringify(lines)} has no graph, and the error names the method`, () => {
    const message = `check-digit method Z1: ${fault}`;
    assert.throws(() => methodGraph(Object.entries(lines)), { message });
  });
}

const slips: readonly (readonly [line: string, fault: string])[] = [
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
  ["m11(1-9>10; 2 12)", "12 is not within 0 to 11 at column 15"],
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
  ["luhn(1-9>10) # note", "expected the end at column 14"],
];

for (const [line, fault] of slips) {
  test(`"${line}" is refused with the method's name and the place`, () => {
    const message = `check-digit method Z9: ${fault} of "${line}"`;
    assert.throws(() => methodGraph([["Z9", line]]), { message });
  });
}
