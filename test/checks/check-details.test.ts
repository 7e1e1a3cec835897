import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { accountAnswer } from "../../src/checks/account-answer.ts";
import { plain } from "../../src/checks/answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import { directoryOf, germanBank, italianBank, someEdition } from "../banks/records.ts";
import { type CheckAnswer, sentAnswer } from "../contract/check-data.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { directory, filters } from "../suggest/engine.ts";
import { ibanAtBank } from "../support/iban-mix.ts";

const explaining = { ...plain, explain: true, policy: filters.policy };
const enforcing = { ...explaining, policy: { ...filters.policy, observed: ["DE"] } };
const withoutWeights = { ...explaining, policy: defaultPolicy };

/** The checks of an answer, one a line: name, result, place and detail, with days and months left out. */
function checksIn({ data }: CheckAnswer): readonly string[] {
  return data.checks!.map(({ check, result, position, detail, expected }) => {
    const place = position === undefined ? "" : `${position.start}+${position.length}`;
    const text = [check, result, place, detail, expected?.join()].filter(Boolean).join(" ");
    return text.replaceAll(/\d{4}-\d\d(-\d\d)?/g, "#");
  });
}

/** The checks of an IBAN, optionally followed by a slash and a BIC. */
function ofIban(ibanAndBic: string, options = explaining, of = directory) {
  const [iban = "", bic] = ibanAndBic.split("/");
  return checksIn(sentAnswer(ibanAnswer(of, iban, bic, options), { checks: true }));
}

/** Of some checks those that have the name of another. */
const sameCheck = (checks: readonly string[], other: string) =>
  checks.filter((check) => check.split(" ", 1)[0] === other.split(" ", 1)[0]);

const german = "DE89370400440532013000";
const majority = "Most banks of the country had these schemes on #.";
const assumed = "sepa_methods unknown Assumed: no directory of participants is loaded.";
const noBic = "bic not_applicable No BIC was given.";

test("each check of an IBAN says what was found, and where", () => {
  assert.deepEqual(ofIban(german), [
    "country passed Germany (DE).",
    "length passed 22 of 22 characters.",
    "structure passed",
    "iso_check_digits passed 2+2",
    "bank_code passed 4+8 37040044 is in the directory (edition #).",
    "bank_code_deletion passed",
    "check_digit_method passed 19+1 Method 13, variant 1.",
    noBic,
    assumed,
  ]);
  assert.deepEqual(ofIban("HU42117730161111101800000000").slice(4), [
    "bank_code passed 4+3 117 is in the directory (edition #).",
    "national_check_digits passed 11+1 Algorithm hu-9731-mod10.",
    "national_check_digits passed 19+1 Algorithm hu-9731-mod10.",
    "national_check_digits passed 27+1 Algorithm hu-9731-mod10.",
    noBic,
    `${assumed} ${majority}`,
  ]);
  assert.deepEqual(ofIban("DE00370400440532013000").slice(3), [
    "iso_check_digits failed 2+2 89",
    "bank_code unknown 4+8 Assumed, as the check digits are wrong: 37040044 is Commerzbank.",
  ]);
});

/** IBANs, each with the first checks of it. */
const forms = `
IBANDE89370400440532013000
  country failed 0+4 The IBAN is not valid: it begins with the word IBAN; send the number without it, or add lenient=1.
AX2112345600000785
  country failed 0+4 This territory uses the country code FI; its check digits would be 21. FI21
AO06000600000100037131174
  country failed 0+2 The IBAN is not valid: its country uses IBAN-like numbers that are not registered.
ZZ68539007547034
  country failed 0+2 The IBAN is not valid: its country is not in the IBAN registry.
DE8937040044053201300
  country passed Germany (DE).
  length failed The IBAN has 21 characters; its country (Germany) requires 22.
  structure unknown
  iso_check_digits unknown
GB2912BK60161331926819
  country passed United Kingdom (GB).
  length passed 22 of 22 characters.
  structure failed 4+1 Character 5 does not fit the structure that its country (United Kingdom) requires.
  iso_check_digits unknown
DE8A370400440532013000
  country passed Germany (DE).
  length passed 22 of 22 characters.
  structure failed 3+1 Character 4 does not fit the structure that its country (Germany) requires.
  iso_check_digits failed 2+2 89
`;

test("country, length, structure and check digits each say what is wrong, where, and what would be right", () => {
  for (const form of forms.trim().split(/\n(?=\S)/)) {
    const [iban = "", ...expected] = form.split("\n  ");
    assert.deepEqual(ofIban(iban).slice(0, 4), expected);
  }
});

const wrongAccount = ibanOf("DE", "370400440532013100");
const austrian = "AT611904300234573201";
const [british, wrongBritish] = ["GB29NWBK60161331926819", "GB56NWBK60161331926818"];
const [listed, absent] = ["is in the directory (edition #)", "is not in the directory (edition #)"];
const notEnforced = "a failure is reported but does not make the";
const weights = "UK modulus check, weights of #";
const exempt = "accounts in a foreign currency are exempt.";
const qrIid = "is a QR-IID: this QR-IBAN accepts only payments with a QR reference.";

test("each check that only some countries or questions have says what was found, and where", () => {
  for (const [iban, expected, options] of [
    [austrian, `bank_code unknown 4+5 19043 ${absent}; banks may have been added since.`],
    [ibanOf("DE", "999999990532013000"), `bank_code failed 4+8 99999999 ${absent}.`],
    [austrian, "national_check_digits not_applicable The country has no nationwide check digits."],
    [
      ibanAtBank("MK", "530"),
      `bank_code passed 4+3 530 ${listed} as the code of a bank that has closed or merged.`,
    ],
    ["FR1420041010050500013M02606", "national_check_digits passed 25+2 Algorithm rib-97-letters."],
    [
      "FI2112345600000785",
      "national_check_digits passed 17+1 Algorithm luhn; in this country a wrong result is reported but does not make the IBAN invalid.",
    ],
    [british, `uk_modulus passed 8+14 ${weights}.`],
    [wrongBritish, `uk_modulus failed 8+14 ${weights}; ${notEnforced} IBAN invalid.`],
    [wrongBritish, `uk_modulus failed 8+14 ${weights}.`, enforcing],
    ["GB33BUKB20201555555555", `uk_modulus not_applicable 8+14 ${weights}: ${exempt}`],
    [british, "uk_modulus unknown 8+14 The weights of the UK modulus check are not loaded.", withoutWeights],
    ["SC18SSCB11010000000000001497USD", "currency passed 28+3 USD is a currency."],
    ["CH4431999123000889012", `qr_iban passed 4+5 31999 ${qrIid}`],
    [ibanOf("CH", "30000001234567890"), `qr_iban passed 4+5 30000 ${qrIid}`],
    ["CH9300762011623852957", "qr_iban not_applicable Not a QR-IBAN."],
    [ibanOf("CH", "09000000123456789"), "qr_iban not_applicable Not a QR-IBAN."],
    [`${german}/COBADEFFXXX`, "bic passed The BIC is the bank's own."],
    [`${german}/COBADEFF`, "bic passed Padded with XXX, the BIC is the bank's own."],
    [
      `${german}/COBADEFF370`,
      "bic passed The first eight characters of the BIC are the bank's. They name its institution; savings and cooperative banks share them with others.",
    ],
    [`${german}/DEUTDEFF`, "bic failed The bank does not have this BIC."],
    [`${german}/BNPAFRPP`, "bic failed The BIC belongs to another country."],
    [wrongAccount, "check_digit_method failed 19+1 Method 13. 0", explaining],
    [wrongAccount, `check_digit_method failed 19+1 Method 13; ${notEnforced} number invalid. 0`, enforcing],
  ] as const)
    assert.deepEqual(sameCheck(ofIban(iban, options), expected), [expected], iban);
});

test("each check of a German account says what was found, and what its IBAN rule did", () => {
  const of = (kontonummer: string, blz: string, sepa: boolean) => {
    const answer = accountAnswer(directory, { kontonummer, blz, sepa }, explaining);
    return checksIn(sentAnswer(answer, { account: true, sepaMethods: sepa, checks: true }));
  };
  assert.deepEqual(of("532013000", "37040044", true), [
    "form passed",
    "bank_code passed Commerzbank (edition #).",
    "bank_code_deletion passed",
    "check_digit_method passed 7+1 Method 13, variant 1.",
    "iban_rule passed Rule 000503 (published).",
    assumed,
  ]);
  const refused = "No IBAN can be generated: the bank's IBAN rule does not accept this account number.";
  const replaces = "The bank's IBAN rule replaces the account number in the IBAN.";
  const waived = "The bank's IBAN rule allows this account number without a check digit.";
  for (const [kontonummer, blz, expected] of [
    ["100", "38060186", "bank_code passed Volksbank Köln Bonn (edition #)."],
    ["100", "38060186", "check_digit_method passed 9+1 Method 06, variant 1."],
    ["100", "38060186", `iban_rule passed Rule 001700 (published). ${replaces}`],
    ["943715", "30060010", `check_digit_method not_applicable ${waived}`],
    ["5974558248", "50050222", "check_digit_method passed 9+1 Method 96, variant 2."],
    ["1958", "50040000", `iban_rule failed Rule 000503 (published). ${refused}`],
  ] as const)
    assert.deepEqual(sameCheck(of(kontonummer, blz, true), expected), [expected], kontonummer);
  const notRequested = "iban_rule not_applicable No IBAN was requested (sepa=1).";
  assert.deepEqual(of("532013000", "37040044", false).slice(4), [notRequested]);
  assert.deepEqual(of("1", "00000001", true), ["bank_code failed The bank code does not exist."]);
  const tooLong = "form failed The account number must have at most 10 digits.";
  assert.deepEqual(of("12345678901", "37040044", true), [tooLong]);
});

test("with a clearing directory the schemes are those of the bank's BIC in it, and are said to be", () => {
  const sepa = { sct: 1, sdd: 0, b2b: 1, scc: 0 } as const;
  const records = [germanBank({ sepa, sepaSource: "directory" }), italianBank({ bic: null })];
  const loaded = directoryOf(records, { ...someEdition, scl: "2026-09-07" });
  const text = "the directory of reachable payment service providers (edition #).";
  assert.deepEqual(sentAnswer(ibanAnswer(loaded, german, undefined, plain)).data.sepa_methods, sepa);
  assert.equal(ofIban(german, explaining, loaded).at(-1), `sepa_methods passed Read from ${text}`);
  const italian = ofIban("IT60X0542811101000000123456", explaining, loaded).at(-1);
  assert.equal(italian, `sepa_methods unknown Assumed: no BIC of the bank is listed in ${text} ${majority}`);
});
