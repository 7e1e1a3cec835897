import assert from "node:assert/strict";
import { test } from "node:test";
import { EQUALS_LEFT } from "../../src/banking/germany/check-methods/digit-sum.ts";
import { IbanFinding } from "../../src/banking/iban/check.ts";
import { isFormalIban } from "../../src/banking/iban/normalise.ts";
import * as banks from "../../src/banks/directory/directory-layout.ts";
import { sepaDigitFromEnd } from "../../src/banks/directory/fragment.ts";
import { germanIban } from "../../src/checks/iban-checker.ts";
import { maxBatchIbans } from "../../src/contract/limits.ts";
import { IbanOutcome } from "../../src/contract/status.ts";
import * as restated from "../../src/kernel/restated.ts";

test("every number that the kernel restates is its source's", () => {
  const { header, record } = banks;
  assert.deepEqual(
    { ...restated },
    {
      OUTCOME_VALID: IbanOutcome.valid,
      OUTCOME_WRONG_LENGTH: IbanFinding.wrong_length,
      OUTCOME_WRONG_STRUCTURE: IbanFinding.wrong_structure,
      OUTCOME_CHECK_DIGITS_OUT_OF_RANGE: IbanFinding.check_digits_out_of_range,
      OUTCOME_WRONG_CHECK_DIGITS: IbanFinding.wrong_check_digits,
      OUTCOME_UNKNOWN_BANK_CODE: IbanOutcome.unknown_bank_code,
      OUTCOME_WRONG_NATIONAL_CHECK_DIGITS: IbanOutcome.wrong_national_check_digits,
      OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT: IbanOutcome.wrong_account_check_digit,
      OUTCOME_NOT_AN_IBAN: IbanOutcome.not_an_iban,
      DIRECTORY_BRANCH_COUNT: header.branchCount,
      DIRECTORY_RECORDS: header.records,
      DIRECTORY_BLZ_TABLE: header.blzTable,
      DIRECTORY_BLZ_SLOTS: header.blzSlots,
      DIRECTORY_BANK_TABLE: header.bankTable,
      DIRECTORY_BANK_SLOTS: header.bankSlots,
      RECORD_BYTES: banks.RECORD_BYTES,
      SLOT_BYTES: banks.SLOT_BYTES,
      RECORD_RULE: record.rule,
      RECORD_FRAGMENT: record.fragment,
      RECORD_FRAGMENT_BYTES: record.fragmentBytes,
      RECORD_KONTONUMMER: record.kontonummer,
      RECORD_METHOD_INDEX: record.methodIndex,
      RECORD_COUNTRY: record.country,
      NO_METHOD: banks.NO_METHOD,
      NO_KONTONUMMER: banks.NO_KONTONUMMER,
      SCT_FROM_END: sepaDigitFromEnd.sct,
      SDD_FROM_END: sepaDigitFromEnd.sdd,
      B2B_FROM_END: sepaDigitFromEnd.b2b,
      SCC_FROM_END: sepaDigitFromEnd.scc,
      GERMAN_BLZ: germanIban.blzStart,
      GERMAN_KONTONUMMER: germanIban.kontonummerStart,
      EQUALS_LEFT,
      SHORTEST_IBAN: shortestFormalIban(),
      MOST_ENTRIES: maxBatchIbans,
    },
  );
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
