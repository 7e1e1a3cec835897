import assert from "node:assert/strict";
import { test } from "node:test";
import { accountAnswer } from "../../src/checks/account-answer.ts";
import { plain } from "../../src/checks/answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import { directoryOf, germanBank } from "../banks/records.ts";
import { type CheckAnswer, sentAnswer } from "../contract/check-data.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";

const kontonummer = "0532013000";
const rule = { method: "13", rule: "000000" } as const;
const directory = directoryOf([
  germanBank({ ...rule, bankCode: "10000001", deleteMark: true, successor: "10000004" }),
  germanBank({ ...rule, bankCode: "10000002", deleteMark: true }),
  germanBank({ ...rule, bankCode: "10000003", deleteMark: true, removed: true }),
  germanBank({ ...rule, bankCode: "10000004", deleteMark: false, bic: "MARKDEF1100", name: "Successor" }),
  germanBank({ ...rule, bankCode: "10000005" }),
  germanBank({ ...rule, bankCode: "10000006", deleteMark: false, successor: "10000004" }),
]);
const warnings: Readonly<Record<string, string>> = {
  "10000001": "The bank code is being replaced; its successor is 10000004.",
  "10000002": "The bank code is marked for deletion and has no successor.",
  "10000003": "The bank code is marked for deletion and has no successor.",
};

function account(blz: string, sepa: boolean): CheckAnswer {
  const explained = accountAnswer(directory, { kontonummer, blz, sepa }, { ...plain, explain: true });
  return sentAnswer(explained, { account: true, sepaMethods: sepa, checks: true });
}

function iban(text: string, explain = true): CheckAnswer {
  return sentAnswer(ibanAnswer(directory, text, undefined, { ...plain, explain }), { checks: explain });
}

const deletionOf = ({ data }: CheckAnswer) =>
  data.checks!.find(({ check }) => check === "bank_code_deletion");

test("a bank code marked for deletion still checks; message and explain warn and name the successor", () => {
  for (const [blz, warning] of Object.entries(warnings)) {
    for (const answer of [account(blz, false), iban(ibanOf("DE", blz + kontonummer))]) {
      assert.equal(answer.status, 1, blz);
      assert.ok(answer.message.endsWith(`valid. ${warning}`), answer.message);
      const entry = deletionOf(answer);
      assert.deepEqual([entry?.result, entry?.detail], ["failed", warning]);
      const isReplaced = blz === "10000001";
      assert.deepEqual(entry?.expected, isReplaced ? ["10000004"] : undefined);
      const place = isReplaced && answer.data.iban !== null ? { start: 4, length: 8 } : undefined;
      assert.deepEqual(entry?.position, place, "that of the bank code, in an IBAN");
    }
  }
});

test("a wrong account number at such a bank code is wrong, and the warning stays", () => {
  const { status, message } = iban(ibanOf("DE", "100000010532014000"), false);
  assert.equal(status, 0);
  assert.ok(message.endsWith(warnings["10000001"]!), message);
});

test("where nothing is marked or known, nothing warns, and explain distinguishes the two", () => {
  for (const [blz, result, detail] of [
    ["10000004", "passed", undefined],
    ["10000005", "unknown", "The data does not say whether the bank code is marked for deletion."],
    ["10000006", "passed", "The successor of the bank code is 10000004."],
  ] as const) {
    for (const answer of [account(blz, false), iban(ibanOf("DE", blz + kontonummer))]) {
      assert.doesNotMatch(answer.message, /deletion/);
      const { result: given, detail: said } = deletionOf(answer)!;
      assert.deepEqual([given, said], [result, detail]);
    }
  }
});

test("the IBAN is generated with the successor; a code to be deleted still has one, a removed one has none", () => {
  const moved = account("10000001", true);
  assert.equal(moved.data.iban, ibanOf("DE", `10000004${kontonummer}`));
  assert.equal(moved.data.bic, "MARKDEF1100");
  assert.match(moved.message, /replaces the bank code in the IBAN\. The bank code is being replaced;/);
  assert.equal(account("10000002", true).data.iban, ibanOf("DE", `10000002${kontonummer}`));
  const removed = account("10000003", true);
  assert.deepEqual([removed.status, removed.data.iban], [9, null]);
  assert.deepEqual(Object.values(removed.data.sepa_methods), [0, 0, 0, 0]);
});
