import type { CheckOptionName } from "../check-options.ts";
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
import {
  criterion,
  type FieldSchema,
  field,
  maxInBody,
  numberInQuery,
  option,
  switchedOff,
  text,
  textLike,
  textOrNull,
  zeroOrOne,
} from "./request-fields.ts";

/** A JSON Schema for a request body, query or path, whose fields are checked in the order they have. */
export interface RequestSchema {
  /** Of a body: the name of its component in OpenAPI. */
  readonly title?: string;
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

/** Returns the schema of a query or path; further properties are ignored. */
function fieldsOf(required: readonly string[], properties: RequestSchema["properties"]): RequestSchema {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function bodyOf(title: string, description: string, ...fields: Parameters<typeof fieldsOf>) {
  return { title, description, ...fieldsOf(...fields) };
}

// White space before nothing must match in one way only: in two it takes the square of its length to refuse it.
const countryList = `^\\s*((\\*|[A-Za-z]{2}(\\s*,\\s*[A-Za-z]{2}){0,${maxCountries - 1}})\\s*)?$`;
const decimalTextOrEmpty = "^[0-9]*$";
const partOfAccount = textLike("^[A-Za-z0-9 ./-]{1,64}$");
const columnName = { ...text, minLength: 1, maxLength: 200 };
const searchOffset = { type: "integer", minimum: 0, maximum: maxSearchOffset };
const maxDescription = `Maximum number of results, 1 to ${maxSearchResults}.`;
const bicDescription = "The BIC; white space and lower case are accepted.";
const bicForm = { ...text, format: "bic-form" };
const spacedBic = textLike("^\\s*(?:[A-Za-z]\\s*){6}(?:[A-Za-z0-9]\\s*){2}(?:(?:[A-Za-z0-9]\\s*){3})?$");

const lang = field({ ...text, enum: languages }, "Language of the messages; Accept-Language by default.");
const bic = field({ anyOf: [bicForm, { enum: ["", null] }] }, bicDescription, "invalid_bic", spacedBic);
const country = field(textLike("^\\s*[A-Za-z]{2}\\s*$"), "ISO code of a country in the IBAN registry.");

const search = {
  name: criterion({}, "Bank name."),
  location: criterion({}, "Town."),
  zip: criterion({ pattern: decimalTextOrEmpty }, "Postal code or its first digits.", "invalid_zip"),
  bankleitzahl: criterion(
    { pattern: decimalTextOrEmpty },
    "Bank code or its first digits; for GB also a sort code of six digits, which finds the bank of its range.",
    "invalid_blz",
  ),
  bic: criterion(
    { pattern: "^\\s*([A-Za-z0-9]{1,11}\\s*)?$" },
    "BIC or its first characters.",
    "invalid_bic",
  ),
  country: criterion(
    { pattern: countryList },
    `Countries to search, at most ${maxCountries} ISO codes separated by commas, or * for all; default: Germany.`,
  ),
  offset: field(
    { anyOf: [searchOffset, textLike(`^(0|[1-9][0-9]{0,2}|${maxSearchOffset})$`)] },
    `Number of results to pass over, 0 to ${maxSearchOffset}: with max, the next page.`,
    undefined,
    { ...searchOffset, default: 0 },
  ),
};
const maxOfSearch = maxInBody(maxSearchResults, defaultSearchResults, maxDescription);

const options = {
  sepa: option("1 includes the SEPA methods and, for an account check, the generated IBAN.", "invalid_sepa"),
  explain: option(
    "1 adds data.checks: every check made, with its result. A batch then takes about a hundred times as long.",
  ),
  suggest: option("1 adds data.suggestions, probable corrections, to a number that is not valid."),
  lenient: option(
    "1 accepts an IBAN as people write it: with -, . or / in it, the word IBAN before it, invisible or full-width characters.",
  ),
  reason: option(
    "1 adds data.reason and data.severity: why the number is not valid, or a warning about a valid one; in the entries of a batch also data.message.",
  ),
  reach: option(
    "1 adds data.sepa_reach: reach by Instant Credit Transfer and Verification of Payee, from the EPC's registers.",
  ),
} satisfies Record<CheckOptionName, FieldSchema>;

/**
 * The schemas of every request body, query and path.
 *
 * Source: interface specification, section "Resources and their fields".
 */
export const requestSchemas = {
  accountBody: {
    ...bodyOf(
      "AccountCheckRequest",
      "Check of a German account number with its bank code.",
      ["kontonummer", "bankleitzahl"],
      {
        kontonummer: field(
          textLike("^0*[1-9][0-9]*$"),
          "Account number: digits only, not zero.",
          "invalid_kontonummer",
        ),
        bankleitzahl: field(
          textLike("^[0-9]+$"),
          "Bank code: digits only; a valid German one has 8.",
          "invalid_blz",
        ),
        sepa: field(
          { enum: [0, 1, "0", "1", "", null] },
          "1 includes the SEPA methods and the generated IBAN.",
          "invalid_sepa",
          switchedOff,
        ),
      },
    ),
    additionalProperties: false,
  },
  ibanBody: bodyOf("IbanCheckRequest", "Check of one IBAN, optionally together with a BIC.", ["iban"], {
    iban: field(
      { ...text, format: "iban-form" },
      "The IBAN; spaces and lower case are accepted.",
      "invalid_iban",
      textLike("^\\s*(?:[A-Za-z]\\s*){2}(?:[A-Za-z0-9]\\s*){13,}$"),
    ),
    bic,
  }),
  /** The same with suggest=1 or lenient=1, and in a line of a stream: the text need not have the form of an IBAN. */
  anyIbanBody: fieldsOf(["iban"], {
    iban: field(text, "The IBAN, or any text meant as one.", "invalid_iban"),
    bic,
  }),
  batchBody: bodyOf("IbanBatchRequest", `Check of 1 to ${maxBatchIbans} IBANs.`, ["ibans"], {
    ibans: {
      type: "array",
      minItems: 1,
      maxItems: maxBatchIbans,
      description: "The IBANs; an entry that is not an IBAN gets its own error and never fails the rest.",
      published: { type: "array", items: text, minItems: 1, maxItems: maxBatchIbans },
      errorCodes: { type: "invalid_batch_ibans", any: "batch_size_invalid" },
    },
  }),
  searchBody: bodyOf(
    "BankSearchRequest",
    "Bank search; at least one of name, location, zip, bankleitzahl, bic must be set.",
    [],
    { ...search, max: maxOfSearch },
  ),
  searchQuery: fieldsOf([], {
    ...search,
    max: { ...maxOfSearch, ...text, anyOf: [{ ...text, maxCount: maxSearchResults }, { enum: [""] }] },
    lang,
  }),
  suggestBody: bodyOf("SuggestRequest", "A wrong IBAN, or one with unreadable characters.", ["iban"], {
    iban: field(
      { ...text, minLength: 1 },
      `A wrong IBAN, or one with 1 to ${maxUnreadable} unreadable characters, each written as "?".`,
      "invalid_iban",
    ),
    max: maxInBody(
      maxFillIns,
      maxFillIns,
      `Maximum number of ways to fill in the unreadable characters, 1 to ${maxFillIns}.`,
    ),
  }),
  extractBody: bodyOf("ExtractRequest", "A text to search for IBANs, BICs and accounts.", ["text"], {
    text: field(text, "Any text: an invoice, an e-mail, the output of text recognition."),
  }),
  bicPath: fieldsOf(["bic"], { bic: field(bicForm, bicDescription, "invalid_bic", spacedBic) }),
  bankPath: fieldsOf(["country", "bank_code"], {
    country,
    bank_code: field(
      textLike("^[A-Za-z0-9]{1,16}$"),
      "Bank code as in the country's IBANs; leading zeros may be left out.",
    ),
  }),
  composeBody: bodyOf(
    "ComposeRequest",
    "The parts of the IBAN to compose.",
    ["country", "bank_code", "account"],
    {
      country,
      bank_code: field(partOfAccount, "Bank code; separators are accepted."),
      branch_code: field(
        { ...textOrNull, pattern: "^[A-Za-z0-9 ./-]{0,64}$" },
        "Branch code, required if the country's IBANs have one.",
        undefined,
        partOfAccount,
      ),
      account: field(
        partOfAccount,
        "Account number; separators are accepted, leading zeros may be left out, in Czech, Slovak, Finnish and Icelandic numbers also after a dash. In the United Kingdom also with the nine digits of Santander, or the ten of NatWest and the Co-operative Bank.",
      ),
    },
  ),
  sampleQuery: fieldsOf(["country"], {
    country,
    n: {
      ...numberInQuery(maxSamples, `Number of test numbers, 1 to ${maxSamples}.`, {
        default: defaultSamples,
      }),
      pattern: "^[1-9]",
    },
    seed: field(textLike("^[\\x20-\\x7e]{1,64}$"), "The same seed returns the same numbers; default 1."),
    lang,
  }),
  checkQuery: fieldsOf([], { ...options, lang }),
  streamQuery: fieldsOf([], {
    ...options,
    fields: field(
      textLike("^[a-z0-9_]{1,32}(,[a-z0-9_]{1,32}){0,31}$"),
      "Names of the fields to return besides line and id, separated by commas: fields of an entry, fields of its data, or edition (of the list that has the bank). For answers in CSV, names of the columns to add. A named field needs no switch: reason, suggestions, checks and sepa_reach are answered where they are named.",
    ),
    summary: option(
      "0 leaves out the summary after a whole answer, for programs that read it as a table. An answer that ends before its body has it in any case.",
      undefined,
      { ...zeroOrOne, default: 1 },
    ),
    column: field(
      columnName,
      "CSV: the column with the IBANs, by name or number from 1; repeat it for more, or for kontonummer and BLZ. Detected by default.",
    ),
    bic_column: field(
      columnName,
      "CSV: the column with the BIC that must belong to the IBAN; no BIC is checked unless it is named.",
    ),
    kontonummer_column: field(columnName, "CSV: the column with the account number."),
    blz_column: field(columnName, "CSV: the column with the bank code."),
    header: option(
      "CSV: whether the first row names the columns. Detected by default.",
      undefined,
      zeroOrOne,
    ),
    delimiter: field(
      textLike('^(tab|[^\\w"\\r\\n\\u0080-\\uffff])$'),
      "CSV: the character between fields, or tab. Detected by default.",
    ),
    lang,
  }),
  languageQuery: fieldsOf([], { lang }),
  usageQuery: fieldsOf([], {
    days: numberInQuery(
      maxUsageDays,
      `Adds the checks of each of the last 1 to ${maxUsageDays} days, including today.`,
    ),
  }),
} satisfies Record<string, RequestSchema>;

export type RequestSchemaName = keyof typeof requestSchemas;
