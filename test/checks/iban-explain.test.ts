import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { plain } from "../../src/checks/answer.ts";
import { batchAnswer, ibanAnswer } from "../../src/checks/iban-answer.ts";
import { type BatchAnswer, type Check, type CheckAnswer, sentAnswer } from "../contract/check-data.ts";
import { ibanOf, withReplaced } from "../contract/iso-check-digits.ts";
import { directory } from "../suggest/engine.ts";
import { pluck } from "../support/pluck.ts";
import { words } from "../support/words.ts";

/** The answer to an IBAN as it is once it was sent. */
function answerOf(iban: string, explain = false): CheckAnswer {
  return sentAnswer(ibanAnswer(directory, iban, undefined, { ...plain, explain }), { checks: explain });
}

function explain(iban: string) {
  const { status, data } = answerOf(iban, true);
  const checks = data.checks!;
  return { status, checks, failed: checks.filter(({ result }) => result === "failed") };
}

/** The IBAN with what a failed check says would be right there, the ISO check digits left as they are. */
function repaired(iban: string, { position, expected }: Check): string {
  const right = expected?.[0];
  assert.ok(position !== undefined && right !== undefined, `nothing is said to be right in ${iban}`);
  assert.equal(right.length, position.length, iban);
  return iban.slice(0, position.start) + right + iban.slice(position.start + right.length);
}

const order = words`
  country length structure iso_check_digits bank_code bank_code_deletion national_check_digits
  check_digit_method uk_modulus currency qr_iban bic sepa_methods
`;

test("the checks have known names and are in the order they are made", () => {
  for (const { example } of ibanCountries) {
    const { checks } = explain(example);
    const places = checks.map(({ check }) => order.indexOf(check));
    assert.ok(!places.includes(-1), checks.map(({ check }) => check).join());
    const sorted = places.toSorted((one, other) => one - other);
    assert.deepEqual(places, sorted, example);
  }
});

test("explain adds the checks and changes nothing else, and the batch entry of any IBAN has the data of its single answer", () => {
  const character = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const country = fc.constantFrom(...ibanCountries.map(({ code }) => code), "ZZ", "AX", "AO");
  const any = fc
    .tuple(country, fc.string({ unit: character, minLength: 13, maxLength: 34 }))
    .map(([code, rest]) => code + rest);
  const example = fc.constantFrom(...ibanCountries.map(({ example }) => example));
  const changed = fc
    .tuple(example, fc.nat(40), character)
    .map(([iban, at, other]) => [...iban].with(2 + (at % (iban.length - 2)), other).join(""));
  fc.assert(
    fc.property(fc.oneof(any, changed, example), (iban) => {
      for (const explain of [false, true]) {
        const answer = JSON.stringify(batchAnswer(directory, [iban], { ...plain, explain }));
        const [entry] = (JSON.parse(answer) as BatchAnswer).batch.results;
        const { status, data } = answerOf(iban, explain);
        assert.deepEqual(entry, { iban, valid: status === 1, status, data });
      }
      const given = answerOf(iban);
      const explained = answerOf(iban, true);
      const { status } = given;
      const { checks, sources: _, messages, assumed, kind, ...data } = explained.data;
      if (assumed === undefined && kind === undefined) assert.deepEqual({ ...explained, data }, given);
      if (status === 1) assert.deepEqual(messages?.[0], { id: "iban_valid" });
      const failed = checks!.filter(({ result }) => result === "failed");
      if (status !== 1) assert.ok(failed.length > 0, iban);
      else assert.ok(!failed.some(({ check }) => check !== "national_check_digits"), iban);
    }),
    { numRuns: 1_500 },
  );
});

test("wrong ISO check digits are explained by the right ones, in every country", () => {
  for (const { example } of ibanCountries) {
    const wrong = `${example.slice(0, 2)}${example.slice(2, 4) === "50" ? "51" : "50"}${example.slice(4)}`;
    const { status, failed } = explain(wrong);
    assert.equal(status, 0, wrong);
    assert.deepEqual(pluck(failed, "check"), ["iso_check_digits"], wrong);
    assert.equal(repaired(wrong, failed[0]!), example);
  }
});

test("wrong national check digits are explained by the right ones, at any place", () => {
  const countries = ibanCountries.filter(({ nationalCheck }) => nationalCheck !== null);
  assert.ok(countries.length > 25);
  for (const { example, code, nationalCheck, nationalCheckEnforced } of countries) {
    for (const span of nationalCheck!.spans) {
      const start = 4 + span.start;
      const right = example.slice(start, start + span.length);
      const others = /[A-Z]/.test(right) ? ["A", "B"] : ["0", "1"];
      const other = others.map((character) => character.repeat(span.length)).find((text) => text !== right)!;
      const wrong = withReplaced(example, start, other);
      const { status, failed } = explain(wrong);
      assert.equal(status, nationalCheckEnforced ? 0 : 1, wrong);
      assert.deepEqual([...new Set(failed.map(({ check }) => check))], ["national_check_digits"], wrong);
      const mended = failed.reduce((iban, entry) => repaired(iban, entry), wrong);
      const after = explain(ibanOf(code, mended.slice(4)));
      assert.equal(after.status, 1, `${wrong} mended to ${mended}`);
      assert.deepEqual(after.failed, []);
    }
  }
});
