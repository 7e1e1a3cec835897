/*
 * Numbers of the reference that AssemblyScript cannot read where they stand, since it knows no objects; a test compares
 * each with its source. Nothing but numeric constants here.
 */

/** Outcomes of an IBAN check, by their places in `contract/status.ts`. */
export const OUTCOME_VALID = 0;
export const OUTCOME_WRONG_LENGTH = 4;
export const OUTCOME_WRONG_STRUCTURE = 5;
export const OUTCOME_CHECK_DIGITS_NOT_NUMERIC = 6;
export const OUTCOME_CHECK_DIGITS_OUT_OF_RANGE = 7;
export const OUTCOME_WRONG_CHECK_DIGITS = 8;
export const OUTCOME_UNKNOWN_BANK_CODE = 9;
export const OUTCOME_WRONG_NATIONAL_CHECK_DIGITS = 10;
export const OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT = 11;
export const OUTCOME_NOT_AN_IBAN = 13;
export const OUTCOME_IBAN_PREFIX = 14;

/** Header and records of the bank directory, from `banks/directory/directory-layout.ts`. */
export const DIRECTORY_BRANCH_COUNT = 24;
export const DIRECTORY_RECORDS = 28;
export const DIRECTORY_BLZ_TABLE = 32;
export const DIRECTORY_BLZ_SLOTS = 36;
export const DIRECTORY_BANK_TABLE = 40;
export const DIRECTORY_BANK_SLOTS = 44;
export const RECORD_BYTES = 64;
export const SLOT_BYTES = 8;
export const RECORD_RULE = 40;
export const RECORD_SUCCESSOR = 44;
export const RECORD_FRAGMENT = 52;
export const RECORD_FRAGMENT_BYTES = 56;
export const RECORD_KONTONUMMER = 59;
export const RECORD_METHOD_INDEX = 60;
export const RECORD_COUNTRY = 61;
export const RECORD_FLAGS = 63;
export const FLAG_DELETION_MARKED = 4;
export const NO_METHOD = 255;
export const NO_KONTONUMMER = 255;

/** Bytes before a fragment, which hold the place of its first SEPA digit; how far the others are from that one. */
export const FRAGMENT_HEAD_BYTES = 2;
export const SDD_OFFSET = 8;
export const B2B_OFFSET = 16;
export const SCC_OFFSET = 24;

/** Places inside a German IBAN, from `banking/germany/account.ts`. */
export const GERMAN_BLZ = 4;
export const GERMAN_KONTONUMMER = 12;
/** Bit of the allowed check digits that allows the digit left of the check digit, from `check-methods/digit-sum.ts`. */
export const EQUALS_LEFT = 1_024;

/** The fewest characters of an IBAN, from `banking/iban/normalise.ts`. */
export const SHORTEST_IBAN = 15;
