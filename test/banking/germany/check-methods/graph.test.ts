import assert from "node:assert/strict";
import { test } from "node:test";
import { germanAccount } from "../../../../src/banking/germany/account.ts";
import { methodGraph } from "../../../../src/banking/germany/check-methods/graph.ts";
import { parseMethod } from "../../../../src/banking/germany/check-methods/parse.ts";
import { methodDefinitions, walk } from "../../../../src/banking/germany/methods.ts";

function graphOf(lines: Readonly<Record<string, string>>) {
  return methodGraph(Object.entries(lines).map(([method, line]) => parseMethod(method, line)));
}

/** The verdict of the last of some lines on an account number. */
function verdictOf(lines: Readonly<Record<string, string>>, kontonummer: string) {
  const graph = graphOf(lines);
  return walk(graph, graph.methods.at(-1)!.entry, germanAccount(kontonummer));
}

const verdict = (line: string, kontonummer: string) => verdictOf({ Z9: line }, kontonummer);

const faults: readonly (readonly [lines: Readonly<Record<string, string>>, message: string])[] = [
  [{ Z1: "@Z2" }, "check-digit method Z1: there is no method Z2 to refer to"],
  [{ Z1: "@Z2", Z2: "ok else @Z1" }, "check-digit method Z1: method Z1 refers to itself"],
  [{ Z1: "shl(2; luhn(1-8>9))" }, "check-digit method Z1: luhn shifted by 2 places reads beyond digit 10"],
  [
    { Z1: "shl(1; zero11(6-10; 1))" },
    "check-digit method Z1: zero11 shifted by 1 places reads beyond digit 10",
  ],
  [{ Z1: "shl(2; alg24)" }, "check-digit method Z1: alg24 cannot be shifted"],
  [{ Z1: "shl(2; when n=6: ok; no)" }, "check-digit method Z1: a shifted number has no length to test"],
  [{ Z1: "shl(2; when v<6: ok; no)" }, "check-digit method Z1: a shifted number has no value to test"],
  [{ Z1: "shl(2; when d9=6: ok; no)" }, "check-digit method Z1: a shift by 2 leaves no digit 9 to test"],
];

for (const [lines, message] of faults) {
  test(`${JSON.stringify(lines)} has no graph, and the error names the method`, () => {
    assert.throws(() => graphOf(lines), { message });
  });
}

test("a condition inside a shift reads the moved digits", () => {
  const line = "shl(2; when d1-2=12 and d4=4: ok; no)";
  assert.equal(verdict(line, "12345678"), "unchecked");
  assert.equal(verdict(line, "13345678"), "invalid");
  assert.equal(verdict(line, "0012305678"), "invalid");
  assert.equal(verdict(line, "1200120405"), "invalid");
});

test("shifts and references add up", () => {
  const lines = { Z1: "luhn(1-6>7)", Z2: "shl(1; @Z1)", Z3: "shl(2; @Z2)" };
  assert.equal(verdictOf(lines, "0001234566"), "valid");
  assert.equal(verdictOf(lines, "0001234567"), "invalid");
  assert.equal(verdictOf(lines, "1001234566"), "invalid");
});

test("a graph only leads to nodes before, so that every walk ends", () => {
  const { nodes, methods, sums } = methodGraph(methodDefinitions);
  assert.equal(methods.length, methodDefinitions.length);
  for (const [number, { whenFails, whenHolds }] of nodes.entries()) {
    assert.ok(whenFails < number && whenHolds < number, String(number));
  }
  assert.ok(sums.length < methods.length, "equal calculations are shared");
});

test("the digit left of the check digit counts only for the remainder that says so", () => {
  const line = "m11(1-9>10; 2 3 4 5 6 7; r0=0, r1=eq)";
  // Weights 2 3 …: d9 = 6 has remainder 1, d9 = 5 remainder 10.
  assert.equal(verdict(line, "66"), "valid");
  assert.equal(verdict(line, "60"), "invalid");
  assert.equal(verdict(line, "51"), "valid");
  assert.equal(verdict(line, "55"), "invalid");
});
