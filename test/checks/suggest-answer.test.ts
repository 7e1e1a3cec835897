import assert from "node:assert/strict";
import { test } from "node:test";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { plain } from "../../src/checks/answer.ts";
import { correctionBudget } from "../../src/checks/correction-budget.ts";
import { extractAnswer } from "../../src/checks/extract-answer.ts";
import { batchEntry } from "../../src/checks/iban-answer.ts";
import { suggestAnswer } from "../../src/checks/suggest-answer.ts";
import type { ExtractAnswer, SuggestAnswer } from "../../src/client/index.ts";
import { filters } from "../suggest/engine.ts";
import { pluck } from "../support/pluck.ts";
import { readVectors } from "../vectors/read.ts";

const failing = readVectors("uk-modulus.ndjson")
  .filter(({ account, result }) => result === "failed" && account.length === 8)
  .slice(0, 20)
  .map(({ sortCode, account }) => composeIban("GB", `NWBK${sortCode}${account}`));

const right = "DE89370400440532013000";
const wrong = "DE89370400440532013001";
const commerzbank = { bank: "Commerzbank", bic: "COBADEFFXXX" };
const suggest = (iban: string, max = 50) => suggestAnswer(filters, iban, max, "en") as SuggestAnswer;
const extract = (text: string) => extractAnswer(filters, text, "en").answer as ExtractAnswer;

test("unreadable characters are filled in, wrong ones corrected, right ones left", () => {
  assert.deepEqual(suggest("DE89 3704 ?044 05?2 0130 00"), {
    status: 1,
    message: "Possible IBANs found.",
    data: {
      counts: { iso: 2, national: 2, all: 1 },
      suggestions: [{ iban: right, kind: "unreadable", positions: [8, 14], ...commerzbank }],
      iban: "DE893704?04405?2013000",
      suggestion_count: 1,
    },
  });
  assert.deepEqual(suggest(wrong).data.suggestions, [
    { iban: right, kind: "substitution", positions: [21], ...commerzbank },
  ]);
  const austrian = suggest("AT611904300234573?01").data.suggestions;
  assert.deepEqual(austrian, [
    { iban: "AT611904300234573201", kind: "unreadable", positions: [17], bank: "", bic: null },
  ]);
  assert.ok(suggest("MT84MALT011000012345????AST001S", 7).data.suggestion_count > 10_000);
  assert.equal(suggest(right.slice(0, -2), 1).data.suggestions.length, 1);
  for (const [text, suggestions] of [
    [right, []],
    [`D€${right.slice(2)}`, []],
    [`${right}COBADEFFXXX`, []],
    [right.slice(2), [right]],
    [`0${right.slice(1)}`, [right]],
    [`DE00${right.slice(4)}`, [right]],
    [right.slice(0, -2), [right, `${right.slice(0, -2)}97`]],
  ] as const) {
    const { message, data } = suggest(text);
    assert.deepEqual(pluck(data.suggestions, "iban"), suggestions, text);
    assert.equal(data.suggestion_count, suggestions.length, "as in a check, and in an extract");
    if (suggestions.length > 0) continue;
    assert.equal(data.iban, right, "what was read");
    assert.equal(message, "The IBAN is valid; there is nothing to correct.");
  }
  const { status, message } = suggest("nonsense");
  assert.deepEqual([status, message], [0, "No possible IBAN found."]);
});

test("as many unreadable characters as have no useful answer are refused, and an unreadable country", () => {
  const sentences = [
    ["DE8937040044053?????00", "At most 4 characters of the IBAN may be unreadable (?)."],
    ["D?89370400440532013000", /^The IBAN must begin with the two letters of a registered country/],
  ] as const;
  for (const [iban, message] of sentences) assert.throws(() => suggest(iban), { message });
});

test("what is found in a text comes with its place, its verdict, its bank, and what a wrong number was meant to be", () => {
  const text = `IBAN ${right}, BIC COBADEFFXXX; Konto 532013000, BLZ 37040044; IBAN: ${wrong}`;
  const { status, message, data } = extract(text);
  assert.deepEqual([status, message], [1, "Found 2 IBANs, 1 BIC, and 1 account."]);
  const [first, second] = data.ibans;
  const facts = [first?.valid, first?.reason, first?.bank, first?.bic, first?.suggestions];
  assert.deepEqual(facts, [true, null, ...Object.values(commerzbank), []]);
  assert.deepEqual([second?.valid, second?.reason], [false, "iso_check_digits"]);
  assert.deepEqual(pluck(second?.suggestions ?? [], "iban"), [right]);
  for (const { start, end, text: marked } of [...data.ibans, ...data.bics, ...data.accounts])
    assert.equal(text.slice(start, end), marked);
  assert.deepEqual(pluck(data.bics, "bic"), ["COBADEFFXXX"]);
  for (const pair of ["37040044 12345678", "12345678 37040044"]) {
    const [account] = extract(pair).data.accounts;
    assert.deepEqual([account?.bank_code, account?.account], ["37040044", "12345678"], pair);
  }
});

test("a British IBAN that fails the UK modulus check is valid in a text only where the check is observed", () => {
  assert.equal(failing.length, 20);
  for (const isEnforced of [false, true]) {
    const observed = isEnforced ? [] : ["GB"];
    const asked = { ...filters, policy: { ...filters.policy, observed } };
    for (const iban of failing) {
      const { data } = extractAnswer(asked, `IBAN: ${iban}`, "en").answer as ExtractAnswer;
      const expected = isEnforced ? [iban, 0, "national_check_digits"] : [iban, 1, null];
      const found = data.ibans.map(({ iban, status, reason }) => [iban, status, reason]);
      assert.deepEqual(found, [expected]);
      const { message } = suggestAnswer(asked, iban, 10, "en") as SuggestAnswer;
      assert.equal(message === "The IBAN is valid; there is nothing to correct.", !isEnforced, iban);
    }
  }
});

test("a batch pays for reading its texts leniently from the time for corrections", () => {
  // A microsecond is left as long as nothing is charged, and no reading takes less, however fast the machine.
  const budget = correctionBudget(filters, 0.001);
  const options = { ...plain, lenient: true, suggest: filters };
  batchEntry(filters.directory, "DE8 9 ".repeat(26), options, undefined, budget);
  assert.equal(budget.omitted, 1);
});
