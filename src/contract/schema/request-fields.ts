import type { ErrorCode } from "../errors.ts";
import {
  defaultSamples,
  defaultSearchResults,
  maxBatchIbans,
  maxFillIns,
  maxSamples,
  maxSearchResults,
  maxUnreadable,
  maxUsageDays,
} from "../limits.ts";
import { languages } from "../messages.ts";

/** Error codes by failing keyword; `any` stands for every other keyword. */
interface FieldErrors {
  readonly any: ErrorCode;
  readonly [keyword: string]: ErrorCode;
}

/** A JSON Schema for one field together with two keywords of our own. */
export interface FieldSchema {
  readonly description: string;
  readonly errorCodes: FieldErrors;
  /** What OpenAPI shows in place of the keywords that are checked: the form clients are to send, without the leniences. */
  readonly published?: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

const decimalText = "^[0-9]+$";
const decimalTextOrEmpty = "^[0-9]*$";
const spacedIban = "^\\s*(?:[A-Za-z]\\s*){2}(?:[A-Za-z0-9]\\s*){13,}$";
const spacedBic = "^\\s*(?:[A-Za-z]\\s*){6}(?:[A-Za-z0-9]\\s*){2}(?:(?:[A-Za-z0-9]\\s*){3})?$";

const countryList = "^\\s*(\\*|[A-Za-z]{2}(\\s*,\\s*[A-Za-z]{2})*)?\\s*$";
const countryCode = "^\\s*[A-Za-z]{2}\\s*$";
const bicPrefix = "^\\s*[A-Za-z0-9]{0,11}\\s*$";
const partOfAccount = "^[A-Za-z0-9 ./-]{1,64}$";

/** What `fields` of a stream may name: fields of entries, or columns of CSV. */
const streamFields = "^[a-z0-9_]{1,32}(,[a-z0-9_]{1,32}){0,31}$";
const columnName = { type: "string", minLength: 1, maxLength: 200 } as const;

const switchedOff = { type: "integer", enum: [0, 1], default: 0 } as const;
const fillIns = { type: "integer", minimum: 1, maximum: maxFillIns } as const;
const searchResults = { type: "integer", minimum: 1, maximum: maxSearchResults } as const;
const maxDescription = `How many results to return at most, 1 to ${maxSearchResults}.` as const;

const searchText = <Text extends string>(description: Text) =>
  ({
    type: ["string", "null"],
    description,
    published: { type: "string" },
    errorCodes: { any: "invalid_request" },
  }) as const satisfies FieldSchema;

/** The fields of all request bodies, queries and paths; a suffix distinguishes those that are read differently there. */
export const requestFields = {
  kontonummer: {
    type: "string",
    pattern: "^0*[1-9][0-9]*$",
    description: "Account number: digits only, not zero.",
    errorCodes: { any: "invalid_kontonummer" },
  },
  bankleitzahl: {
    type: "string",
    pattern: decimalText,
    description: "Bank code: digits only; a valid German one has 8.",
    errorCodes: { any: "invalid_blz" },
  },
  sepaInBody: {
    enum: [0, 1, "0", "1", "", null],
    description: "1 includes SEPA info and the generated IBAN.",
    published: switchedOff,
    errorCodes: { any: "invalid_sepa" },
  },
  sepaInQuery: {
    type: "string",
    enum: ["0", "1"],
    description: "1 includes SEPA info and, for an account check, the generated IBAN.",
    published: switchedOff,
    errorCodes: { any: "invalid_sepa" },
  },
  explain: {
    type: "string",
    enum: ["0", "1"],
    description:
      "1 adds data.checks: every check made, with its result. A batch then takes some hundred times as long.",
    published: switchedOff,
    errorCodes: { any: "invalid_request" },
  },
  reason: {
    type: "string",
    enum: ["0", "1"],
    description:
      "1 adds data.reason and data.severity: why the number is not valid, or a warning about a valid one; in the entries of a batch data.message too.",
    published: switchedOff,
    errorCodes: { any: "invalid_request" },
  },
  reach: {
    type: "string",
    enum: ["0", "1"],
    description:
      "1 adds data.sepa_reach: Instant Credit Transfer and Verification of Payee by the EPC's registers.",
    published: switchedOff,
    errorCodes: { any: "invalid_request" },
  },
  streamFields: {
    type: "string",
    pattern: streamFields,
    description:
      "Names of the fields that an answered line contains beside its line and its id; those of data stand for themselves, and edition is that of the bank data, which an entry as a whole does not have. With CSV answers, names of the columns to add.",
    published: { type: "string", pattern: streamFields },
    errorCodes: { any: "invalid_request" },
  },
  streamColumn: {
    ...columnName,
    description:
      "CSV: the column with the IBANs, by name or number from 1; repeat it for more, or for kontonummer and BLZ. Detected by default.",
    errorCodes: { any: "invalid_request" },
  },
  bicColumn: {
    ...columnName,
    description: "CSV: the column with the BIC that must belong to the IBAN.",
    errorCodes: { any: "invalid_request" },
  },
  kontonummerColumn: {
    ...columnName,
    description: "CSV: the column with the account number.",
    errorCodes: { any: "invalid_request" },
  },
  blzColumn: {
    ...columnName,
    description: "CSV: the column with the bank code.",
    errorCodes: { any: "invalid_request" },
  },
  header: {
    type: "string",
    enum: ["0", "1"],
    description: "CSV: whether the first row names the columns. Detected by default.",
    published: { type: "integer", enum: [0, 1] },
    errorCodes: { any: "invalid_request" },
  },
  delimiter: {
    type: "string",
    pattern: '^(tab|[^\\w"\\r\\n\\u0080-\\uffff])$',
    description: "CSV: the character between fields, or tab. Detected by default.",
    errorCodes: { any: "invalid_request" },
  },
  lang: {
    type: "string",
    enum: languages,
    description: "Language of the messages; Accept-Language by default.",
    errorCodes: { any: "invalid_request" },
  },
  days: {
    type: "string",
    format: "usage-days",
    description: `Adds the checks of each of the last days, today included: 1 to ${maxUsageDays}.`,
    published: { type: "integer", minimum: 1, maximum: maxUsageDays },
    errorCodes: { any: "invalid_request" },
  },
  suggest: {
    type: "string",
    enum: ["0", "1"],
    description: "1 adds data.suggestions, probable corrections, to a number that is not valid.",
    published: switchedOff,
    errorCodes: { any: "invalid_request" },
  },
  lenient: {
    type: "string",
    enum: ["0", "1"],
    description:
      "1 accepts an IBAN as people write it: with -, . or / in it, the word IBAN before it, invisible or full-width characters.",
    published: switchedOff,
    errorCodes: { any: "invalid_request" },
  },
  anyIban: {
    type: "string",
    description: "The IBAN, or what somebody has written for it.",
    errorCodes: { any: "invalid_iban" },
  },
  ibanToSuggest: {
    type: "string",
    minLength: 1,
    description: `A wrong IBAN, or one with 1 to ${maxUnreadable} unreadable characters, each written as "?".`,
    published: { type: "string", minLength: 1 },
    errorCodes: { any: "invalid_iban" },
  },
  maxFillIns: {
    anyOf: [fillIns, { type: "string", format: "search-max" }, { enum: ["", null] }],
    description: `How many ways of filling in the unreadable characters to list at most, 1 to ${maxFillIns}.`,
    published: { ...fillIns, default: maxFillIns },
    errorCodes: { any: "invalid_max" },
  },
  text: {
    type: "string",
    description: "Any text: an invoice, an e-mail, the output of text recognition.",
    published: { type: "string" },
    errorCodes: { any: "invalid_request" },
  },
  iban: {
    type: "string",
    format: "iban-form",
    description: "The IBAN; spaces and lower case are accepted.",
    published: { type: "string", pattern: spacedIban },
    errorCodes: { any: "invalid_iban" },
  },
  bic: {
    anyOf: [{ type: "string", format: "bic-form" }, { enum: ["", null] }],
    description: "The BIC; white space and lower case are accepted.",
    published: { type: "string", pattern: spacedBic },
    errorCodes: { any: "invalid_bic" },
  },
  ibans: {
    type: "array",
    minItems: 1,
    maxItems: maxBatchIbans,
    description: "The IBANs; an entry that is not an IBAN gets its own error and never fails the rest.",
    published: { type: "array", items: { type: "string" }, minItems: 1, maxItems: maxBatchIbans },
    errorCodes: { type: "invalid_batch_ibans", any: "batch_size_invalid" },
  },
  name: searchText("Bank name."),
  location: searchText("Town."),
  zip: {
    type: ["string", "null"],
    pattern: decimalTextOrEmpty,
    description: "Postal code or its first digits.",
    published: { type: "string", pattern: decimalTextOrEmpty },
    errorCodes: { any: "invalid_zip" },
  },
  bankleitzahlPrefix: {
    type: ["string", "null"],
    pattern: decimalTextOrEmpty,
    description: "Bank code or its first digits.",
    published: { type: "string", pattern: decimalTextOrEmpty },
    errorCodes: { any: "invalid_blz" },
  },
  countries: {
    type: ["string", "null"],
    pattern: countryList,
    description:
      "Countries to search, ISO codes separated by commas, or * for all; Germany where it is absent.",
    published: { type: "string", pattern: countryList },
    errorCodes: { any: "invalid_request" },
  },
  bicPrefix: {
    type: ["string", "null"],
    pattern: bicPrefix,
    description: "BIC or its first characters.",
    published: { type: "string", pattern: bicPrefix },
    errorCodes: { any: "invalid_bic" },
  },
  bicInPath: {
    type: "string",
    format: "bic-form",
    description: "The BIC; white space and lower case are accepted.",
    published: { type: "string", pattern: spacedBic },
    errorCodes: { any: "invalid_bic" },
  },
  country: {
    type: "string",
    pattern: countryCode,
    description: "ISO code of a country in the IBAN registry.",
    errorCodes: { any: "invalid_request" },
  },
  bankCode: {
    type: "string",
    pattern: "^[A-Za-z0-9]{1,16}$",
    description: "Bank code as in the country's IBANs; leading zeros may be left out.",
    errorCodes: { any: "invalid_request" },
  },
  bankCodePart: {
    type: "string",
    pattern: partOfAccount,
    description: "Bank code; separators are accepted.",
    errorCodes: { any: "invalid_request" },
  },
  branchCodePart: {
    type: ["string", "null"],
    pattern: "^[A-Za-z0-9 ./-]{0,64}$",
    description: "Branch code, needed where the country's IBANs have one.",
    published: { type: "string", pattern: partOfAccount },
    errorCodes: { any: "invalid_request" },
  },
  accountPart: {
    type: "string",
    pattern: partOfAccount,
    description: "Account number; separators are accepted, leading zeros may be left out.",
    errorCodes: { any: "invalid_request" },
  },
  samples: {
    type: "string",
    pattern: "^([1-9]|[1-9][0-9]|100)$",
    description: `How many test numbers, 1 to ${maxSamples}.`,
    published: { type: "integer", minimum: 1, maximum: maxSamples, default: defaultSamples },
    errorCodes: { any: "invalid_request" },
  },
  seed: {
    type: "string",
    pattern: "^[\\x20-\\x7e]{1,64}$",
    description: "The same seed returns the same numbers; default 1.",
    errorCodes: { any: "invalid_request" },
  },
  maxInBody: {
    anyOf: [searchResults, { type: "string", format: "search-max" }, { enum: ["", null] }],
    description: maxDescription,
    published: { ...searchResults, default: defaultSearchResults },
    errorCodes: { any: "invalid_max" },
  },
  maxInQuery: {
    type: "string",
    anyOf: [{ format: "search-max" }, { enum: [""] }],
    description: maxDescription,
    published: { ...searchResults, default: defaultSearchResults },
    errorCodes: { any: "invalid_max" },
  },
} as const satisfies Record<string, FieldSchema>;
