import { maxBatchIbans, maxSearchResults } from "../limits.ts";
import { accountOutcomes, ibanOutcomes, type Outcome, statusMeanings } from "../status.ts";
import { accountDataSchema, ibanDataSchema } from "./check-data-schemas.ts";
import { directorySchemas } from "./directory-schemas.ts";
import {
  bankBic,
  bankTown,
  component,
  count,
  enumOf,
  errorObjectSchema,
  errorSchema,
  foundStatus,
  listOf,
  objectOf,
  sentence,
  someOf,
  text,
  textLike,
  textOrNull,
  textOrNumber,
  truth,
} from "./parts.ts";
import { serviceSchemas } from "./service-schemas.ts";
import { extractSchema, omittedSchema, suggestSchema } from "./suggestion-schemas.ts";

function statusSchema(outcomes: Readonly<Record<string, Outcome>>) {
  const meanings = [...statusMeanings(outcomes)];
  const lines = meanings.map(([status, meaning]) => `- ${status}: ${meaning}`);
  return enumOf(
    meanings.map(([status]) => status),
    `Business status, with the reasons for it:\n\n${lines.join("\n")}`,
  );
}

const processed = enumOf([1], "Always 1.");
const isValid = truth("Whether status is 1.");
const ibanStatus = statusSchema(ibanOutcomes);

const batchEntry = component(
  "IbanBatchEntry",
  "The result of one entry of the batch; has error only if the entry does not have the form of an IBAN (invalid_iban).",
  {
    iban: text("The entry without spaces, in upper case; empty if it is not a string."),
    valid: isValid,
    status: ibanStatus,
    data: ibanDataSchema,
    "error?": errorObjectSchema,
  },
);

const searchItem = component("BankSearchItem", "A bank, or an additional location of it.", {
  ...bankTown,
  bank: text("Name of the bank."),
  blz: textLike("^[A-Z0-9]{1,10}$", "Bank code."),
  bic: bankBic,
  short_name: { ...textOrNull("Short name; null if not known."), minLength: 1 },
  main: truth("False for an additional location of the bank."),
  "country?": text("Country; only if the request has country or bic."),
  "bank_code?": text("Bank code; only if the request has country or bic."),
});

const line = { type: "integer", minimum: 1, description: "Line number in the body, from 1." };

export const streamMediaTypes = { ndjson: "application/x-ndjson", csv: "text/csv" };

/** Names that `fields` accepts for an answer in NDJSON. */
export const streamFieldNames: readonly string[] = [
  ...["iban", "valid", "status", "data", "error", "bic", "kto", "blz", "bank", "zip", "location", "country"],
  ...["sepa_methods", "sepa_reach", "reason", "severity", "message", "checks", "messages", "suggestions"],
  "suggestion_count",
  "edition",
];

/** An object that has further properties, which are not listed. */
const open = (schema: ReturnType<typeof component>) => ({ ...schema, additionalProperties: true });

const streamLineSchema = open(
  component(
    "StreamLine",
    "One answered line: an entry as in a batch (for an account, with the data of an account check), or an error. An error without a line concerns the whole stream.",
    {
      "line?": line,
      "id?": { ...textOrNumber, description: "The id of the line, if it has one." },
      "valid?": isValid,
      "status?": { type: "integer", description: "Business status, as in the answer to a single check." },
      "error?": errorObjectSchema,
    },
  ),
);

const countsByReason = (description: string) => ({
  type: "object",
  description,
  additionalProperties: { type: "integer", minimum: 1 },
});

const streamSummarySchema = component(
  "SummaryLine",
  "The last line of the answer; an answer without it was cut off.",
  {
    summary: objectOf({
      lines: count("Answered lines; empty lines are not answered."),
      valid: count("Numbers that are valid."),
      invalid: count("Numbers that are not valid."),
      errors: count("Lines that could not be read."),
      reasons: countsByReason("Numbers that are not valid, by reason."),
      warnings: countsByReason("Valid numbers with a warning, by reason."),
      "next_line?": {
        ...line,
        description:
          "The line to continue from in a new stream; only if the stream ended before its body: the service stops, the client sent nothing for too long, a line was too long, the body had too many blank lines or, compressed, too many lines for each byte, or the gzip is broken.",
      },
    }),
  },
);

/**
 * The schemas of every answer. A title names the schema's component in OpenAPI.
 *
 * Objects are not closed, since clients are to ignore unknown fields; tests close them. Source: interface specification,
 * sections "Resources and their fields" and "Errors".
 */
export const answerSchemas = {
  accountCheck: component(
    "AccountCheckAnswer",
    "Answer to the check of an account number with its bank code.",
    { status: statusSchema(accountOutcomes), message: sentence, data: accountDataSchema },
  ),
  ibanCheck: component("IbanCheckAnswer", "Answer to the check of one IBAN.", {
    status: ibanStatus,
    message: sentence,
    data: ibanDataSchema,
  }),
  ibanBatch: component(
    "IbanBatchAnswer",
    "Answer to the check of a batch of IBANs; each entry has its own status.",
    {
      status: processed,
      message: sentence,
      batch: objectOf({
        total: { ...count("Number of IBANs processed."), minimum: 1, maximum: maxBatchIbans },
        results: someOf(batchEntry, "One entry for each IBAN, in the order they were sent.", maxBatchIbans),
        "suggestions_omitted?": omittedSchema,
      }),
    },
  ),
  streamLine: streamLineSchema,
  streamSummary: streamSummarySchema,
  bankSearch: component("BankSearchAnswer", "Banks found, the best first.", {
    status: foundStatus,
    message: sentence,
    results: objectOf({
      count: count("Number of items returned."),
      items: listOf(searchItem, "The banks, the best first.", maxSearchResults),
      total: count("Number of matches, regardless of max."),
    }),
  }),
  suggest: suggestSchema,
  extract: extractSchema,
  ping: component("PingAnswer", "The service is reachable.", {
    status: processed,
    message: enumOf(["Pong", "Testmode - Ping"], "Which of the two was asked for."),
  }),
  ...serviceSchemas,
  openApi: open(
    component("OpenApiDocument", "This document. Source: OpenAPI Specification 3.1.0.", {
      openapi: text("Version of the OpenAPI Specification."),
      info: { type: "object" },
      paths: { type: "object" },
    }),
  ),
  ...directorySchemas,
  error: errorSchema,
};

export type AnswerSchemaName = keyof typeof answerSchemas;
