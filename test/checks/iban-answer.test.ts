import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnswerOptions, plain } from "../../src/checks/answer.ts";
import { batchAnswer, ibanAnswer } from "../../src/checks/iban-answer.ts";
import type { IbanBatchAnswer, IbanCheckAnswer } from "../../src/client/index.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { directory, filters } from "../suggest/engine.ts";

const of = (iban: string, bic?: string, options: Partial<AnswerOptions> = {}) =>
  ibanAnswer(directory, iban, bic, { ...plain, ...options }) as IbanCheckAnswer;
const right = "DE89370400440532013000";
const wrong = "DE89370400440532013001";
const noSchemes = { sct: 0, sdd: 0, b2b: 0, scc: 0 };
const nothing = { bic: null, kto: "", blz: "", bank: "", zip: "", location: "", sepa_methods: noSchemes };
const commerzbank = {
  bic: "COBADEFFXXX",
  kto: "0532013000",
  blz: "37040044",
  bank: "Commerzbank",
  zip: "50447",
  location: "Köln",
  country: "DE",
  sepa_methods: { sct: 1, sdd: 1, b2b: 1, scc: 1 },
};

test("a right IBAN has its bank and schemes, also where the BIC is another's, and one at an unknown bank those of its country", () => {
  const data = { iban: right, ...commerzbank };
  assert.deepEqual(of(right), { status: 1, message: "The IBAN is valid.", data });
  const mismatch = of(right, "DEUTDEFF");
  assert.deepEqual(mismatch, { status: 2, message: "The BIC does not match the IBAN or is invalid.", data });
  const country = { country: "BE", blz: "539", sepa_methods: { sct: 1, sdd: 1, b2b: 1, scc: 0 } };
  assert.deepEqual(of("BE68539007547034").data, { iban: "BE68539007547034", ...nothing, ...country });
  const austrian = of("AT483200000012345864").data;
  assert.deepEqual([austrian.blz, austrian.kto, austrian.country], ["32000", "", "AT"]);
  const atUnknownBank = ibanOf("DE", "999999990532013000");
  const parts = { country: "DE", blz: "99999999", kto: "0532013000" };
  const { status, data: unknown } = of(atUnknownBank);
  assert.deepEqual([status, unknown], [7, { iban: atUnknownBank, ...nothing, ...parts }]);
});

test("a BIC says whether a bank that is not known is in a territory outside SEPA", () => {
  // Bank 99998, branch 00000, account 1, with its RIB key.
  const french = ibanOf("FR", "99998000000000000000122");
  for (const [bic, flag] of Object.entries({ BNPAGPGX: 1, BNPANCNX: 0 })) {
    const schemes = { sct: flag, sdd: flag, b2b: flag, scc: 0 };
    assert.deepEqual(of(french, bic).data.sepa_methods, schemes, bic);
  }
  assert.equal(of(ibanOf("GB", "ZZZZ60161331926819"), "BNPANCNX").data.sepa_methods.sct, 1);
});

test("a wrong IBAN has no bank, with explain the assumed one of the number as written", () => {
  const message = "The IBAN is not valid: its check digits are wrong.";
  const country = "DE";
  assert.deepEqual(of(wrong), { status: 0, message, data: { iban: wrong, ...nothing, country } });
  const { checks, messages, sources, ...data } = of(wrong, undefined, { explain: true }).data;
  const assumed = { ...commerzbank, kto: "0532013001", sepa_methods: noSchemes, assumed: true };
  assert.deepEqual(data, { iban: wrong, ...assumed });
  assert.equal(sources?.name?.list, "blz");
  assert.equal(sources?.schemes, null);
  for (const other of [right, "DE8937040044053201300", "DE8A370400440532013000"])
    assert.equal(of(other, undefined, { explain: true }).data.assumed, undefined);
  const wrongAccount = of(ibanOf("DE", "370400440532013100"));
  assert.deepEqual([wrongAccount.status, wrongAccount.data.bank], [0, "Commerzbank"]);
  assert.deepEqual(wrongAccount.data.sepa_methods, noSchemes);
  const foreign = "XX89370400440532013000";
  assert.deepEqual(of(foreign).data, { iban: foreign, ...nothing, country: "" });
  assert.equal(of(wrong, undefined, { reason: true }).data.reason, "iso_check_digits");
});

test("a text that is not an IBAN is refused, saying what it is, or corrected where one slip explains it", () => {
  const malformed = "E89370400440532013000";
  for (const [text, message] of [
    ["XX", /^The IBAN is too short/],
    [malformed, /^The IBAN is too short/],
    ["4111111111111111", "This is a card number, not an IBAN."],
  ] as const)
    assert.throws(() => of(text), { code: "invalid_iban", message });
  assert.throws(() => of("XX", undefined, { suggest: filters }), { code: "invalid_iban" });
  const { data, ...said } = of(malformed, undefined, { suggest: filters });
  assert.deepEqual(said, { status: 3, message: "This is not an IBAN." });
  const suggestion = { kind: "missing", positions: [0], bank: "Commerzbank", bic: "COBADEFFXXX" };
  assert.deepEqual(data, {
    iban: null,
    ...nothing,
    country: "",
    suggestion_count: 1,
    suggestions: [{ iban: right, ...suggestion }],
  });
});

test("an entry of a batch that is not an IBAN has the error of a single check, and nothing of an IBAN", () => {
  const entries = (ibans: readonly unknown[], options: Partial<AnswerOptions>) =>
    (batchAnswer(directory, ibans, { ...plain, ...options }) as IbanBatchAnswer).batch;
  const { total, results } = entries([right, 5, "4111111111111111", wrong], { suggest: filters });
  assert.deepEqual([total, results.map(({ status }) => status)], [4, [1, 3, 3, 0]]);
  assert.deepEqual(results[0], { iban: right, valid: true, status: 1, data: of(right).data });
  const error = { http_status: 400, code: "invalid_iban", field: "iban" };
  const data = { iban: null, ...nothing, country: "", suggestions: [], suggestion_count: 0 };
  const { message, ...rest } = results[1]!.error!;
  assert.deepEqual([results[1]!.iban, results[1]!.data, rest], ["", data, error]);
  assert.match(message, /^The IBAN is too short/);
  assert.equal(results[3]!.data.suggestions?.[0]?.iban, right);
  const [explained] = entries(["4111111111111111"], { explain: true }).results;
  assert.equal(explained!.error!.message, "This is a card number, not an IBAN.");
  const [none] = entries(["é"], { reason: true, language: "de" }).results;
  const said = [none!.data.reason, none!.data.severity, none!.data.message];
  assert.deepEqual(said, ["not_an_iban", "error", "Das ist keine IBAN."]);
  assert.match(none!.error!.message, /^Die IBAN ist zu kurz/);
  const { kind, checks, suggestions } = explained!.data;
  assert.deepEqual([kind, suggestions], ["card", undefined]);
  const made = checks?.map(({ check, result, detail }) => [check, result, detail]);
  assert.deepEqual(made, [["form", "failed", "This is a card number, not an IBAN."]]);
});

test("with explain the kind of a text says what it is instead of an IBAN, also of one that has an IBAN's form", () => {
  for (const [text, kind, sentence] of [
    ["DE98 ZZZ0 9999 9999 99", "creditor_identifier", /^This is a creditor identifier/],
    ["bitte zahlen Sie bald", "prose", /^This is text without digits, not an IBAN\.$/],
    ["COBADEFFXXX", "bic", /^This has the form of a BIC, not of an IBAN\.$/],
    [wrong, undefined, /check digits/],
  ] as const) {
    const options = { ...plain, explain: true, reason: true };
    const { data, error } = (batchAnswer(directory, [text], options) as IbanBatchAnswer).batch.results[0]!;
    assert.equal(data.kind, kind);
    assert.match(data.message!, sentence);
    if (error === undefined) continue;
    assert.match(error.message, sentence);
    assert.deepEqual(error.messages, data.messages);
  }
});

test("a lenient reading says first what was removed, if anything was", () => {
  const options = { lenient: true, explain: true };
  const first = (text: string) => {
    const { check, result, messages } = of(text, undefined, options).data.checks![0]!;
    return [check, result, ...(messages ?? []).map(({ id }) => id)];
  };
  assert.deepEqual(first(right), ["spelling", "passed"]);
  assert.equal(of(right, undefined, { explain: true }).data.checks![0]!.check, "country");
  assert.deepEqual(first(`My IBAN is ${right}, thanks`), ["spelling", "passed", "spelling_text"]);
});
