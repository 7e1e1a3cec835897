import type { ErrorCode } from "../errors.ts";
import { languages } from "../language.ts";
import {
  defaultSamples,
  defaultSearchResults,
  maxBatchIbans,
  maxCountries,
  maxFillIns,
  maxSamples,
  maxSearchOffset,
  maxSearchResults,
  maxUnreadable,
  maxUsageDays,
} from "../limits.ts";

/** Error codes by failing keyword; `any` stands for every other keyword. */
interface FieldErrors {
  readonly any: ErrorCode;
  readonly [keyword: string]: ErrorCode;
}

/** A JSON Schema for one field together with keywords of our own: `maxCount` is the highest number that a text may be. */
export interface FieldSchema {
  readonly description: string;
  readonly errorCodes: FieldErrors;
  /** Published in OpenAPI in place of the checked keywords: the form that clients should send, without tolerances. */
  readonly published?: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

/** Returns the schema of a field: what is checked of it, what it means, and the error code where it does not fit. */
function field(
  keywords: object,
  description: string,
  errorCode: ErrorCode = "invalid_request",
  published?: FieldSchema["published"],
): FieldSchema {
  const shown = published === undefined ? {} : { published };
  return { ...keywords, description, ...shown, errorCodes: { any: errorCode } };
}

const decimalText = "^[0-9]+$";
const decimalTextOrEmpty = "^[0-9]*$";
const spacedIban = "^\\s*(?:[A-Za-z]\\s*){2}(?:[A-Za-z0-9]\\s*){13,}$";
const spacedBic = "^\\s*(?:[A-Za-z]\\s*){6}(?:[A-Za-z0-9]\\s*){2}(?:(?:[A-Za-z0-9]\\s*){3})?$";
// White space before nothing must match in one way only: in two it takes the square of its length to refuse it.
const countryList = `^\\s*((\\*|[A-Za-z]{2}(\\s*,\\s*[A-Za-z]{2}){0,${maxCountries - 1}})\\s*)?$`;
const bicPrefix = "^\\s*([A-Za-z0-9]{1,11}\\s*)?$";
const partOfAccount = "^[A-Za-z0-9 ./-]{1,64}$";
/** Pattern of the `fields` of a stream: fields of entries, or columns of CSV. */
const streamFields = "^[a-z0-9_]{1,32}(,[a-z0-9_]{1,32}){0,31}$";

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const textLike = (pattern: string) => ({ ...text, pattern });
const columnName = { ...text, minLength: 1, maxLength: 200 };
const switchedOff = { type: "integer", enum: [0, 1], default: 0 };
const fillIns = { type: "integer", minimum: 1, maximum: maxFillIns };
const searchResults = { type: "integer", minimum: 1, maximum: maxSearchResults };
const searchOffset = { type: "integer", minimum: 0, maximum: maxSearchOffset };
const maxDescription = `Maximum number of results, 1 to ${maxSearchResults}.`;

const queryField = { ...text, enum: ["0", "1"] };
const option = (description: string, errorCode?: ErrorCode) =>
  field(queryField, description, errorCode, switchedOff);

/** A criterion of a search; null is one that is not given. */
const criterion = (keywords: object, description: string, errorCode?: ErrorCode) =>
  field({ ...textOrNull, ...keywords }, description, errorCode, { ...text, ...keywords });

/** The fields of all request bodies, queries and paths; a suffix distinguishes those that are read differently there. */
export const requestFields = {
  kontonummer: field(
    textLike("^0*[1-9][0-9]*$"),
    "Account number: digits only, not zero.",
    "invalid_kontonummer",
  ),
  bankleitzahl: field(
    textLike(decimalText),
    "Bank code: digits only; a valid German one has 8.",
    "invalid_blz",
  ),
  sepaInBody: field(
    { enum: [0, 1, "0", "1", "", null] },
    "1 includes the SEPA methods and the generated IBAN.",
    "invalid_sepa",
    switchedOff,
  ),
  sepaInQuery: option(
    "1 includes the SEPA methods and, for an account check, the generated IBAN.",
    "invalid_sepa",
  ),
  explain: option(
    "1 adds data.checks: every check made, with its result. A batch then takes about a hundred times as long.",
  ),
  reason: option(
    "1 adds data.reason and data.severity: why the number is not valid, or a warning about a valid one; in the entries of a batch also data.message.",
  ),
  reach: option(
    "1 adds data.sepa_reach: reach by Instant Credit Transfer and Verification of Payee, from the EPC's registers.",
  ),
  suggest: option("1 adds data.suggestions, probable corrections, to a number that is not valid."),
  lenient: option(
    "1 accepts an IBAN as people write it: with -, . or / in it, the word IBAN before it, invisible or full-width characters.",
  ),
  streamFields: field(
    textLike(streamFields),
    "Names of the fields to return besides line and id, separated by commas: fields of an entry, fields of its data, or edition (of the list that has the bank). For answers in CSV, names of the columns to add. A named field needs no switch: reason, suggestions, checks and sepa_reach are answered where they are named.",
  ),
  streamSummary: field(
    queryField,
    "0 leaves out the summary after a whole answer, for programs that read it as a table. An answer that ends before its body has it in any case.",
    undefined,
    { type: "integer", enum: [0, 1], default: 1 },
  ),
  streamColumn: field(
    columnName,
    "CSV: the column with the IBANs, by name or number from 1; repeat it for more, or for kontonummer and BLZ. Detected by default.",
  ),
  bicColumn: field(
    columnName,
    "CSV: the column with the BIC that must belong to the IBAN; no BIC is checked unless it is named.",
  ),
  kontonummerColumn: field(columnName, "CSV: the column with the account number."),
  blzColumn: field(columnName, "CSV: the column with the bank code."),
  header: field(queryField, "CSV: whether the first row names the columns. Detected by default.", undefined, {
    type: "integer",
    enum: [0, 1],
  }),
  delimiter: field(
    textLike('^(tab|[^\\w"\\r\\n\\u0080-\\uffff])$'),
    "CSV: the character between fields, or tab. Detected by default.",
  ),
  lang: field({ ...text, enum: languages }, "Language of the messages; Accept-Language by default."),
  days: field(
    { ...text, maxCount: maxUsageDays },
    `Adds the checks of each of the last 1 to ${maxUsageDays} days, including today.`,
    undefined,
    { type: "integer", minimum: 1, maximum: maxUsageDays },
  ),
  anyIban: field(text, "The IBAN, or any text meant as one.", "invalid_iban"),
  ibanToSuggest: field(
    { ...text, minLength: 1 },
    `A wrong IBAN, or one with 1 to ${maxUnreadable} unreadable characters, each written as "?".`,
    "invalid_iban",
  ),
  maxFillIns: field(
    { anyOf: [fillIns, { ...text, maxCount: maxFillIns }, { enum: ["", null] }] },
    `Maximum number of ways to fill in the unreadable characters, 1 to ${maxFillIns}.`,
    "invalid_max",
    { ...fillIns, default: maxFillIns },
  ),
  text: field(text, "Any text: an invoice, an e-mail, the output of text recognition."),
  iban: field(
    { ...text, format: "iban-form" },
    "The IBAN; spaces and lower case are accepted.",
    "invalid_iban",
    textLike(spacedIban),
  ),
  bic: field(
    { anyOf: [{ ...text, format: "bic-form" }, { enum: ["", null] }] },
    "The BIC; white space and lower case are accepted.",
    "invalid_bic",
    textLike(spacedBic),
  ),
  bicInPath: field(
    { ...text, format: "bic-form" },
    "The BIC; white space and lower case are accepted.",
    "invalid_bic",
    textLike(spacedBic),
  ),
  ibans: {
    type: "array",
    minItems: 1,
    maxItems: maxBatchIbans,
    description: "The IBANs; an entry that is not an IBAN gets its own error and never fails the rest.",
    published: { type: "array", items: text, minItems: 1, maxItems: maxBatchIbans },
    errorCodes: { type: "invalid_batch_ibans", any: "batch_size_invalid" },
  },
  name: criterion({}, "Bank name."),
  location: criterion({}, "Town."),
  zip: criterion({ pattern: decimalTextOrEmpty }, "Postal code or its first digits.", "invalid_zip"),
  bankleitzahlPrefix: criterion(
    { pattern: decimalTextOrEmpty },
    "Bank code or its first digits; for GB also a sort code of six digits, which finds the bank of its range.",
    "invalid_blz",
  ),
  countries: criterion(
    { pattern: countryList },
    `Countries to search, at most ${maxCountries} ISO codes separated by commas, or * for all; default: Germany.`,
  ),
  bicPrefix: criterion({ pattern: bicPrefix }, "BIC or its first characters.", "invalid_bic"),
  country: field(textLike("^\\s*[A-Za-z]{2}\\s*$"), "ISO code of a country in the IBAN registry."),
  bankCode: field(
    textLike("^[A-Za-z0-9]{1,16}$"),
    "Bank code as in the country's IBANs; leading zeros may be left out.",
  ),
  bankCodePart: field(textLike(partOfAccount), "Bank code; separators are accepted."),
  branchCodePart: field(
    { ...textOrNull, pattern: "^[A-Za-z0-9 ./-]{0,64}$" },
    "Branch code, required if the country's IBANs have one.",
    undefined,
    textLike(partOfAccount),
  ),
  accountPart: field(
    textLike(partOfAccount),
    "Account number; separators are accepted, leading zeros may be left out, in Czech, Slovak, Finnish and Icelandic numbers also after a dash. In the United Kingdom also with the nine digits of Santander, or the ten of NatWest and the Co-operative Bank.",
  ),
  samples: field(
    { ...textLike("^[1-9]"), maxCount: maxSamples },
    `Number of test numbers, 1 to ${maxSamples}.`,
    undefined,
    { type: "integer", minimum: 1, maximum: maxSamples, default: defaultSamples },
  ),
  seed: field(textLike("^[\\x20-\\x7e]{1,64}$"), "The same seed returns the same numbers; default 1."),
  maxInBody: field(
    { anyOf: [searchResults, { ...text, maxCount: maxSearchResults }, { enum: ["", null] }] },
    maxDescription,
    "invalid_max",
    { ...searchResults, default: defaultSearchResults },
  ),
  offset: field(
    { anyOf: [searchOffset, { ...text, pattern: `^(0|[1-9][0-9]{0,2}|${maxSearchOffset})$` }] },
    `Number of results to pass over, 0 to ${maxSearchOffset}: with max, the next page.`,
    undefined,
    { ...searchOffset, default: 0 },
  ),
  maxInQuery: field(
    { ...text, anyOf: [{ ...text, maxCount: maxSearchResults }, { enum: [""] }] },
    maxDescription,
    "invalid_max",
    { ...searchResults, default: defaultSearchResults },
  ),
} satisfies Record<string, FieldSchema>;
