import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/contract/language.ts";
import { reasons } from "../../src/contract/status.ts";
import { isListOld, verdictOf, verdictWords } from "../../src/contract/verdict.ts";
import { words } from "../support/words.ts";

test("a valid number with any reason has a reservation, without one it is valid", () => {
  assert.equal(verdictOf(true, null), "valid");
  assert.equal(verdictOf(true, undefined), "valid");
  assert.equal(verdictOf(true, ""), "valid");
  for (const reason of Object.keys(reasons)) assert.equal(verdictOf(true, reason), "doubtful", reason);
});

test("without status 1 only a reason beside the number itself is a reservation", () => {
  const doubtful = Object.keys(reasons).filter((reason) => verdictOf(false, reason) === "doubtful");
  const expected = words`
    bic_mismatch bic_former method_unknown no_check_digit rule_forbids_iban rule_unknown rule_target_unknown
  `;
  assert.deepEqual(doubtful, expected);
  assert.equal(verdictOf(false, "invalid_bic"), "invalid", "an error is none either");
  assert.equal(verdictOf(false, null), "invalid");
});

test("each verdict has a word of its own in every language", () => {
  const all = Object.values(verdictWords).flatMap((word) => languages.map((language) => word[language]));
  for (const word of all) assert.match(word, /^(Valid|Not|Gültig|Ungültig)/);
  assert.equal(new Set(all).size, 6);
});

test("a list is old from the day after its first birthday on, and never where its date is not known", () => {
  const on = (day: string) => Date.parse(day);
  for (const [edition, at, isOld] of [
    ["2025-09-07", on("2026-09-07T23:59:59.999Z"), false],
    ["2025-09-07", on("2026-09-08"), true],
    ["2025-09", on("2026-09-01"), false],
    ["2025-09", on("2026-09-02"), true],
    [null, on("2026-09-02"), false],
    [undefined, on("2026-09-02"), false],
    ["2025", Number.NaN, false],
  ] as const)
    assert.equal(isListOld(edition, at), isOld, `${edition} at ${at}`);
});
