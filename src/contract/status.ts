import type { checkMessages } from "./messages/check-messages.ts";

type CheckMessageId = keyof typeof checkMessages;

/**
 * The closed table of reasons: why a check did not find its number valid, or what is worth a warning on a valid one.
 *
 * README and OpenAPI are made from it. The words are part of the interface and keep their meaning.
 */
export const reasons = {
  not_an_iban: "The text is not an IBAN: it is too short, or has characters other than letters and digits.",
  country_unknown: "The country is not in the IBAN registry.",
  territory: "The territory uses the country code of its parent country.",
  country_not_registered: "The country uses IBAN-like numbers that are not registered.",
  length: "The length is wrong for the country.",
  structure: "A character, possibly a check digit, does not fit the country's IBAN structure.",
  iso_check_digits: "The ISO check digits are wrong.",
  bank_code_unknown:
    "The bank code is not in the directory; outside Germany a warning, since a bank may be newer than its list.",
  national_check_digits:
    "The national check digits are wrong; a warning in countries that only observe them.",
  uk_modulus:
    "The account fails the UK modulus check; always a warning. Unless OBSERVE_ACCOUNTS has GB, the status is 0 and the reason national_check_digits.",
  currency: "The last letters of the IBAN are not a currency code; always a warning.",
  qr_iban: "The IBAN is a Swiss QR-IBAN, which accepts only payments with a QR reference; always a warning.",
  account_check_digit:
    "The check digit of the German account number is wrong; a warning if OBSERVE_ACCOUNTS has DE.",
  bic_mismatch: "The BIC does not match the IBAN.",
  bic_former: "This is a former BIC of the bank; the message names the current one.",
  bank_code_format: "The bank code does not have 8 digits.",
  account_format: "The account number has more than 10 digits.",
  bank_code_and_account_format: "Neither bank code nor account number is well formed.",
  method_unknown: "The bank's check-digit method is not known.",
  no_check_digit: "The account number has no check digit at this bank.",
  rule_forbids_iban: "The bank's IBAN rule forbids IBANs.",
  rule_rejects_account: "The bank's IBAN rule does not accept the account number.",
  rule_unknown: "The bank's IBAN rule is not known.",
  rule_target_unknown: "The IBAN rule leads to a bank code that does not exist.",
  bank_code_deleted: "The bank code has been deleted and has no successor.",
  bank_code_deletion: "The bank code is marked for deletion and has no successor; always a warning.",
  bank_code_former:
    "The bank code was or will be merged into another; always a warning. The message names the successor.",
  bank_list_old: "The list that names the bank is more than a year old; always a warning.",
} as const;

/** A word of the table of reasons. */
export type Reason = keyof typeof reasons;

/**
 * A business status code of the interface.
 *
 * Source: interface specification, section "Success response"; the meanings of 0, 3, 4, 7, 8 and 9, which it leaves
 * open, follow the older German interface with the same parameter names.
 */
export type Status = 0 | 1 | 2 | 3 | 4 | 7 | 8 | 9;

/** The result of a check: its status code, the id of its sentence, and why it is not valid. */
export interface Outcome {
  readonly status: Status;
  readonly message: CheckMessageId;
  readonly reason: Reason | null;
}

/**
 * Outcomes of an IBAN check.
 *
 * They rank as listed: country, length and structure before the ISO check digits, those before the bank code, that
 * before national check digits and the German account number, and the BIC last. The last two have no rank: a text that
 * is not an IBAN by its form, and one that begins with the word IBAN.
 */
export const ibanOutcomes = {
  valid: { status: 1, message: "iban_valid", reason: null },
  unknown_country: { status: 3, message: "iban_country_unknown", reason: "country_unknown" },
  territory_prefix: { status: 3, message: "iban_territory", reason: "territory" },
  experimental_country: {
    status: 3,
    message: "iban_country_not_registered",
    reason: "country_not_registered",
  },
  wrong_length: { status: 4, message: "iban_length", reason: "length" },
  wrong_structure: { status: 3, message: "iban_structure", reason: "structure" },
  check_digits_not_numeric: { status: 3, message: "iban_check_digits_not_numeric", reason: "structure" },
  check_digits_out_of_range: {
    status: 0,
    message: "iban_check_digits_out_of_range",
    reason: "iso_check_digits",
  },
  wrong_check_digits: { status: 0, message: "iban_check_digits", reason: "iso_check_digits" },
  unknown_bank_code: { status: 7, message: "iban_bank_code_unknown", reason: "bank_code_unknown" },
  wrong_national_check_digits: {
    status: 0,
    message: "iban_national_check_digits",
    reason: "national_check_digits",
  },
  wrong_account_check_digit: {
    status: 0,
    message: "iban_account_check_digit",
    reason: "account_check_digit",
  },
  bic_mismatch: { status: 2, message: "iban_bic_mismatch", reason: "bic_mismatch" },
  bic_former: { status: 2, message: "iban_bic_former", reason: "bic_former" },
  not_an_iban: { status: 3, message: "not_an_iban", reason: "not_an_iban" },
  iban_prefix: { status: 3, message: "iban_prefix", reason: "country_unknown" },
} as const satisfies Record<string, Outcome>;

/** Name of an outcome of an IBAN check. */
export type IbanOutcome = keyof typeof ibanOutcomes;

/** Outcomes of an account check. */
export const accountOutcomes = {
  valid: { status: 1, message: "account_valid", reason: null },
  wrong_check_digit: { status: 0, message: "account_check_digit", reason: "account_check_digit" },
  bank_code_malformed: { status: 2, message: "blz_malformed", reason: "bank_code_format" },
  account_malformed: { status: 3, message: "kontonummer_malformed", reason: "account_format" },
  both_malformed: {
    status: 4,
    message: "blz_and_kontonummer_malformed",
    reason: "bank_code_and_account_format",
  },
  unknown_bank_code: { status: 7, message: "blz_unknown", reason: "bank_code_unknown" },
  unknown_method: { status: 8, message: "method_unknown", reason: "method_unknown" },
  no_check_digit: { status: 9, message: "account_without_check_digit", reason: "no_check_digit" },
  not_convertible: { status: 9, message: "rule_forbids_iban", reason: "rule_forbids_iban" },
  account_not_convertible: { status: 9, message: "rule_rejects_account", reason: "rule_rejects_account" },
  deleted_bank_code: { status: 9, message: "rule_blz_deleted", reason: "bank_code_deleted" },
  unknown_rule: { status: 9, message: "rule_unknown", reason: "rule_unknown" },
  unknown_target_bank: { status: 9, message: "rule_target_unknown", reason: "rule_target_unknown" },
} as const satisfies Record<string, Outcome>;

/** Name of an outcome of an account check. */
export type AccountOutcome = keyof typeof accountOutcomes;

/** Returns what each status of a kind of check stands for: the words of its reasons, in the order of the codes. */
export function statusMeanings(outcomes: Readonly<Record<string, Outcome>>): ReadonlyMap<Status, string> {
  const all = Object.values(outcomes).sort((left, right) => left.status - right.status);
  const meaningOf = (status: Status) => {
    const why = all.flatMap((outcome) => (outcome.status === status ? (outcome.reason ?? []) : []));
    return [...new Set(why)].map((reason) => `\`${reason}\``).join(", ") || "valid";
  };
  return new Map(all.map(({ status }) => [status, meaningOf(status)]));
}

/** Results of one check: `unknown` if it could not be made, for lack of data or because an earlier check failed. */
export const checkResults = ["passed", "failed", "not_applicable", "unknown"] as const;

/** One of the results. */
export type CheckResult = (typeof checkResults)[number];
