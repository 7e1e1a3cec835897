/**
 * The closed table of reasons: why a check did not find its number valid, or what is worth a warning on a valid one.
 *
 * README and OpenAPI are made from it. The words are part of the interface and keep their meaning.
 */
export const reasons = {
  not_an_iban: "The text is not an IBAN: too short, or with other characters than letters and digits.",
  country_unknown: "The country is not in the IBAN registry.",
  territory: "The territory uses the country code of its parent country.",
  country_not_registered: "The country uses IBAN-like numbers that are not registered.",
  length: "The length is wrong for the country.",
  structure: "A character does not fit the structure of the country, its check digits included.",
  iso_check_digits: "The ISO check digits are wrong.",
  bank_code_unknown:
    "The bank code is not in the directory; a warning where the directory of the country is not complete.",
  national_check_digits:
    "The national check digits are wrong; a warning in countries that only observe them.",
  uk_modulus: "The account fails the UK modulus check; a warning unless UK_MODULUS is enforce.",
  currency: "The last letters of the IBAN are not the code of a currency; always a warning.",
  account_check_digit: "The check digit of the German account number is wrong.",
  bic_mismatch: "The BIC does not match the IBAN.",
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
  bank_code_deletion: "The bank code is marked for deletion; always a warning.",
} as const;

/** A word of the table of reasons. */
export type Reason = keyof typeof reasons;
