import type { CheckOptionName } from "../check-options.ts";
import { maxBatchIbans } from "../limits.ts";
import { type FieldSchema, requestFields as fields } from "./request-fields.ts";

/** A JSON Schema for a request body or query, whose fields are checked in the order they have. */
export interface RequestSchema {
  readonly $id: string;
  readonly type: "object";
  readonly description: string;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: boolean;
}

/** Returns the schema of a body or query; further properties are ignored. */
function schemaOf(
  $id: string,
  description: string,
  properties: RequestSchema["properties"],
  ...required: string[]
): RequestSchema {
  const needed = required.length === 0 ? {} : { required };
  return { $id, type: "object", description, properties, ...needed, additionalProperties: true };
}

const { name, location, zip, lang } = fields;
const search = {
  name,
  location,
  zip,
  bankleitzahl: fields.bankleitzahlPrefix,
  bic: fields.bicPrefix,
  country: fields.countries,
  offset: fields.offset,
};
const searchDescription = "Bank search; at least one of name, location, zip, bankleitzahl, bic must be set.";
const anyIban = { iban: fields.anyIban, bic: fields.bic };
const options = {
  sepa: fields.sepaInQuery,
  explain: fields.explain,
  suggest: fields.suggest,
  lenient: fields.lenient,
  reason: fields.reason,
  reach: fields.reach,
} satisfies Record<CheckOptionName, FieldSchema>;

/**
 * The schemas of every request body and query.
 *
 * Source: interface specification, section "Resources and their fields".
 */
export const requestSchemas = {
  accountBody: {
    ...schemaOf(
      "AccountCheckRequest",
      "Check of a German account number with its bank code.",
      { kontonummer: fields.kontonummer, bankleitzahl: fields.bankleitzahl, sepa: fields.sepaInBody },
      "kontonummer",
      "bankleitzahl",
    ),
    additionalProperties: false,
  },
  ibanBody: schemaOf(
    "IbanCheckRequest",
    "Check of one IBAN, optionally together with a BIC.",
    { iban: fields.iban, bic: fields.bic },
    "iban",
  ),
  anyIbanBody: schemaOf(
    "AnyIbanCheckRequest",
    "The same with suggest=1 or lenient=1: the text need not have the form of an IBAN.",
    anyIban,
    "iban",
  ),
  batchBody: schemaOf(
    "IbanBatchRequest",
    `Check of 1 to ${maxBatchIbans} IBANs.`,
    { ibans: fields.ibans },
    "ibans",
  ),
  searchBody: schemaOf("BankSearchRequest", searchDescription, { ...search, max: fields.maxInBody }),
  searchQuery: schemaOf("BankSearchQuery", searchDescription, { ...search, max: fields.maxInQuery, lang }),
  suggestBody: schemaOf(
    "SuggestRequest",
    "A wrong IBAN, or one with unreadable characters.",
    { iban: fields.ibanToSuggest, max: fields.maxFillIns },
    "iban",
  ),
  extractBody: schemaOf(
    "ExtractRequest",
    "A text to search for IBANs, BICs and accounts.",
    { text: fields.text },
    "text",
  ),
  bicPath: schemaOf("BicLookup", "Look-up of a BIC.", { bic: fields.bicInPath }, "bic"),
  bankPath: schemaOf(
    "BankLookup",
    "Look-up of a bank code.",
    { country: fields.country, bank_code: fields.bankCode },
    "country",
    "bank_code",
  ),
  composeBody: schemaOf(
    "ComposeRequest",
    "The parts of the IBAN to compose.",
    {
      country: fields.country,
      bank_code: fields.bankCodePart,
      branch_code: fields.branchCodePart,
      account: fields.accountPart,
    },
    "country",
    "bank_code",
    "account",
  ),
  sampleQuery: schemaOf(
    "SampleQuery",
    "Options of the test numbers.",
    { country: fields.country, n: fields.samples, seed: fields.seed, lang },
    "country",
  ),
  checkQuery: schemaOf("CheckQuery", "Options of a single check.", { ...options, lang }),
  streamQuery: schemaOf("StreamQuery", "Options of a stream.", {
    ...options,
    fields: fields.streamFields,
    summary: fields.streamSummary,
    column: fields.streamColumn,
    bic_column: fields.bicColumn,
    kontonummer_column: fields.kontonummerColumn,
    blz_column: fields.blzColumn,
    header: fields.header,
    delimiter: fields.delimiter,
    lang,
  }),
  streamIbanLine: schemaOf(
    "StreamIbanLine",
    "A line of a stream: an IBAN, optionally with its BIC.",
    anyIban,
    "iban",
  ),
  languageQuery: schemaOf("LanguageQuery", "The language of the answer.", { lang }),
  usageQuery: schemaOf("UsageQuery", "Options of the usage.", { days: fields.days }),
} satisfies Record<string, RequestSchema>;

/** A name of the table of request schemas. */
export type RequestSchemaName = keyof typeof requestSchemas;
