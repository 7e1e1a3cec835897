import assert from "node:assert/strict";
import { test } from "node:test";
import { composeAnswer } from "../../src/checks/compose-answer.ts";
import type { ComposedIbanAnswer } from "../../src/client/index.ts";
import { RequestError } from "../../src/contract/errors.ts";
import { directory, filters } from "../suggest/engine.ts";

const composed = (country: string, bank_code: string, account: string, branch_code?: string) =>
  composeAnswer(
    filters,
    { country, bank_code, account, ...(branch_code === undefined ? {} : { branch_code }) },
    "en",
  ) as ComposedIbanAnswer;

/** What an answer says, without the checks. */
function answerOf(...parts: Parameters<typeof composed>) {
  const { status, message, data } = composed(...parts);
  const { checks, ...facts } = data;
  assert.ok(checks.every(({ check }) => check !== "bic" && check !== "sepa_methods"));
  return { status, message, ...facts };
}

const right = { status: 1, message: "The IBAN was composed.", not_checked: [] };
const withoutBank = { bank: "", bic: null };
const partsOf = (country: string, bank_code: string, account: string, branch_code = "") => {
  return { country, bank_code, account, branch_code };
};

test("the answer has the IBAN, its parts, the bank, and the checks that could not be made", () => {
  assert.deepEqual(answerOf("ES", "2100", "0200051332", "0418"), {
    ...right,
    ...partsOf("ES", "2100", "0200051332", "0418"),
    iban: "ES9121000418450200051332",
    bank: "CAIXABANK, S.A.",
    bic: "CAIXESBB",
  });
  assert.deepEqual(answerOf("at", "1904-3", " 234 573 201"), {
    ...right,
    ...withoutBank,
    ...partsOf("AT", "19043", "234573201"),
    iban: "AT611904300234573201",
    not_checked: ["bank_code", "national_check_digits"],
  });
  assert.deepEqual(answerOf("CZ", "0800", "0000192000145398"), {
    ...withoutBank,
    ...partsOf("CZ", "0800", "0000192000145398"),
    status: 0,
    message: "No IBAN: the national check digits of the bank code or account number are wrong.",
    iban: null,
    not_checked: [],
  });
});

test("an account that fails a check which only warns is composed with a sentence about it, and not where it is enforced", () => {
  const parts = { country: "GB", bank_code: "NWBK", branch_code: "60-16-13", account: "31926818" };
  for (const [observed, status, iban, sentence] of [
    ["GB", 1, "GB56NWBK60161331926818", /^The IBAN was composed, but its account number fails the national/],
    ["", 0, null, /^No IBAN: the national check digits/],
  ] as const) {
    const policy = { ...filters.policy, observed: [observed] };
    const answer = composeAnswer({ directory, policy }, parts, "en") as ComposedIbanAnswer;
    assert.deepEqual([answer.status, answer.data.iban], [status, iban]);
    assert.match(answer.message, sentence);
  }
});

test("a German IBAN is that of its bank's IBAN rule, with what the rule replaces", () => {
  assert.deepEqual(answerOf("DE", "370 400 44", "532013000"), {
    ...right,
    ...partsOf("DE", "37040044", "0532013000"),
    iban: "DE89370400440532013000",
    bank: "Commerzbank",
    bic: "COBADEFFXXX",
  });
  // An account for donations, which IBAN rule 0017 00 replaces, whether or not it fits the check-digit method.
  const { status, message, iban, account } = answerOf("DE", "38060186", "100");
  assert.deepEqual([status, iban, account], [1, "DE43380601862009090013", "2009090013"]);
  const replaced = "The IBAN was composed. The bank's IBAN rule replaces the account number in the IBAN.";
  assert.equal(message, replaced);
  const wrong = answerOf("DE", "37040044", "532013100");
  assert.deepEqual(
    [wrong.status, wrong.message, wrong.iban, wrong.account, wrong.bank],
    [0, "The check digit of the account number is wrong.", null, "532013100", "Commerzbank"],
  );
  const unknown = answerOf("DE", "00000001", "1");
  assert.deepEqual([unknown.status, unknown.iban, unknown.bank, unknown.bic], [0, null, "", null]);
});

test("a part that does not fit is refused by its name", () => {
  for (const [country, bank, account, branch, field, sentence] of [
    ["ES", "2100", "123456789012345", "0418", "account", /10 characters/],
    ["ES", "2100", "0200051332", undefined, "branch_code", /required for ES/],
    ["ES", "21000", "0200051332", "0418", "bank_code", /4 characters/],
    ["AT", "19043", "00234573201", "12", "branch_code", /no branch code/],
    ["DE", "37040044", "532013000", "001", "branch_code", /no branch code/],
    ["DE", "3704004x", "532013000", "", "bank_code", /characters other than digits/],
    ["DE", "37040044", "000", "", "account", /missing, zero/],
    ["DE", "37040044", "53201300x", "", "account", /other than digits/],
    ["GB", "BARC", "312345678", "20-00-00", "account", /8 characters/],
    ["ZZ", "1", "1", undefined, "country", /ISO code/],
  ] as const) {
    assert.throws(
      () => composed(country, bank, account, branch),
      (error: RequestError) => {
        assert.deepEqual([error.code, error.detail?.field], ["invalid_request", field], country + bank);
        assert.match(error.message, sentence);
        return error instanceof RequestError;
      },
    );
  }
});

test("dashes of a Czech account stand for zeros, and a British account of another length is its bank's form of it", () => {
  assert.equal(answerOf("CZ", "0800", "19-100001/0800").iban, "CZ1508000000190000100001");
  const british = (sortCode: string, account: string) =>
    String(answerOf("GB", "ABBY", account, sortCode).iban).slice(8);
  assert.equal(british("60-16-13", "319268"), "60161300319268");
  assert.equal(british("09-01-26", "312345678"), "09012312345678");
  assert.equal(british("60-16-13", "0031926819"), "60161331926819");
});
