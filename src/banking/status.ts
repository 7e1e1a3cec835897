/** A business status code of the interface. */
export type Status = 0 | 1 | 2 | 3 | 4 | 7 | 8 | 9;

/** What a status code means for an account check and for an IBAN check; null where it is not used there. */
export interface StatusMeaning {
  readonly status: Status;
  readonly account: string;
  readonly iban: string | null;
}

/**
 * The table of status codes: README and OpenAPI are made from it.
 *
 * Source: interface specification, section "Success response"; the meanings of 0, 3, 4, 7, 8 and 9, which it leaves
 * open, follow the older German interface with the same parameter names.
 */
export const statusTable: readonly StatusMeaning[] = [
  {
    status: 0,
    account: "The check digit is wrong: this bank cannot have issued the account number.",
    iban: "The ISO check digits, the national check digits or the German account number's check digit are wrong.",
  },
  { status: 1, account: "The bank details are valid.", iban: "The IBAN is valid." },
  {
    status: 2,
    account: "The bank code does not have 8 digits.",
    iban: "The IBAN is right, but the BIC does not match it.",
  },
  {
    status: 3,
    account: "The account number has more than 10 digits.",
    iban: "The country is unknown, or a character does not fit the country's IBAN structure.",
  },
  {
    status: 4,
    account: "Neither bank code nor account number is well formed.",
    iban: "The length is wrong for the country.",
  },
  {
    status: 7,
    account: "The bank code is not in the directory.",
    iban: "The bank code is not in the directory (only where the directory of the country is complete: DE).",
  },
  {
    status: 8,
    account: "The bank's check-digit method is not known, so nothing can be said of the account number.",
    iban: null,
  },
  {
    status: 9,
    account:
      "The account number cannot be checked since it has no check digit, or (with sepa=1) no IBAN may be generated.",
    iban: null,
  },
];

/** What a check came to, with its status code and the sentence an answer carries. */
export interface Outcome {
  readonly status: Status;
  readonly message: string;
}

/**
 * Outcomes of an IBAN check, indexed by number. The first nine are the findings of `iban/check.ts` in their order.
 *
 * They rank as listed: country, length and structure before the ISO check digits, those before the bank code, that
 * before national check digits and the German account number, and the BIC last.
 */
export const ibanOutcomes = [
  { status: 1, message: "The IBAN is valid." },
  { status: 3, message: "The IBAN is not valid: its country is not in the IBAN registry." },
  {
    status: 3,
    message:
      "The IBAN is not valid: this territory uses the country code and check digits of its parent country.",
  },
  {
    status: 3,
    message: "The IBAN is not valid: its country uses IBAN-like numbers that are not registered.",
  },
  { status: 4, message: "The IBAN is not valid: its length is wrong for its country." },
  { status: 3, message: "The IBAN is not valid: a character does not fit the structure of its country." },
  { status: 3, message: "The IBAN is not valid: its check digits are no digits." },
  { status: 0, message: "The IBAN is not valid: its check digits must be between 02 and 98." },
  { status: 0, message: "The IBAN is not valid: its check digits are wrong." },
  { status: 7, message: "The IBAN is not valid: its bank code does not exist." },
  { status: 0, message: "The IBAN is not valid: the national check digits inside it are wrong." },
  { status: 0, message: "The IBAN is not valid: the check digit of its account number is wrong." },
  { status: 2, message: "The BIC does not match the IBAN or is invalid." },
  { status: 3, message: "This is no IBAN." },
] as const satisfies readonly Outcome[];

/** Numbers of the outcomes of an IBAN check beyond the findings of `iban/check.ts`. */
export const IbanOutcome = {
  valid: 0,
  unknown_bank_code: 9,
  wrong_national_check_digits: 10,
  wrong_account_check_digit: 11,
  bic_mismatch: 12,
  not_an_iban: 13,
} as const;

/** Outcomes of an account check. */
export const accountOutcomes = {
  valid: { status: 1, message: "The account number and bank code are valid." },
  wrong_check_digit: { status: 0, message: "The check digit of the account number is wrong." },
  bank_code_malformed: { status: 2, message: "The bank code must have 8 digits." },
  account_malformed: { status: 3, message: "The account number must have at most 10 digits." },
  both_malformed: {
    status: 4,
    message: "The bank code must have 8 digits and the account number at most 10.",
  },
  unknown_bank_code: { status: 7, message: "The bank code does not exist." },
  unknown_method: {
    status: 8,
    message: "The account number cannot be checked: the check-digit method of the bank is not known.",
  },
  no_check_digit: {
    status: 9,
    message: "The account number cannot be checked: it carries no check digit at this bank.",
  },
  not_convertible: { status: 9, message: "No IBAN can be generated: the bank's IBAN rule forbids it." },
  account_not_convertible: {
    status: 9,
    message: "No IBAN can be generated: the bank's IBAN rule does not admit this account number.",
  },
  deleted_bank_code: {
    status: 9,
    message: "No IBAN can be generated: the bank code has been deleted and has no successor.",
  },
  unknown_rule: { status: 9, message: "No IBAN can be generated: the bank's IBAN rule is not known." },
  unknown_target_bank: {
    status: 9,
    message: "No IBAN can be generated: the bank code that the IBAN rule leads to does not exist.",
  },
} as const satisfies Record<string, Outcome>;

/** Name of an outcome of an account check. */
export type AccountOutcome = keyof typeof accountOutcomes;
