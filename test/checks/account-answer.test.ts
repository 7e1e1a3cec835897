import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { generateIban } from "../../src/banking/germany/iban-rules/generate.ts";
import { germanRuleBank } from "../../src/banks/directory/rule-bank.ts";
import { accountAnswer } from "../../src/checks/account-answer.ts";
import { plain } from "../../src/checks/answer.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { rowsOf } from "../banks/shipped.ts";
import { type CheckAnswer, expectCheckAnswer } from "../contract/check-data.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { directory } from "../suggest/engine.ts";

const rows = rowsOf("blz.csv").filter(({ Merkmal }) => Merkmal === "1");

function answer(kontonummer: string, blz: string, sepa = false, explain = false): CheckAnswer {
  const given = JSON.parse(
    JSON.stringify(accountAnswer(directory, { kontonummer, blz, sepa }, { ...plain, explain })),
  ) as CheckAnswer;
  expectCheckAnswer(given, { account: true, sepaMethods: sepa, checks: explain });
  return given;
}

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 14 });
const kontonummer = digits.filter((text) => !/^0+$/.test(text));
const blz = fc.oneof(fc.constantFrom(...rows.map(({ Bankleitzahl }) => Bankleitzahl)), digits);

test("the parts of an answer agree with its status, for any account number and bank code", () => {
  fc.assert(
    fc.property(kontonummer, blz, fc.boolean(), fc.boolean(), (number, code, sepa, explain) => {
      const { status, data } = answer(number, code, sepa, explain);
      assert.equal(data.kto, number);
      assert.equal(data.blz, code);
      const tooLong = number.length > 10;
      const wrongCode = code.length !== 8;
      const isMalformed = status === 2 || status === 3 || status === 4;
      assert.equal(isMalformed, tooLong || wrongCode);
      if (isMalformed) assert.equal(status, tooLong && wrongCode ? 4 : wrongCode ? 2 : 3);
      const known = rows.some(({ Bankleitzahl }) => Bankleitzahl === code);
      if (!isMalformed) assert.equal(status === 7, !known);
      if (!sepa || isMalformed || status === 7 || status === 0) assert.equal(data.iban, null);
      if (sepa && status === 1) assert.match(data.iban!, /^DE\d{20}$/);
      if (sepa && data.iban === null) assert.deepEqual(Object.values(data.sepa_methods), [0, 0, 0, 0]);
    }),
    { numRuns: 3_000 },
  );
});

test("the status of an account without sepa=1 is that of its bank's method, for every bank code", () => {
  for (const row of rows) {
    const { status, data } = answer("1234567", row.Bankleitzahl);
    const method = row["Prüfzifferberechnungsmethode"];
    const allowed = method === "" ? [8] : method === "09" ? [9] : [0, 1, 9];
    assert.ok(allowed.includes(status), `${row.Bankleitzahl} with method ${method} has status ${status}`);
    assert.equal(data.bank, row.Bezeichnung);
    assert.equal(data.bic, row.BIC === "" ? null : row.BIC);
  }
});

test("an IBAN of rule 0000 is the bank code and the account number with their check digits", () => {
  let generated = 0;
  const ofRule = rows.filter((row) => row["IBAN-Regel"] === "000000" && row.Bankleitzahllöschung === "0");
  for (const row of ofRule) {
    const { status, data } = answer("1234567", row.Bankleitzahl, true);
    if (status === 0) continue;
    assert.equal(data.iban, ibanOf("DE", `${row.Bankleitzahl}0001234567`), row.Bankleitzahl);
    generated++;
  }
  assert.ok(generated > 100, String(generated));
});

test("the message says what an IBAN rule replaces, and only then", () => {
  fc.assert(
    fc.property(
      kontonummer,
      fc.constantFrom(...rows.map(({ Bankleitzahl }) => Bankleitzahl)),
      (number, code) => {
        const { message, data } = answer(number, code, true);
        if (data.iban === null) {
          assert.ok(!message.includes("replaces"));
          return;
        }
        const replaced = [
          ...(data.iban.slice(4, 12) === code ? [] : ["bank code"]),
          ...(data.iban.slice(12) === number.padStart(10, "0") ? [] : ["account number"]),
        ];
        assert.equal(message.includes("replaces"), replaced.length > 0, message);
        for (const part of replaced) assert.ok(message.split("replaces")[1]?.includes(part), message);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("the IBAN and BIC that an IBAN rule makes of an account at any bank are valid together", () => {
  const bankOf = (blz: string) => germanRuleBank(directory, blz);
  let made = 0;
  for (let index = 0; index < directory.germanCount; index++) {
    const { bankCode, main } = directory.record(index);
    if (!main) continue;
    for (let number = 1; number < 9; number++) {
      const account = String((number * 7_919 + index * 104_729) * 10 ** (number % 4)).slice(-10);
      const generated = generateIban(bankCode, account, bankOf);
      if (!("iban" in generated)) continue;
      made++;
      const { outcome } = checkIban(directory, generated.iban, generated.bic ?? undefined);
      assert.equal(outcome, "valid", `${bankCode} ${account} ${generated.iban} ${generated.bic}`);
    }
  }
  assert.ok(made > 5_000, String(made));
});
