import assert from "node:assert/strict";
import { test } from "node:test";
import { graph, methodNames } from "../../src/banking/germany/methods.ts";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { germanBank, someEdition } from "../banks/records.ts";
import { batchesOf, entriesOf, KernelMemory } from "../support/kernel-memory.ts";
import { type Exit, methodPaths } from "./method-paths.ts";

/** A bank for each method: of a savings bank's number, which the ESER methods need, and of another one. */
const banks = methodNames.flatMap((method, index) =>
  ["105", "2"].map((head) =>
    germanBank({
      bankCode: `${head}${5}${String(index).padStart(7 - head.length, "0")}`,
      method,
      rule: "000000",
      bic: "MARKDEF1100",
    }),
  ),
);
const memory = new KernelMemory(buildDirectory(banks, someEdition));

/** Methods of which a test is implied by one before it, so that it always holds or always fails. */
const withImpliedTest = ["26", "A4", "C3", "C4", "D2", "D3"];

test("every check-digit method decides in the kernel as it does in the reference, on every way through its graph", () => {
  const met = new Map(methodNames.map((method) => [method, new Set<Exit>()]));
  const verdicts = new Map(methodNames.map((method) => [method, new Set<boolean>()]));
  for (const { bankCode, method } of banks) {
    const paths = methodPaths(graph.methods[methodNames.indexOf(method!)]!.entry, bankCode);
    for (const exit of paths.met) met.get(method!)!.add(exit);
    const ibans = paths.kontonummern.flatMap((number) =>
      Array.from({ length: 10 }, (_, digit) => composeIban("DE", bankCode + number.slice(0, 9) + digit)),
    );
    for (const some of batchesOf(ibans.filter((iban) => !iban.endsWith("0000000000")))) {
      const body = Buffer.from(JSON.stringify({ ibans: some }));
      for (const { iban, valid } of entriesOf(memory.answer(body)!)) {
        const { outcome } = checkIban(memory.directory, iban!);
        assert.ok(outcome === "valid" || outcome === "wrong_account_check_digit");
        assert.equal(valid, outcome === "valid", `method ${method}: ${iban}`);
        verdicts.get(method!)!.add(valid);
      }
    }
  }
  for (const [method, exits] of met) {
    const nodes = new Set([...exits].map((exit) => Number.parseInt(exit, 10)));
    const isWhole = exits.size === 2 * nodes.size;
    assert.ok(
      isWhole || withImpliedTest.includes(method),
      `${method}: no number turns one of its tests round`,
    );
    const isChecked = nodes.size > 0;
    assert.deepEqual([...verdicts.get(method)!].sort(), isChecked ? [false, true] : [], method);
  }
});
