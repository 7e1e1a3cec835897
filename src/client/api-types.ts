// Made from the OpenAPI document by "npm run generate"; a test compares them.

/** Which SEPA schemes the bank takes part in: 1 for yes, 0 for no; all 0 for an invalid number. */
export type SepaMethodsOrNull = {
  /** SEPA Credit Transfer. */
  sct: 0 | 1;
  /** SEPA Direct Debit Core. */
  sdd: 0 | 1;
  /** SEPA Direct Debit B2B. */
  b2b: 0 | 1;
  /** SEPA Cards Clearing. */
  scc: 0 | 1;
} | null;

/** Answer to the check of one IBAN. */
export interface IbanCheckAnswer {
  /**
   * Business status:
   *
   * - 0: The ISO check digits, the national check digits or the German account number's check digit are wrong.
   * - 1: The IBAN is valid.
   * - 2: The IBAN is valid, but the BIC does not match it.
   * - 3: The country is unknown, or a character does not fit the country's IBAN structure.
   * - 4: The length is wrong for the country.
   * - 7: The bank code is not in the directory (only where the directory of the country is complete: DE).
   */
  status: 0 | 1 | 2 | 3 | 4 | 7;
  /** The status in words, for people. */
  message: string;
  data: IbanCheckData;
}
/** The IBAN and its bank, as far as known. */
export interface IbanCheckData {
  /** The IBAN without spaces, in upper case; null where it is none. */
  iban: string | null;
  /** The bank's BIC; null where it is not known. */
  bic: string | null;
  /** The ten-digit account number of a German IBAN; otherwise empty. */
  kto: string;
  /** Bank code; empty where it is not known or the country has none. */
  blz: string;
  /** Name of the bank; empty where it is not known. */
  bank: string;
  /** Postal code of the bank; empty where it is not known. */
  zip: string;
  /** Town of the bank; empty where it is not known. */
  location: string;
  /** ISO 3166-1 alpha-2 code of the bank, or of the IBAN where the bank's is not known; may be empty. */
  country: string;
  sepa_methods: SepaMethods;
  /**
   * Only for explain=1 where the ISO check digits are wrong: blz, bank and kto are those of the number as written.
   */
  assumed?: true;
  /**
   * Only for reason=1: why the number is not valid, or a warning about a valid one; null where there is neither.
   *
   * - not_an_iban: The text is not an IBAN: too short, or with other characters than letters and digits.
   * - country_unknown: The country is not in the IBAN registry.
   * - territory: The territory uses the country code of its parent country.
   * - country_not_registered: The country uses IBAN-like numbers that are not registered.
   * - length: The length is wrong for the country.
   * - structure: A character does not fit the structure of the country, its check digits included.
   * - iso_check_digits: The ISO check digits are wrong.
   * - bank_code_unknown: The bank code is not in the directory; a warning where the directory of the country is not complete.
   * - national_check_digits: The national check digits are wrong; a warning in countries that only observe them.
   * - uk_modulus: The account fails the UK modulus check; a warning unless the service enforces it (UK_MODULUS=enforce), when the status is 0 and the reason national_check_digits.
   * - currency: The last letters of the IBAN are not the code of a currency; always a warning.
   * - account_check_digit: The check digit of the German account number is wrong.
   * - bic_mismatch: The BIC does not match the IBAN.
   * - bank_code_format: The bank code does not have 8 digits.
   * - account_format: The account number has more than 10 digits.
   * - bank_code_and_account_format: Neither bank code nor account number is well formed.
   * - method_unknown: The bank's check-digit method is not known.
   * - no_check_digit: The account number has no check digit at this bank.
   * - rule_forbids_iban: The bank's IBAN rule forbids IBANs.
   * - rule_rejects_account: The bank's IBAN rule does not accept the account number.
   * - rule_unknown: The bank's IBAN rule is not known.
   * - rule_target_unknown: The IBAN rule leads to a bank code that does not exist.
   * - bank_code_deleted: The bank code has been deleted and has no successor.
   * - bank_code_deletion: The bank code is marked for deletion; always a warning.
   */
  reason?:
    | "not_an_iban"
    | "country_unknown"
    | "territory"
    | "country_not_registered"
    | "length"
    | "structure"
    | "iso_check_digits"
    | "bank_code_unknown"
    | "national_check_digits"
    | "uk_modulus"
    | "currency"
    | "account_check_digit"
    | "bic_mismatch"
    | "bank_code_format"
    | "account_format"
    | "bank_code_and_account_format"
    | "method_unknown"
    | "no_check_digit"
    | "rule_forbids_iban"
    | "rule_rejects_account"
    | "rule_unknown"
    | "rule_target_unknown"
    | "bank_code_deleted"
    | "bank_code_deletion"
    | null;
  /**
   * Only for reason=1: error, or warning for what was observed or assumed about a valid number; null without a reason.
   */
  severity?: "error" | "warning" | null;
  /** Only in the entries of a batch for reason=1: the result for people. */
  message?: string;
  /**
   * Every check made, in order; only for explain=1.
   *
   * @minItems 1
   */
  checks?: CheckEntry[];
  /**
   * The sentences of the answer's message, by id; only for explain=1.
   *
   * @minItems 1
   */
  messages?: Message[];
  /**
   * What was probably meant, the likeliest first, only for suggest=1 and a number that is not valid; none where more than 10 candidates remain, null where no time was left to look.
   *
   * @maxItems 3
   */
  suggestions?: IbanSuggestion[] | null;
  /** How many candidates pass every check; null where no time was left to look. */
  suggestion_count?: number | null;
  sepa_reach?: SepaReach;
}
/** Which SEPA schemes the bank takes part in: 1 for yes, 0 for no; all 0 for an invalid number. */
export interface SepaMethods {
  /** SEPA Credit Transfer. */
  sct: 0 | 1;
  /** SEPA Direct Debit Core. */
  sdd: 0 | 1;
  /** SEPA Direct Debit B2B. */
  b2b: 0 | 1;
  /** SEPA Cards Clearing. */
  scc: 0 | 1;
}
/** One check made and its result; present with explain=1. */
export interface CheckEntry {
  /** What was checked; further names may come. */
  check:
    | "spelling"
    | "country"
    | "length"
    | "structure"
    | "iso_check_digits"
    | "form"
    | "bank_code"
    | "bank_code_deletion"
    | "check_digit_method"
    | "national_check_digits"
    | "uk_modulus"
    | "currency"
    | "iban_rule"
    | "bic"
    | "sepa_methods";
  /** unknown: not made, for want of data or since an earlier check failed. */
  result: "passed" | "failed" | "not_applicable" | "unknown";
  /** For people: what was compared, or why nothing was. */
  detail?: string;
  /**
   * The sentences of detail, by id.
   *
   * @minItems 1
   */
  messages?: Message[];
  /** Where the check looked: zero-based offset and length inside the IBAN or the ten-digit account number. */
  position?: {
    start: number;
    length: number;
  };
  /** What would be right at that position; several where more than one would be, none where nothing. */
  expected?: string[];
}
/** A sentence for programs. */
export interface Message {
  /** Which sentence it is; further ids may come. */
  id: string;
  /** What the sentence names, where it names anything. */
  params?: {
    [k: string]: string | number;
  };
}
/** An IBAN that is right by every check and that one slip would have made the given text of. */
export interface IbanSuggestion {
  iban: string;
  /**
   * The slip: a wrong character, letters read as digits, 100 for 110, neighbours swapped, abc for cba, aa for bb, 13 for 30, a character too many, one too few, or unreadable ones.
   */
  kind:
    | "substitution"
    | "lookalike"
    | "doubled"
    | "transposition"
    | "jump"
    | "twin"
    | "phonetic"
    | "extra"
    | "missing"
    | "unreadable";
  /**
   * Zero-based places of the characters that change: in the suggestion for missing, in the given text for every other kind.
   */
  positions: number[];
  /** Name of the bank; empty where it is not known. */
  bank: string;
  /** The bank's BIC; null where it is not known. */
  bic: string | null;
}
/** Reach by SEPA Instant Credit Transfer and Verification of Payee, by the EPC's registers. */
export interface SepaReach {
  /** Participation by the scheme's register; null where none is loaded. */
  sct_inst: {
    /** 1 for a participant today. */
    reachable: 0 | 1;
    /** First day of participation. */
    since: string | null;
    /** Day of leaving. */
    until: string | null;
    /** First day of the register. */
    edition: string;
  } | null;
  /** Participation by the scheme's register; null where none is loaded. */
  vop: {
    /** 1 for a participant today. */
    reachable: 0 | 1;
    /** First day of participation. */
    since: string | null;
    /** Day of leaving. */
    until: string | null;
    /** First day of the register. */
    edition: string;
  } | null;
}
/** Answer to the check of a batch of IBANs; each entry has a status of its own. */
export interface IbanBatchAnswer {
  /** Always 1. */
  status: 1;
  /** The status in words, for people. */
  message: string;
  batch: {
    /** How many IBANs were processed. */
    total: number;
    /**
     * One entry for each IBAN, in the order they were sent.
     *
     * @minItems 1
     * @maxItems 500
     */
    results: IbanBatchEntry[];
    /**
     * How many wrong numbers have suggestions null since the time for corrections was spent; look them up one by one. Only where suggestions are given.
     */
    suggestions_omitted?: number;
  };
}
/** The result of one entry of the batch; error only if it is not in the form of an IBAN (invalid_iban). */
export interface IbanBatchEntry {
  /** The entry without spaces, in upper case; empty if it is not a string. */
  iban: string;
  /** Whether status is 1. */
  valid: boolean;
  /**
   * Business status:
   *
   * - 0: The ISO check digits, the national check digits or the German account number's check digit are wrong.
   * - 1: The IBAN is valid.
   * - 2: The IBAN is valid, but the BIC does not match it.
   * - 3: The country is unknown, or a character does not fit the country's IBAN structure.
   * - 4: The length is wrong for the country.
   * - 7: The bank code is not in the directory (only where the directory of the country is complete: DE).
   */
  status: 0 | 1 | 2 | 3 | 4 | 7;
  data: IbanCheckData;
  error?: ErrorObject;
}
/** What was wrong. */
export interface ErrorObject {
  /** The HTTP status of the answer. */
  http_status: 400 | 401 | 403 | 404 | 405 | 413 | 500 | 503;
  /** The error for programs. */
  code:
    | "invalid_key"
    | "invalid_iban"
    | "invalid_bic"
    | "invalid_kontonummer"
    | "invalid_blz"
    | "batch_size_invalid"
    | "invalid_batch_ibans"
    | "conflicting_iban_fields"
    | "invalid_content_type"
    | "payload_too_large"
    | "invalid_zip"
    | "invalid_json"
    | "missing_search_criteria"
    | "invalid_max"
    | "invalid_sepa"
    | "invalid_request"
    | "method_not_allowed"
    | "forbidden"
    | "not_found"
    | "internal_error"
    | "checker_failed"
    | "server_busy"
    | "configuration_error";
  /** The error for people; may say more than the example. */
  message: string;
  /** The input field at fault, where there is one. */
  field?: string;
  /**
   * The message by id; only for explain=1.
   *
   * @minItems 1
   */
  messages?: Message[];
}
/** Answer to the check of an account number with its bank code. */
export interface AccountCheckAnswer {
  /**
   * Business status:
   *
   * - 0: The check digit is wrong: this bank cannot have issued the account number.
   * - 1: The bank details are valid.
   * - 2: The bank code does not have 8 digits.
   * - 3: The account number has more than 10 digits.
   * - 4: Neither bank code nor account number is well formed.
   * - 7: The bank code is not in the directory.
   * - 8: The bank's check-digit method is not known, so nothing can be said about the account number.
   * - 9: The account number cannot be checked because it has no check digit, or (with sepa=1) no IBAN may be generated.
   */
  status: 0 | 1 | 2 | 3 | 4 | 7 | 8 | 9;
  /** The status in words, for people. */
  message: string;
  data: AccountCheckData;
}
/** The account and its bank, as far as known. */
export interface AccountCheckData {
  /**
   * The IBAN generated for sepa=1, null where none may be; the bank's IBAN rule may replace account number and bank code in it.
   */
  iban: string | null;
  /** The bank's BIC; null where it is not known. */
  bic: string | null;
  /** The account number as sent. */
  kto: string;
  /** Bank code; empty where it is not known or the country has none. */
  blz: string;
  /** Name of the bank; empty where it is not known. */
  bank: string;
  /** Postal code of the bank; empty where it is not known. */
  zip: string;
  /** Town of the bank; empty where it is not known. */
  location: string;
  /** ISO 3166-1 alpha-2 code of the bank, or of the IBAN where the bank's is not known; may be empty. */
  country: string;
  sepa_methods?: SepaMethods;
  /**
   * Only for explain=1 where the ISO check digits are wrong: blz, bank and kto are those of the number as written.
   */
  assumed?: true;
  /**
   * Only for reason=1: why the number is not valid, or a warning about a valid one; null where there is neither.
   *
   * - not_an_iban: The text is not an IBAN: too short, or with other characters than letters and digits.
   * - country_unknown: The country is not in the IBAN registry.
   * - territory: The territory uses the country code of its parent country.
   * - country_not_registered: The country uses IBAN-like numbers that are not registered.
   * - length: The length is wrong for the country.
   * - structure: A character does not fit the structure of the country, its check digits included.
   * - iso_check_digits: The ISO check digits are wrong.
   * - bank_code_unknown: The bank code is not in the directory; a warning where the directory of the country is not complete.
   * - national_check_digits: The national check digits are wrong; a warning in countries that only observe them.
   * - uk_modulus: The account fails the UK modulus check; a warning unless the service enforces it (UK_MODULUS=enforce), when the status is 0 and the reason national_check_digits.
   * - currency: The last letters of the IBAN are not the code of a currency; always a warning.
   * - account_check_digit: The check digit of the German account number is wrong.
   * - bic_mismatch: The BIC does not match the IBAN.
   * - bank_code_format: The bank code does not have 8 digits.
   * - account_format: The account number has more than 10 digits.
   * - bank_code_and_account_format: Neither bank code nor account number is well formed.
   * - method_unknown: The bank's check-digit method is not known.
   * - no_check_digit: The account number has no check digit at this bank.
   * - rule_forbids_iban: The bank's IBAN rule forbids IBANs.
   * - rule_rejects_account: The bank's IBAN rule does not accept the account number.
   * - rule_unknown: The bank's IBAN rule is not known.
   * - rule_target_unknown: The IBAN rule leads to a bank code that does not exist.
   * - bank_code_deleted: The bank code has been deleted and has no successor.
   * - bank_code_deletion: The bank code is marked for deletion; always a warning.
   */
  reason?:
    | "not_an_iban"
    | "country_unknown"
    | "territory"
    | "country_not_registered"
    | "length"
    | "structure"
    | "iso_check_digits"
    | "bank_code_unknown"
    | "national_check_digits"
    | "uk_modulus"
    | "currency"
    | "account_check_digit"
    | "bic_mismatch"
    | "bank_code_format"
    | "account_format"
    | "bank_code_and_account_format"
    | "method_unknown"
    | "no_check_digit"
    | "rule_forbids_iban"
    | "rule_rejects_account"
    | "rule_unknown"
    | "rule_target_unknown"
    | "bank_code_deleted"
    | "bank_code_deletion"
    | null;
  /**
   * Only for reason=1: error, or warning for what was observed or assumed about a valid number; null without a reason.
   */
  severity?: "error" | "warning" | null;
  /** Only in the entries of a batch for reason=1: the result for people. */
  message?: string;
  /**
   * Every check made, in order; only for explain=1.
   *
   * @minItems 1
   */
  checks?: CheckEntry[];
  /**
   * The sentences of the answer's message, by id; only for explain=1.
   *
   * @minItems 1
   */
  messages?: Message[];
  /**
   * What was probably meant, the likeliest first, only for suggest=1 and a number that is not valid; none where more than 10 candidates remain, null where no time was left to look.
   *
   * @maxItems 3
   */
  suggestions?: AccountSuggestion[] | null;
  /** How many candidates pass every check; null where no time was left to look. */
  suggestion_count?: number | null;
}
/** An account number with its bank code that is possible at an existing bank and one slip away. */
export interface AccountSuggestion {
  kontonummer: string;
  bankleitzahl: string;
  /**
   * The slip: the two in each other's place, a wrong digit, neighbours swapped, a digit too many, one too few.
   */
  kind: "swapped" | "substitution" | "transposition" | "extra" | "missing";
  /** Which of the two was corrected. */
  field: "kontonummer" | "bankleitzahl" | "both";
  /**
   * Zero-based places of the characters that change: in the suggestion for missing, in the given text for every other kind.
   */
  positions: number[];
  /** Name of the bank; empty where it is not known. */
  bank: string;
  /** The bank's BIC; null where it is not known. */
  bic: string | null;
}
/** Bank search; at least one of name, location, zip, bankleitzahl, bic must be set. */
export interface BankSearchRequest {
  /** Bank name. */
  name?: string;
  /** Town. */
  location?: string;
  /** Postal code or its first digits. */
  zip?: string;
  /** Bank code or its first digits. */
  bankleitzahl?: string;
  /** BIC or its first characters. */
  bic?: string;
  /** Countries to search, ISO codes separated by commas, or * for all; Germany where it is absent. */
  country?: string;
  /** How many results to return at most, 1 to 50. */
  max?: number;
}
/** Banks found, the best first. */
export interface BankSearchAnswer {
  /** 1 where something was found, 0 where nothing. */
  status: 0 | 1;
  /** The status in words, for people. */
  message: string;
  results: {
    /** How many items are given. */
    count: number;
    /** @maxItems 50 */
    items: BankSearchItem[];
    /** How many match, before max cut them. */
    total: number;
  };
}
/** One bank, or one further location of it. */
export interface BankSearchItem {
  /** Postal code; empty where it is not known. */
  zip: string;
  /** Town; empty where it is not known. */
  location: string;
  /** Name of the bank. */
  bank: string;
  /** Bank code. */
  blz: string;
  /** BIC; null where not known. */
  bic: string | null;
  /** Short name; null where not known. */
  short_name: string | null;
  /** False for a further location of the bank. */
  main: boolean;
  /** Country; only where the request has country or bic. */
  country?: string;
  /** Bank code; only where the request has country or bic. */
  bank_code?: string;
}
/** The one form of every error. */
export interface ErrorAnswer {
  error: ErrorObject;
}
/** State, version, pool and data of the service. */
export interface HealthAnswer {
  /**
   * up while checks are answered, draining while the service stops, failing where it has no bank data or its workers keep dying.
   */
  status: "up" | "draining" | "failing";
  /** Version of the service. */
  version: string;
  pool: {
    /** Worker threads. */
    size: number;
    /** Accepted requests that may wait. */
    queue: number;
    /** Accepted requests in progress or waiting. */
    inside: number;
    /** Maximum number of requests inside. */
    ceiling: number;
    /** Maximum number of them that are not single checks or look-ups. */
    large_ceiling: number;
  };
  data: {
    /** First day on which the German bank codes are valid; empty where no data could be loaded. */
    edition: string;
    /** Days since then. */
    age_days: number | null;
    /** State of the other countries' banks. */
    other_countries: string;
    /** Last day of the edition. */
    valid_until: string | null;
    /** Whether that day is over; the edition stays in use. */
    expired: boolean;
    /** First day of the next stored edition. */
    next_edition: string | null;
    /** When the data in use was loaded. */
    loaded_at: string | null;
    /** How often data was loaded since the start. */
    loads: number;
    /** How often data was refused since the start. */
    refusals: number;
    /** The last time that data was refused, and why. */
    last_refusal: {
      at: string;
      reason: string;
    } | null;
    /** Whether SEPA methods are assumed or read from a directory of participants. */
    sepa_methods: "assumed" | "directory";
    /** First day on which that directory is valid. */
    sepa_edition: string | null;
  };
  process: {
    /** 99th percentile of how late the event loop was since the last reading, in milliseconds. */
    event_loop_delay_p99_ms: number;
    /** Resident memory in megabytes. */
    memory_mb: number;
  };
}
/** How many checks were counted: each single check, each search and each IBAN of a batch is one. */
export interface UsageAnswer {
  /** Name of the key's holder. */
  name: string;
  /** Today, in UTC. */
  day: string;
  /** The calling key. */
  key: {
    /** Distinguishes the holder's keys. */
    id: string;
    /** Checks of the day, which is that of UTC. */
    today: number;
    /** Checks of the day's month. */
    month: number;
    /** All checks there ever were. */
    total: number;
    /** The checks of each of the last days in order, today last; only with days. */
    days?: {
      /** A day in UTC. */
      day: string;
      /** Checks of the day. */
      checks: number;
    }[];
  };
  /** All keys of that name together, those no longer valid too. */
  all_keys: {
    /** Checks of the day, which is that of UTC. */
    today: number;
    /** Checks of the day's month. */
    month: number;
    /** All checks there ever were. */
    total: number;
    /** The checks of each of the last days in order, today last; only with days. */
    days?: {
      /** A day in UTC. */
      day: string;
      /** Checks of the day. */
      checks: number;
    }[];
  };
  /** Only while the usage store does not answer: when these figures were read. */
  as_of?: string;
}
/** The IBANs and BICs of a text, in its order. */
export interface ExtractAnswer {
  /** 1 where something was found, 0 where nothing. */
  status: 0 | 1;
  /** The status in words, for people. */
  message: string;
  data: {
    /** @maxItems 500 */
    ibans: ExtractedIban[];
    /** @maxItems 500 */
    bics: ExtractedBic[];
    /**
     * How far the text was read, in UTF-16 units: its end, unless it has more than 500 IBANs or BICs. Send the rest from there on.
     */
    read_to: number;
    /**
     * How many wrong numbers have suggestions null since the time for corrections was spent; look them up one by one. Only where suggestions are given.
     */
    suggestions_omitted: number;
  };
}
/** An IBAN of the text, right or plainly meant as one. */
export interface ExtractedIban {
  /** The number as it is in the text. */
  text: string;
  /** Where it begins, in UTF-16 units of the text sent. */
  start: number;
  /** Where it ends, after its last character. */
  end: number;
  /** The same without separators, in upper case. */
  iban: string;
  /** Whether status is 1. */
  valid: boolean;
  /** As in an IBAN check. */
  status: 0 | 1 | 3 | 4 | 7;
  /** Why it is not valid; null where it is. */
  reason:
    | "not_an_iban"
    | "country_unknown"
    | "territory"
    | "country_not_registered"
    | "length"
    | "structure"
    | "iso_check_digits"
    | "bank_code_unknown"
    | "national_check_digits"
    | "uk_modulus"
    | "currency"
    | "account_check_digit"
    | "bic_mismatch"
    | "bank_code_format"
    | "account_format"
    | "bank_code_and_account_format"
    | "method_unknown"
    | "no_check_digit"
    | "rule_forbids_iban"
    | "rule_rejects_account"
    | "rule_unknown"
    | "rule_target_unknown"
    | "bank_code_deleted"
    | "bank_code_deletion"
    | null;
  /** Name of the bank; empty where it is not known. */
  bank: string;
  /** The bank's BIC; null where it is not known. */
  bic: string | null;
  /**
   * What was probably meant, the likeliest first, only for suggest=1 and a number that is not valid; none where more than 10 candidates remain, null where no time was left to look.
   *
   * @maxItems 3
   */
  suggestions: IbanSuggestion[] | null;
  /** How many candidates pass every check; null where no time was left to look. */
  suggestion_count: number | null;
}
/** A BIC of the text. */
export interface ExtractedBic {
  /** The number as it is in the text. */
  text: string;
  /** Where it begins, in UTF-16 units of the text sent. */
  start: number;
  /** Where it ends, after its last character. */
  end: number;
  bic: string;
}
/** The facts about a bank code. */
export interface BankLookupAnswer {
  /** 1 where something is known, 0 where nothing. */
  status: 0 | 1;
  /** The status in words, for people. */
  message: string;
  data: {
    /** Country. */
    country: string;
    /** Name of the country. */
    country_name: string;
    /** Bank code, with its leading zeros. */
    bank_code: string;
    /** Name of the bank; empty where it is not known. */
    bank: string;
    /** Short name. */
    short_name: string | null;
    /** BIC; null where not known. */
    bic: string | null;
    /** All BICs known for the bank code. */
    bics: string[];
    /** Legal entity identifier, where a relation of BIC and LEI is loaded. */
    lei: string | null;
    /** Postal code; empty where it is not known. */
    zip: string;
    /** Town; empty where it is not known. */
    location: string;
    /** German check-digit method. */
    check_digit_method: string | null;
    /** German IBAN rule with its version. */
    iban_rule: string | null;
    /** published or inferred. */
    iban_rule_source: string | null;
    /** Whether a German bank code is marked for deletion. */
    deletion_marked: boolean | null;
    /** The German bank code that follows. */
    successor: string | null;
    sepa_methods: SepaMethodsOrNull;
    /** Where sepa_methods come from. */
    sepa_source: "assumed" | "directory" | "inherited" | null;
    sepa_reach: SepaReach;
    /** First day of the list that this is from. */
    edition: string;
  };
}
/** The lists of bank data in use. */
export interface BankDataAnswer {
  /** First day on which the German bank codes are valid. */
  edition: string;
  lists: BankList[];
  /** The lists in use that are not those of a country's banks. */
  registers: RegisterList[];
}
export interface BankList {
  /** Country. */
  country: string;
  /** The dataset that the list is from, as `bankcheck data stats` names it. */
  dataset: string;
  /** First day or month of the list; null where its source names none. */
  edition: string | null;
  /** Days since then. */
  age_days: number | null;
  /** Whether it is 180 days old or older, or of unknown age. */
  is_old: boolean;
  /** Last day of the list, where its source names it. */
  valid_until: string | null;
  /** First day of the next stored edition. */
  next_edition: string | null;
  /** Bank codes. */
  rows: number;
  /** Bank codes with a BIC. */
  with_bic: number;
  /** How complete the list is. */
  completeness: "complete" | "partial" | "stub" | null;
}
export interface RegisterList {
  /** The dataset that the list is from, as `bankcheck data stats` names it. */
  dataset: string;
  /** What it is, in words. */
  title: string;
  /** First day or month of the list. */
  edition: string;
  /** Days since then. */
  age_days: number | null;
  /** Whether it is 180 days old or older. */
  is_old: boolean;
  /** First day of the next stored edition. */
  next_edition: string | null;
  /** Entries. */
  rows: number;
}
/** Counters since the start and present state of every process that answers. */
export interface ProcessesAnswer {
  processes: ProcessReading[];
  /**
   * Processes that did not answer within half a second.
   *
   * Items: Number of the process, from 0; one that replaces another keeps its number.
   */
  missing: number[];
}
export interface ProcessReading {
  /** Number of the process, from 0; one that replaces another keeps its number. */
  number: number;
  metrics: MetricsAnswer;
}
/** Counters since the start and present state of the process that answered. */
export interface MetricsAnswer {
  process: {
    /** Distinguishes the processes that share the port. */
    id: number;
    /** Time since its start. */
    uptime_seconds: number;
    /** Milliseconds its front end, the main thread, was at work since then. */
    busy_ms: number;
    /** 99th percentile of how late the event loop was since the last reading, in milliseconds. */
    event_loop_delay_p99_ms: number;
    /** Resident memory in megabytes. */
    memory_mb: number;
  };
  requests: {
    /** All requests answered before this one. */
    total: number;
    by_status: {
      /** HTTP status. */
      status: number;
      /** Answers with it. */
      count: number;
    }[];
    by_route: {
      /** none for requests that led to no route. */
      method: string;
      /** The route's pattern. */
      route: string;
      /** HTTP status. */
      status: number;
      /** Answers of the route with it. */
      count: number;
    }[];
    /** Checks answered: each single check, search and IBAN of a batch is one. */
    checks: number;
    /** Checks and searches that found no free place: 503 server_busy. */
    refused: number;
  };
  /** How long checks and searches took, and how long they waited for a worker. */
  durations: {
    /** Bounds of the counts. */
    bounds_ms: number[];
    check: {
      /**
       * How many lie up to each bound and beyond the one before; the last beyond all.
       *
       * @minItems 17
       * @maxItems 17
       */
      counts: number[];
      /** Median since the start, estimated from the counts; null where there is none. */
      p50_ms: number | null;
      /** 99th percentile since the start, estimated from the counts; null where there is none. */
      p99_ms: number | null;
    };
    wait: {
      /**
       * How many lie up to each bound and beyond the one before; the last beyond all.
       *
       * @minItems 17
       * @maxItems 17
       */
      counts: number[];
      /** Median since the start, estimated from the counts; null where there is none. */
      p50_ms: number | null;
      /** 99th percentile since the start, estimated from the counts; null where there is none. */
      p99_ms: number | null;
    };
  };
  pool: {
    /** Worker threads. */
    size: number;
    /** Accepted requests in progress or waiting. */
    inside: number;
    /** Accepted requests beyond the pool size. */
    waiting: number;
    /** Maximum number of requests inside. */
    ceiling: number;
    /** Maximum number of them that are not single checks or look-ups. */
    large_ceiling: number;
    /** By worker: milliseconds at work. */
    busy_ms: number[];
    /** Worker threads that ended and were replaced. */
    restarts: number;
    /** Kinds of task that fail without a worker because they kept killing workers. */
    failing_task_kinds: number;
  };
  data: {
    /** First day on which the German bank codes are valid; empty where no data could be loaded. */
    edition: string;
    /** Days since then. */
    age_days: number | null;
    /** Whether its last day has passed. */
    expired: boolean;
    /** How often data was loaded since the start. */
    loads: number;
    /** How often data was refused since the start. */
    refusals: number;
  };
}
/** What every process did in the last hour, in periods of ten seconds, the oldest first. */
export interface HistoryAnswer {
  /** Bounds of the counts by bucket. */
  bounds_ms: number[];
  processes: ProcessHistory[];
}
export interface ProcessHistory {
  /** Number of the process, from 0; one that replaces another keeps its number. */
  number: number;
  periods: WorkPeriod[];
}
/** What a process did in one period, and its state at the end of it. */
export interface WorkPeriod {
  /** End of the period, in seconds since 1970. */
  at: number;
  /** Length of the period. */
  seconds: number;
  /** Whether the process started in it. */
  is_first: boolean;
  /** Requests answered with a status below 400, those for metrics not counted. */
  answered: number;
  /** Requests answered 4xx. */
  rejected: number;
  /** Checks and searches answered 503 server_busy. */
  refused: number;
  /** Requests answered 5xx for any other reason. */
  failed: number;
  /** Checks answered. */
  checks: number;
  /**
   * How long checks and searches took, by bucket.
   *
   * @minItems 17
   * @maxItems 17
   */
  check_counts: number[];
  /**
   * How long they waited for a worker, by bucket.
   *
   * @minItems 17
   * @maxItems 17
   */
  wait_counts: number[];
  /** By worker: milliseconds at work. */
  workers_busy_ms: number[];
  /** Milliseconds the main thread was at work. */
  front_end_busy_ms: number;
  /** Accepted requests that wait for a worker. */
  waiting: number;
  /** 99th percentile. */
  event_loop_delay_p99_ms: number;
  /** Resident memory in megabytes. */
  memory_mb: number;
  /** Worker threads that ended and were replaced. */
  worker_restarts: number;
  /** How often bank data was loaded. */
  data_loads: number;
  /** How often bank data was refused. */
  data_refusals: number;
}
