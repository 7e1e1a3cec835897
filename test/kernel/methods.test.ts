import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../../bench/iban-mix.ts";
import { germanIban } from "../../src/answers/iban-checker.ts";
import { methodDefinitions } from "../../src/banking/germany/check-methods/definitions.ts";
import { methodNames } from "../../src/banking/germany/methods.ts";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { IbanOutcome } from "../../src/banking/status.ts";
import { buildDirectory } from "../../src/banks/build.ts";
import { TARGET_WRONG } from "../../src/kernel/layout.ts";
import { methodGraph } from "../../src/kernel/method-graph.ts";
import { germanBank, someEdition } from "../banks/records.ts";
import { KernelMemory, ReferenceAnswers } from "./kernel-memory.ts";

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
const reference = new ReferenceAnswers(memory.directory);

/** Numbers with each pair of first digits, and others that begin with zeros or a repeated digit, as conditions ask for. */
function kontonummern(random: () => number, count: number): string[] {
  const digit = () => String(Math.floor(random() * 10));
  return Array.from({ length: count }, (_, index) => {
    const zeros = random() < 0.5 ? Math.floor(random() * 11) : 0;
    const repeated = random() < 0.3 ? digit().repeat(Math.floor(random() * 7)) : "";
    let number = index % 2 === 0 ? String((index / 2) % 100).padStart(2, "0") : "0".repeat(zeros) + repeated;
    while (number.length < 10) number += digit();
    return number.slice(0, 10);
  });
}

test("every check-digit method decides in the kernel as it does in the reference", () => {
  const random = seededRandom(11);
  for (const { bankCode, method } of banks) {
    let right = 0;
    for (let batch = 0; batch < 2; batch++) {
      const ibans = kontonummern(random, 500).map((number) => composeIban("DE", bankCode + number));
      const answer = memory.answer(Buffer.from(JSON.stringify({ ibans })))!;
      const { results } = JSON.parse(answer.toString()).batch as {
        readonly results: readonly { readonly iban: string; readonly valid: boolean }[];
      };
      for (const { iban, valid } of results) {
        const outcome = reference.checker.check(Buffer.from(iban), 0, iban.length);
        assert.ok(outcome === IbanOutcome.valid || outcome === IbanOutcome.wrong_account_check_digit);
        assert.equal(
          valid,
          outcome === IbanOutcome.valid,
          `method ${method}: ${iban.slice(germanIban.kontonummerStart)}`,
        );
        if (valid) right++;
      }
    }
    assert.ok(right > 0, `no number was right by method ${method} at ${bankCode}`);
  }
});

test("account number zero is wrong by every method", () => {
  for (const { bankCode } of banks.slice(0, 400)) {
    const answer = memory.answer(
      Buffer.from(JSON.stringify({ ibans: [composeIban("DE", `${bankCode}0000000000`)] })),
    )!;
    assert.equal(JSON.parse(answer.toString()).batch.results[0].valid, false, bankCode);
  }
});

test("a decision graph only leads onwards, so that it always comes to an end", () => {
  const { nodes, entries, sums } = methodGraph(methodDefinitions);
  assert.equal(entries.length, methodNames.length);
  // Nodes are placed after those that they lead to.
  for (const [number, { whenFails, whenHolds }] of nodes.entries()) {
    for (const target of [whenFails, whenHolds]) assert.ok(target < number || target >= TARGET_WRONG);
  }
  assert.ok(nodes.length < TARGET_WRONG);
  assert.ok(sums.length < methodNames.length, "equal calculations are shared");
});
