import assert from "node:assert/strict";
import { test } from "node:test";
import { germanIban } from "../../src/banking/germany/account.ts";
import { methodNames } from "../../src/banking/germany/methods.ts";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { germanBank, someEdition } from "../banks/records.ts";
import { seededRandom } from "../support/iban-mix.ts";
import { KernelMemory } from "./kernel-memory.ts";

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
  const right = new Map(methodNames.map((method) => [method, 0]));
  for (const { bankCode, method } of [...banks, ...banks]) {
    const ibans = kontonummern(random, 500).map((number) => composeIban("DE", bankCode + number));
    for (const { iban, valid } of resultsOf(ibans)) {
      const { outcome } = checkIban(memory.directory, iban);
      assert.ok(outcome === "valid" || outcome === "wrong_account_check_digit");
      const number = iban.slice(germanIban.kontonummer.start);
      assert.equal(valid, outcome === "valid", `method ${method}: ${number}`);
      if (valid) right.set(method!, right.get(method!)! + 1);
    }
  }
  const never = [...right].filter(([, count]) => count === 0);
  assert.deepEqual(never, [], "a method by which no number was right proves nothing");
});

function resultsOf(ibans: readonly string[]): readonly { readonly iban: string; readonly valid: boolean }[] {
  const answer = memory.answer(Buffer.from(JSON.stringify({ ibans })));
  return JSON.parse(answer!.toString()).batch.results;
}

test("account number zero is wrong by every method", () => {
  const ibans = banks.map(({ bankCode }) => composeIban("DE", `${bankCode}0000000000`));
  assert.ok(resultsOf(ibans).every(({ valid }) => !valid));
});
