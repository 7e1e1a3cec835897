import assert from "node:assert/strict";
import { test } from "node:test";
import { germanIban } from "../../src/banking/germany/account.ts";
import { EQUALS_LEFT } from "../../src/banking/germany/check-methods/digit-sum.ts";
import { isFormalIban } from "../../src/banking/iban/normalise.ts";
import * as banks from "../../src/banks/directory/directory-layout.ts";
import { sepaDigitOffsets } from "../../src/banks/directory/fragment.ts";
import type { IbanOutcome } from "../../src/contract/status.ts";
import { OUTCOMES } from "../../src/kernel/layout.ts";
import { outcomeNames } from "../../src/kernel/piece-table.ts";
import * as restated from "../../src/kernel/restated.ts";

test("every number that the kernel restates is its source's", () => {
  const { header, record } = banks;
  assert.deepEqual(
    { ...restated },
    {
      OUTCOME_VALID: numberOf("valid"),
      OUTCOME_WRONG_LENGTH: numberOf("wrong_length"),
      OUTCOME_WRONG_STRUCTURE: numberOf("wrong_structure"),
      OUTCOME_CHECK_DIGITS_NOT_NUMERIC: numberOf("check_digits_not_numeric"),
      OUTCOME_CHECK_DIGITS_OUT_OF_RANGE: numberOf("check_digits_out_of_range"),
      OUTCOME_WRONG_CHECK_DIGITS: numberOf("wrong_check_digits"),
      OUTCOME_UNKNOWN_BANK_CODE: numberOf("unknown_bank_code"),
      OUTCOME_WRONG_NATIONAL_CHECK_DIGITS: numberOf("wrong_national_check_digits"),
      OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT: numberOf("wrong_account_check_digit"),
      OUTCOME_NOT_AN_IBAN: numberOf("not_an_iban"),
      OUTCOME_IBAN_PREFIX: numberOf("iban_prefix"),
      DIRECTORY_BRANCH_COUNT: header.branchCount,
      DIRECTORY_RECORDS: header.records,
      DIRECTORY_BLZ_TABLE: header.blzTable,
      DIRECTORY_BLZ_SLOTS: header.blzSlots,
      DIRECTORY_BANK_TABLE: header.bankTable,
      DIRECTORY_BANK_SLOTS: header.bankSlots,
      RECORD_BYTES: banks.RECORD_BYTES,
      SLOT_BYTES: banks.SLOT_BYTES,
      RECORD_RULE: record.rule,
      RECORD_SUCCESSOR: record.successor,
      RECORD_FRAGMENT: record.fragment,
      RECORD_FRAGMENT_BYTES: record.fragmentBytes,
      RECORD_KONTONUMMER: record.kontonummer,
      RECORD_METHOD_INDEX: record.methodIndex,
      RECORD_COUNTRY: record.country,
      NO_METHOD: banks.NO_METHOD,
      NO_KONTONUMMER: banks.NO_KONTONUMMER,
      RECORD_FLAGS: record.flags,
      FLAG_DELETION_MARKED: banks.recordFlag.deletionMarked,
      FRAGMENT_HEAD_BYTES: banks.FRAGMENT_HEAD_BYTES,
      SDD_OFFSET: sepaDigitOffsets.sdd,
      B2B_OFFSET: sepaDigitOffsets.b2b,
      SCC_OFFSET: sepaDigitOffsets.scc,
      GERMAN_BLZ: germanIban.blz.start,
      GERMAN_KONTONUMMER: germanIban.kontonummer.start,
      EQUALS_LEFT,
      SHORTEST_IBAN: shortestFormalIban(),
    },
  );
});

function numberOf(outcome: IbanOutcome): number {
  return outcomeNames.indexOf(outcome);
}

test("the kernel has as many outcomes as the table", () => {
  assert.equal(OUTCOMES, outcomeNames.length);
});

function shortestFormalIban(): number {
  let length = 0;
  while (!isFormalIban("AA".padEnd(length, "0"))) length++;
  return length;
}

test("a record begins with bank code and branch code in sixteen bytes, as the kernel compares them", () => {
  const { record, CODE_BYTES } = banks;
  assert.equal(record.bankCode, 0);
  assert.equal(record.branchCode, CODE_BYTES.bank);
  assert.equal(CODE_BYTES.bank + CODE_BYTES.branch, 16);
  assert.equal(CODE_BYTES.bank, 10);
});
