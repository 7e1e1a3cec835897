import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { readFormerCodesCsv } from "../../src/banks/files/shipped-facts.ts";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { plain } from "../../src/checks/answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import { samples } from "../../src/checks/sample-answer.ts";
import type { IbanCheckAnswer } from "../../src/client/index.ts";
import { rowsOf } from "../banks/shipped.ts";
import { directory } from "../suggest/engine.ts";
import { ibanAtBank } from "../support/iban-mix.ts";
import { words } from "../support/words.ts";

const rows = rowsOf("former-codes.csv");

/** Checks an IBAN at a bank code. */
function check(country: string, code: string): IbanCheckAnswer {
  const options = { ...plain, reason: true, explain: true };
  return ibanAnswer(directory, ibanAtBank(country, code), undefined, options) as IbanCheckAnswer;
}

test("a bank code that was merged into another stays valid, with a warning that names the successor", () => {
  assert.ok(rows.length > 100);
  for (const { country, bank_code, successor } of rows) {
    const { status, message, data } = check(country, bank_code);
    const found = [status, data.reason, data.severity];
    assert.deepEqual(found, [1, "bank_code_former", "warning"], `${country} ${bank_code} ${message}`);
    assert.ok(message.endsWith(`its successor is ${successor}.`), message);
    const explained = data.checks!.find((entry) => entry.check === "bank_code")!;
    assert.ok(explained.detail!.includes(successor));
    if (/^\d+$/.test(successor)) assert.deepEqual(explained.expected, [successor]);
  }
  const [german] = rowsOf("blz.csv").filter((row) => row["Nachfolge-Bankleitzahl"] !== "00000000");
  const { data, message } = check("DE", german!.Bankleitzahl);
  assert.ok(message.includes(german!["Nachfolge-Bankleitzahl"]), message);
  if (data.reason !== "account_check_digit") assert.equal(data.reason, "bank_code_former");
});

test("a successor that is a code is in the list, is not former, and no test number is made at a former code", () => {
  const former = new Set(rows.map(({ country, bank_code }) => `${country} ${bank_code}`));
  for (const { country, successor } of rows) {
    if (!/^\d+$/.test(successor)) continue;
    assert.equal(check(country, successor).data.reason, null, `${country} ${successor}`);
    assert.ok(!former.has(`${country} ${successor}`));
  }
  for (const code of ["SI", "FR", "ES"]) {
    const country = ibanCountryByCode(code)!;
    const made = samples({ directory, policy: defaultPolicy }, country, "former");
    for (let count = 0; count < 200; count++) {
      const { bank } = made.next().value!;
      assert.ok(!former.has(`${code} ${bank!.bankCode}`), bank!.bankCode);
    }
  }
});

test("a code that its bank keeps under a new name is not former, one of a bank that it took over is", () => {
  const reasons = ["04000", "04888", "03100", "05100"].map((code) => check("SI", code).data.reason);
  assert.deepEqual(reasons, [null, null, "bank_code_former", "bank_code_former"]);
});

test("a row without a successor, of Germany or with a wrong day is refused with its line", () => {
  const head = "country;bank_code;successor;since;source\nFR;30076;30003;2023-01-01;press\n";
  for (const wrong of words`
    FR;30077;;;press FR;30077;30077;;press DE;37040044;10000000;;x FR;1;2;2023;x
  `) {
    const read = () => readFormerCodesCsv("former-codes.csv", Buffer.from(`${head}${wrong}\n`));
    assert.throws(read, { name: "DataFileError", line: 3 }, wrong);
  }
});
