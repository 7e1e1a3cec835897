import type { FromSchema } from "json-schema-to-ts";
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

const { name, location, zip, bankleitzahlPrefix } = fields;
const searchFields = {
  name,
  location,
  zip,
  bankleitzahl: bankleitzahlPrefix,
  bic: fields.bicPrefix,
  country: fields.countries,
} as const;
const searchDescription = "Bank search; at least one of name, location, zip, bankleitzahl, bic must be set.";

/**
 * The schemas of every request body and query.
 *
 * Source: interface specification, section "Resources and their fields".
 */
export const requestSchemas = {
  accountBody: {
    $id: "AccountCheckRequest",
    type: "object",
    description: "Check of a German account number with its bank code.",
    properties: {
      kontonummer: fields.kontonummer,
      bankleitzahl: fields.bankleitzahl,
      sepa: fields.sepaInBody,
    },
    required: ["kontonummer", "bankleitzahl"],
    additionalProperties: false,
  },
  ibanBody: {
    $id: "IbanCheckRequest",
    type: "object",
    description: "Check of one IBAN, optionally together with a BIC.",
    properties: { iban: fields.iban, bic: fields.bic },
    required: ["iban"],
    additionalProperties: true,
  },
  anyIbanBody: {
    $id: "AnyIbanCheckRequest",
    type: "object",
    description: "The same with suggest=1 or lenient=1: the text need not have the form of an IBAN.",
    properties: { iban: fields.anyIban, bic: fields.bic },
    required: ["iban"],
    additionalProperties: true,
  },
  batchBody: {
    $id: "IbanBatchRequest",
    type: "object",
    description: "Check of 1 to 500 IBANs.",
    properties: { ibans: fields.ibans },
    required: ["ibans"],
    additionalProperties: true,
  },
  searchBody: {
    $id: "BankSearchRequest",
    type: "object",
    description: searchDescription,
    properties: { ...searchFields, max: fields.maxInBody },
    additionalProperties: true,
  },
  searchQuery: {
    $id: "BankSearchQuery",
    type: "object",
    description: searchDescription,
    properties: { ...searchFields, max: fields.maxInQuery, lang: fields.lang },
    additionalProperties: true,
  },
  suggestBody: {
    $id: "SuggestRequest",
    type: "object",
    description: "A wrong IBAN, or one with unreadable characters.",
    properties: { iban: fields.ibanToSuggest, max: fields.maxFillIns },
    required: ["iban"],
    additionalProperties: true,
  },
  extractBody: {
    $id: "ExtractRequest",
    type: "object",
    description: "A text in which IBANs and BICs are looked for.",
    properties: { text: fields.text },
    required: ["text"],
    additionalProperties: true,
  },
  bicPath: {
    $id: "BicLookup",
    type: "object",
    description: "Look-up of a BIC.",
    properties: { bic: fields.bicInPath },
    required: ["bic"],
    additionalProperties: false,
  },
  bankPath: {
    $id: "BankLookup",
    type: "object",
    description: "Look-up of a bank code.",
    properties: { country: fields.country, bank_code: fields.bankCode },
    required: ["country", "bank_code"],
    additionalProperties: false,
  },
  composeBody: {
    $id: "ComposeRequest",
    type: "object",
    description: "An account whose IBAN is to be composed.",
    properties: {
      country: fields.country,
      bank_code: fields.bankCodePart,
      branch_code: fields.branchCodePart,
      account: fields.accountPart,
    },
    required: ["country", "bank_code", "account"],
    additionalProperties: true,
  },
  sampleQuery: {
    $id: "SampleQuery",
    type: "object",
    description: "Which test numbers are wanted.",
    properties: { country: fields.country, n: fields.samples, seed: fields.seed, lang: fields.lang },
    required: ["country"],
    additionalProperties: true,
  },
  checkQuery: {
    $id: "CheckQuery",
    type: "object",
    description: "Options of a single check.",
    properties: {
      sepa: fields.sepaInQuery,
      explain: fields.explain,
      suggest: fields.suggest,
      lenient: fields.lenient,
      reason: fields.reason,
      reach: fields.reach,
      lang: fields.lang,
    },
    additionalProperties: true,
  },
  streamQuery: {
    $id: "StreamQuery",
    type: "object",
    description: "Options of a stream.",
    properties: {
      sepa: fields.sepaInQuery,
      explain: fields.explain,
      reason: fields.reason,
      reach: fields.reach,
      suggest: fields.suggest,
      lenient: fields.lenient,
      fields: fields.streamFields,
      column: fields.streamColumn,
      bic_column: fields.bicColumn,
      kontonummer_column: fields.kontonummerColumn,
      blz_column: fields.blzColumn,
      header: fields.header,
      delimiter: fields.delimiter,
      lang: fields.lang,
    },
    additionalProperties: true,
  },
  streamIbanLine: {
    $id: "StreamIbanLine",
    type: "object",
    description: "A line of a stream: an IBAN, perhaps with its BIC.",
    properties: { iban: fields.anyIban, bic: fields.bic },
    required: ["iban"],
    additionalProperties: true,
  },
  languageQuery: {
    $id: "LanguageQuery",
    type: "object",
    description: "The language of the answer.",
    properties: { lang: fields.lang },
    additionalProperties: true,
  },
  usageQuery: {
    $id: "UsageQuery",
    type: "object",
    description: "Options of the usage.",
    properties: { days: fields.days },
    additionalProperties: true,
  },
} as const satisfies Record<string, RequestSchema>;

/** A name of the table of request schemas. */
export type RequestSchemaName = keyof typeof requestSchemas;

/** What a body or query is once it fits its schema. */
export interface Requests {
  readonly accountBody: FromSchema<typeof requestSchemas.accountBody>;
  readonly ibanBody: FromSchema<typeof requestSchemas.ibanBody>;
  readonly anyIbanBody: FromSchema<typeof requestSchemas.anyIbanBody>;
  readonly batchBody: FromSchema<typeof requestSchemas.batchBody>;
  readonly searchBody: FromSchema<typeof requestSchemas.searchBody>;
  readonly searchQuery: FromSchema<typeof requestSchemas.searchQuery>;
  readonly suggestBody: FromSchema<typeof requestSchemas.suggestBody>;
  readonly extractBody: FromSchema<typeof requestSchemas.extractBody>;
  readonly bicPath: FromSchema<typeof requestSchemas.bicPath>;
  readonly bankPath: FromSchema<typeof requestSchemas.bankPath>;
  readonly composeBody: FromSchema<typeof requestSchemas.composeBody>;
  readonly sampleQuery: FromSchema<typeof requestSchemas.sampleQuery>;
  readonly checkQuery: FromSchema<typeof requestSchemas.checkQuery>;
  readonly streamQuery: FromSchema<typeof requestSchemas.streamQuery>;
  readonly streamIbanLine: FromSchema<typeof requestSchemas.streamIbanLine>;
  readonly languageQuery: FromSchema<typeof requestSchemas.languageQuery>;
  readonly usageQuery: FromSchema<typeof requestSchemas.usageQuery>;
}
