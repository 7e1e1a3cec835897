import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { germanAccount } from "../../src/banking/germany/account.ts";
import { End, type MethodNode } from "../../src/banking/germany/check-methods/graph.ts";
import { graph, methodNames, walk } from "../../src/banking/germany/methods.ts";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { accountNumbers } from "../banking/germany/account-numbers.ts";
import { germanBank, someEdition } from "../banks/records.ts";
import { batchesOf, entriesOf, KernelMemory } from "../support/kernel-memory.ts";

/** A bank for each method: of a savings bank's number, which the ESER methods need, and of another one. */
const banks = methodNames.flatMap((method, index) =>
  ["1055", "25"].map((head) => {
    const bankCode = head + String(index).padStart(8 - head.length, "0");
    return germanBank({ bankCode, method, rule: "000000", bic: "MARKDEF1100" });
  }),
);
const memory = new KernelMemory(buildDirectory(banks, someEdition));

/** Methods of which a test is implied by one before it, so that it always holds or always fails. */
const withImpliedTest = ["26", "A4", "C3", "C4", "D2", "D3"];
const digits = [..."0123456789"];
const firstTwo = digits.flatMap((first) => digits.map((second) => `${first}${second}12345678`));
const numbers = [...firstTwo, ...fc.sample(accountNumbers, { numRuns: 600, seed: 1 })].flatMap((number) =>
  digits.map((digit) => number.slice(0, 9) + digit),
);

/** A test of a method's decision graph with one of its two results. */
type Exit = `${number} ${boolean}`;

/** The tests on the way of an account number through the graph, with their results. */
function pathOf(method: string, kontonummer: string, blz: string): Exit[] {
  const account = germanAccount(kontonummer, blz);
  const holds = ({ test }: MethodNode) => {
    const nodes = [{ test, whenHolds: End.valid, whenFails: End.invalid }];
    return walk({ ...graph, nodes }, 0, account) === "valid";
  };
  const path: Exit[] = [];
  for (let target = graph.methods[methodNames.indexOf(method)]!.entry; target >= 0; ) {
    const node = graph.nodes[target]!;
    const isHolding = holds(node);
    path.push(`${target} ${isHolding}`);
    target = isHolding ? node.whenHolds : node.whenFails;
  }
  return path;
}

test("every check-digit method decides in the kernel as it does in the reference, on every way through its graph", () => {
  for (const method of methodNames) {
    const met = new Set<Exit>();
    const verdicts = new Set<boolean>();
    for (const { bankCode } of banks.filter((bank) => bank.method === method)) {
      const ibans = numbers.flatMap((number) => {
        const newExits = pathOf(method, number, bankCode).filter((exit) => !met.has(exit));
        for (const exit of newExits) met.add(exit);
        const last = newExits.length === 0 ? [] : digits;
        return last.map((digit) => composeIban("DE", bankCode + number.slice(0, 9) + digit));
      });
      for (const some of batchesOf(ibans)) {
        for (const { iban, valid } of entriesOf(memory.assertEqual(some))) {
          const { outcome } = checkIban(memory.directory, iban!);
          assert.ok(outcome === "valid" || outcome === "wrong_account_check_digit");
          assert.equal(valid, outcome === "valid", `method ${method}: ${iban}`);
          verdicts.add(valid);
        }
      }
    }
    const nodes = new Set([...met].map((exit) => Number.parseInt(exit, 10)));
    const isWhole = met.size === 2 * nodes.size;
    assert.ok(isWhole || withImpliedTest.includes(method), `${method}: no number turns a test round`);
    assert.deepEqual([...verdicts].sort(), nodes.size > 0 ? [false, true] : [], method);
  }
});
