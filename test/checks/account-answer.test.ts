import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { generateIban } from "../../src/banking/germany/iban-rules/generate.ts";
import { accountAnswer } from "../../src/checks/account-answer.ts";
import { plain } from "../../src/checks/answer.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { directoryOf, germanBank } from "../banks/records.ts";
import { rowsOf } from "../banks/shipped.ts";
import { type CheckAnswer, sentAnswer } from "../contract/check-data.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { directory } from "../suggest/engine.ts";
import { pluck } from "../support/pluck.ts";

const rows = rowsOf("blz.csv").filter(({ Merkmal }) => Merkmal === "1");

function answer(
  kontonummer: string,
  blz: string,
  sepa = false,
  { of = directory, reason = false, explain = false } = {},
): CheckAnswer {
  const given = accountAnswer(of, { kontonummer, blz, sepa }, { ...plain, explain, reason });
  return sentAnswer(given, { account: true, sepaMethods: sepa, checks: explain, reason });
}

/** A bank whose method is not known, and one whose IBAN rule is not known. */
const [withoutMethod, withoutRule] = ["10000001", "10000002"];
const unclear = directoryOf([
  germanBank({ bankCode: withoutMethod, method: null, rule: "000000" }),
  germanBank({ bankCode: withoutRule, rule: null, ruleSource: null }),
]);

/** Account number, bank code, and the reason without and with an IBAN: its status and its word. */
const cases: readonly (readonly [kontonummer: string, blz: string, plain: string, sepa?: string])[] = [
  ["532013000", "37040044", "1 null"],
  ["0532013000", "37040044", "1 null"],
  ["532013100", "37040044", "0 account_check_digit"],
  ["532013000", "3704004", "2 bank_code_format"],
  ["532013000", "370400440", "2 bank_code_format"],
  ["53201300012", "37040044", "3 account_format"],
  ["00532013000", "37040044", "3 account_format"],
  ["53201300012", "3704004", "4 bank_code_and_account_format"],
  ["532013000", "99999999", "7 bank_code_unknown"],
  ["532013000", withoutMethod, "8 method_unknown"],
  ["532013000", withoutRule, "1 null", "9 rule_unknown"],
  ["12345", "10010123", "9 no_check_digit"],
  // A bank whose rule forbids IBANs, whether or not the number is right.
  ["1234560", "10060198", "1 bank_code_former", "9 rule_forbids_iban"],
  ["1234567", "10060198", "0 account_check_digit", "9 rule_forbids_iban"],
];

test("each status of an account has its reason; explain adds the checks and changes nothing else", () => {
  for (const [kontonummer, blz, withoutIban, withIban = withoutIban] of cases) {
    const of = blz === withoutMethod || blz === withoutRule ? unclear : directory;
    for (const sepa of [false, true]) {
      const expected = sepa ? withIban : withoutIban;
      const { status, data } = answer(kontonummer, blz, sepa, { of, reason: true });
      assert.equal(`${status} ${data.reason}`, expected, `${kontonummer} at ${blz}`);
      assert.equal(data.severity, data.reason === null ? null : status === 1 ? "warning" : "error");
      const given = answer(kontonummer, blz, sepa, { of });
      const explained = answer(kontonummer, blz, sepa, { of, explain: true });
      const { checks, messages, sources, ...rest } = explained.data;
      assert.ok(messages!.length > 0 && sources !== undefined);
      assert.deepEqual({ ...explained, data: rest }, given);
      const hasFailed = checks!.some(({ result }) => result === "failed");
      if (expected === "1 null") assert.ok(!hasFailed);
      if ([0, 2, 3, 4, 7].includes(status)) assert.ok(hasFailed, expected);
    }
  }
});

test("a right account has its bank and, with sepa=1, its IBAN and schemes", () => {
  const commerzbank = {
    kto: "532013000",
    blz: "37040044",
    country: "DE",
    bic: "COBADEFFXXX",
    bank: "Commerzbank",
    zip: "50447",
    location: "Köln",
  };
  assert.deepEqual(answer("532013000", "37040044").data, { iban: null, ...commerzbank });
  const sepa_methods = { sct: 1, sdd: 1, b2b: 1, scc: 1 };
  const iban = "DE89370400440532013000";
  assert.deepEqual(answer("532013000", "37040044", true).data, { iban, ...commerzbank, sepa_methods });
});

test("a wrong check digit is what keeps an IBAN from being generated where the rule accepts every account", () => {
  const { checks } = answer("9132600004", "13091054", true, { explain: true }).data;
  const rule = checks?.find(({ check }) => check === "iban_rule");
  assert.match(rule?.detail ?? "", /The check digit of the account number is wrong\.$/);
});

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 14 });
const kontonummer = digits.filter((text) => !/^0+$/.test(text));
const blzs = pluck(rows, "Bankleitzahl");
const knownBlz = fc.constantFrom(...blzs);

test("the parts of an answer agree with its status, for any account number and bank code", () => {
  fc.assert(
    fc.property(
      kontonummer,
      fc.oneof(knownBlz, digits),
      fc.boolean(),
      fc.boolean(),
      (number, code, sepa, explain) => {
        const { status, data } = answer(number, code, sepa, { explain });
        assert.equal(data.kto, number);
        assert.equal(data.blz, code);
        const tooLong = number.length > 10;
        const refusal =
          code.length !== 8 ? (tooLong ? 4 : 2) : tooLong ? 3 : blzs.includes(code) ? undefined : 7;
        assert.equal(
          [2, 3, 4, 7].find((refused) => refused === status),
          refusal,
        );
        if (!sepa || refusal !== undefined || status === 0) assert.equal(data.iban, null);
        if (sepa && status === 1) assert.match(data.iban!, /^DE\d{20}$/);
        if (sepa && data.iban === null) assert.deepEqual(Object.values(data.sepa_methods), [0, 0, 0, 0]);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("the status of an account without sepa=1 is that of its bank's method, and of its IBAN, for every bank code", () => {
  for (const row of rows) {
    const { status, data } = answer("1234567", row.Bankleitzahl);
    // Numbers without check digit are right as IBANs; an IBAN rule may accept a number without a right check digit.
    if (status !== 0)
      assert.equal(checkIban(directory, ibanOf("DE", `${row.Bankleitzahl}0001234567`)).outcome, "valid");
    const method = row["Prüfzifferberechnungsmethode"];
    const allowed = method === "" ? [8] : method === "09" ? [9] : [0, 1, 9];
    assert.ok(allowed.includes(status), `${row.Bankleitzahl} with method ${method} has status ${status}`);
    assert.equal(data.bank, row.Bezeichnung);
    assert.equal(data.bic, row.BIC === "" ? null : row.BIC);
  }
});

test("the message says what an IBAN rule replaces, and only then", () => {
  fc.assert(
    fc.property(kontonummer, knownBlz, (number, code) => {
      const { message, data } = answer(number, code, true);
      const [, parts = ""] = message.split("replaces");
      const { iban } = data;
      assert.equal(parts.includes("bank code"), iban !== null && iban.slice(4, 12) !== code, message);
      const isReplaced = iban !== null && iban.slice(12) !== number.padStart(10, "0");
      assert.equal(parts.includes("account number"), isReplaced, message);
    }),
    { numRuns: 2_000 },
  );
});

test("the IBAN and BIC that an IBAN rule makes of an account at any bank are valid together", () => {
  let made = 0;
  for (let index = 0; index < directory.germanCount; index++) {
    const { bankCode, main } = directory.record(index);
    if (!main) continue;
    for (let number = 1; number < 9; number++) {
      const account = String((number * 7_919 + index * 104_729) * 10 ** (number % 4)).slice(-10);
      const generated = generateIban(bankCode, account, directory.ruleBank);
      if (!("iban" in generated)) continue;
      made++;
      const { outcome } = checkIban(directory, generated.iban, generated.bic ?? undefined);
      assert.equal(outcome, "valid", `${bankCode} ${account} ${generated.iban} ${generated.bic}`);
    }
  }
  assert.ok(made > 5_000, String(made));
});
