import assert from "node:assert/strict";
import { test } from "node:test";
import { reasons } from "../../src/contract/status.ts";
import { verdictOf } from "../../src/contract/verdict.ts";
import { words } from "../support/words.ts";

test("a valid number with any reason has a reservation, without one it is valid", () => {
  assert.equal(verdictOf(true, null), "valid");
  assert.equal(verdictOf(true, ""), "valid");
  for (const reason of Object.keys(reasons)) assert.equal(verdictOf(true, reason), "doubtful", reason);
});

test("without status 1 only a reason beside the number itself is a reservation", () => {
  const doubtful = Object.keys(reasons).filter((reason) => verdictOf(false, reason) === "doubtful");
  assert.deepEqual(
    doubtful,
    words`
    bic_mismatch bic_former method_unknown no_check_digit rule_forbids_iban rule_unknown rule_target_unknown
  `,
  );
  assert.equal(verdictOf(false, "invalid_bic"), "invalid", "an error is none either");
});
