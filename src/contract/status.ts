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

export type Reason = keyof typeof reasons;

/**
 * A business status code of the interface.
 *
 * Source: interface specification, section "Success response"; the meanings of 0, 3, 4, 7, 8 and 9, which it leaves
 * open, follow the older German interface with the same parameter names.
 */
export type Status = 0 | 1 | 2 | 3 | 4 | 7 | 8 | 9;

/** The result of a check: its status code, the id of its sentence, and why it is not valid. */
export type Outcome = ReturnType<typeof outcome>;

function outcome<Sentence extends CheckMessageId>(status: Status, message: Sentence, reason: Reason | null) {
  return { status, message, reason } as const;
}

/**
 * Outcomes of an IBAN check.
 *
 * They rank as listed: country, length and structure before the ISO check digits, those before the bank code, that
 * before national check digits and the German account number, and the BIC last. The last two have no rank: a text that
 * is not an IBAN by its form, and one that begins with the word IBAN.
 */
export const ibanOutcomes = {
  valid: outcome(1, "iban_valid", null),
  unknown_country: outcome(3, "iban_country_unknown", "country_unknown"),
  territory_prefix: outcome(3, "iban_territory", "territory"),
  experimental_country: outcome(3, "iban_country_not_registered", "country_not_registered"),
  wrong_length: outcome(4, "iban_length", "length"),
  wrong_structure: outcome(3, "iban_structure", "structure"),
  check_digits_not_numeric: outcome(3, "iban_check_digits_not_numeric", "structure"),
  check_digits_out_of_range: outcome(0, "iban_check_digits_out_of_range", "iso_check_digits"),
  wrong_check_digits: outcome(0, "iban_check_digits", "iso_check_digits"),
  unknown_bank_code: outcome(7, "iban_bank_code_unknown", "bank_code_unknown"),
  wrong_national_check_digits: outcome(0, "iban_national_check_digits", "national_check_digits"),
  wrong_account_check_digit: outcome(0, "iban_account_check_digit", "account_check_digit"),
  bic_mismatch: outcome(2, "iban_bic_mismatch", "bic_mismatch"),
  bic_former: outcome(2, "iban_bic_former", "bic_former"),
  not_an_iban: outcome(3, "not_an_iban", "not_an_iban"),
  iban_prefix: outcome(3, "iban_prefix", "country_unknown"),
};

export type IbanOutcome = keyof typeof ibanOutcomes;

export const accountOutcomes = {
  valid: outcome(1, "account_valid", null),
  wrong_check_digit: outcome(0, "account_check_digit", "account_check_digit"),
  bank_code_malformed: outcome(2, "blz_malformed", "bank_code_format"),
  account_malformed: outcome(3, "kontonummer_malformed", "account_format"),
  both_malformed: outcome(4, "blz_and_kontonummer_malformed", "bank_code_and_account_format"),
  unknown_bank_code: outcome(7, "blz_unknown", "bank_code_unknown"),
  unknown_method: outcome(8, "method_unknown", "method_unknown"),
  no_check_digit: outcome(9, "account_without_check_digit", "no_check_digit"),
  not_convertible: outcome(9, "rule_forbids_iban", "rule_forbids_iban"),
  account_not_convertible: outcome(9, "rule_rejects_account", "rule_rejects_account"),
  deleted_bank_code: outcome(9, "rule_blz_deleted", "bank_code_deleted"),
  unknown_rule: outcome(9, "rule_unknown", "rule_unknown"),
  unknown_target_bank: outcome(9, "rule_target_unknown", "rule_target_unknown"),
};

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

export type CheckResult = (typeof checkResults)[number];
