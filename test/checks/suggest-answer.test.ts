import assert from "node:assert/strict";
import { test } from "node:test";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { BicIndex } from "../../src/banks/lookup/bics.ts";
import { plain } from "../../src/checks/answer.ts";
import { batchEntry } from "../../src/checks/batch-answer.ts";
import { CorrectionBudget, TimeBudget } from "../../src/checks/correction-budget.ts";
import { extractAnswer } from "../../src/checks/extract-answer.ts";
import { suggestAnswer } from "../../src/checks/suggest-answer.ts";
import { BankFilters } from "../../src/suggest/filters.ts";
import { filters } from "../suggest/engine.ts";
import { readVectors } from "../vectors/read.ts";

const failing = readVectors("uk-modulus.ndjson")
  .filter(({ account, result }) => result === "failed" && account.length === 8)
  .slice(0, 20)
  .map(({ sortCode, account }) => composeIban("GB", `NWBK${sortCode}${account}`));

test("a British IBAN that fails the UK modulus check is valid in a text only where the check is observed", () => {
  assert.equal(failing.length, 20);
  const { directory, policy } = filters;
  for (const isEnforced of [false, true]) {
    const observed = isEnforced ? [] : ["GB"];
    const asked = new BankFilters({
      directory,
      bics: new BicIndex(directory),
      policy: { ...policy, observed },
    });
    for (const iban of failing) {
      const { answer } = extractAnswer(asked, `IBAN: ${iban}`, "en");
      const { ibans } = (answer as { data: { ibans: { iban: string; status: number; reason: string }[] } })
        .data;
      const expected = isEnforced ? [iban, 0, "national_check_digits"] : [iban, 1, null];
      assert.deepEqual(
        ibans.map((found) => [found.iban, found.status, found.reason]),
        [expected],
      );
      const { message } = suggestAnswer(asked, iban, 10, "en") as { message: string };
      assert.equal(message === "The IBAN is valid; there is nothing to correct.", !isEnforced, iban);
    }
  }
});

test("a batch pays for reading its texts leniently from the time for corrections", () => {
  // Room for corrections of a short text, and not for a reading of one in which IBANs may begin at every other place.
  const budget = new CorrectionBudget(filters, new TimeBudget(0.02));
  const options = { ...plain, lenient: true, suggest: filters };
  batchEntry(filters.directory, "DE8 9 ".repeat(26), options, budget);
  assert.equal(budget.omitted, 1);
});
