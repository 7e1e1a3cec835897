import type { ErrorCode } from "./errors.ts";
import { maxBatchIbans } from "./limits.ts";
import type { AnswerSchemaName } from "./schema/answer-schemas.ts";
import type { RequestSchemaName } from "./schema/request-schemas.ts";

/** A request schema, and those of its fields that have an effect here; all of them where they are not named. */
interface RequestFields {
  readonly schema: RequestSchemaName;
  readonly fields?: readonly string[];
}

/** A route as it is written below: what the server needs, and its documentation for clients. */
export interface RouteRow {
  readonly operation: string;
  /** Whether it may be called without an API key; with one it may say more. */
  readonly open?: true;
  /** Whether its path holds an account number, which proxies write to their logs; the setting GET_IBAN allows it. */
  readonly accountInPath?: true;
  /** What it is for, in words. A page has none. */
  readonly summary?: string;
  /** The schema that has the path's parameters among its fields. */
  readonly pathSchema?: RequestSchemaName;
  /** The query's schema, all of whose fields are checked. */
  readonly query?: RequestFields;
  /** Query parameters in the interface specification; absent for endpoints beyond it. */
  readonly specified?: readonly string[];
  /** Schemas of the JSON body; it must be of exactly one of them. */
  readonly bodies?: readonly RequestSchemaName[];
  /** Schemas of the answer with status 200, which is of one of them. A page has none. */
  readonly answers?: readonly AnswerSchemaName[];
  /** Schema of the answer with status 503, where that is not an error. */
  readonly unavailable?: AnswerSchemaName;
  /** Whether the answer has an ETag, and is not sent again to a client that has it. */
  readonly etag?: true;
  /** Error codes beyond those of its fields and those of every route, body or pooled route. */
  readonly errors?: readonly ErrorCode[];
}

/** Routes by method and path, with its parameters in braces. */
type RouteGroup = Readonly<Record<`${"GET" | "POST"} /${string}`, RouteRow>>;

/**
 * The routes by the group that they are shown in. All but those of "Service" are done by a worker; "Pages" are for people
 * and not part of the documented interface.
 */
export const routeGroups = {
  "Account check": {
    "GET /v1/kto/{kontonummer}/{bankleitzahl}": {
      operation: "checkAccountByPath",
      accountInPath: true,
      summary: "Check a German account number with its bank code",
      pathSchema: "accountBody",
      query: { schema: "checkQuery", fields: ["sepa", "explain", "reason", "suggest", "lang"] },
      specified: ["sepa"],
      answers: ["accountCheck"],
    },
    "POST /v1/kto": {
      operation: "checkAccountByBody",
      summary: "Check a German account number with its bank code",
      query: { schema: "checkQuery", fields: ["explain", "reason", "suggest", "lang"] },
      bodies: ["accountBody"],
      specified: [],
      answers: ["accountCheck"],
    },
  },
  "IBAN check": {
    "GET /v1/iban/{iban}": {
      operation: "checkIbanByPath",
      accountInPath: true,
      summary: "Check an IBAN",
      pathSchema: "ibanBody",
      query: { schema: "checkQuery" },
      specified: ["sepa"],
      answers: ["ibanCheck"],
    },
    "GET /v1/iban/{iban}/{bic}": {
      operation: "checkIbanAndBicByPath",
      accountInPath: true,
      summary: "Check an IBAN together with a BIC",
      pathSchema: "ibanBody",
      query: { schema: "checkQuery", fields: ["explain", "reason", "suggest", "lenient", "reach", "lang"] },
      specified: [],
      answers: ["ibanCheck"],
    },
    "POST /v1/iban": {
      operation: "checkIbanByBody",
      summary: `Check an IBAN, or a batch of 1 to ${maxBatchIbans} IBANs`,
      query: { schema: "checkQuery", fields: ["explain", "reason", "suggest", "lenient", "reach", "lang"] },
      bodies: ["ibanBody", "batchBody"],
      specified: [],
      answers: ["ibanCheck", "ibanBatch"],
      errors: ["conflicting_iban_fields"],
    },
    "POST /v1/stream": {
      operation: "stream",
      summary: "Check any number of IBANs and account numbers, one per line, and answer while they arrive",
      query: { schema: "streamQuery" },
      answers: ["streamLine", "streamSummary"],
      errors: ["invalid_content_type"],
    },
    "POST /v1/suggest": {
      operation: "suggest",
      summary: "Correct a wrong or partly unreadable IBAN",
      query: { schema: "languageQuery" },
      bodies: ["suggestBody"],
      answers: ["suggest"],
    },
    "POST /v1/extract": {
      operation: "extract",
      summary: "Find the IBANs, BICs and accounts in a text",
      query: { schema: "languageQuery" },
      bodies: ["extractBody"],
      answers: ["extract"],
    },
  },
  "Bank search": {
    "GET /v1/search": {
      operation: "searchByQuery",
      summary: "Search banks",
      query: { schema: "searchQuery" },
      specified: ["name", "location", "zip", "bankleitzahl", "max"],
      answers: ["bankSearch"],
      errors: ["missing_search_criteria"],
    },
    "POST /v1/search": {
      operation: "searchByBody",
      summary: "Search banks",
      query: { schema: "languageQuery" },
      bodies: ["searchBody"],
      specified: [],
      answers: ["bankSearch"],
      errors: ["missing_search_criteria"],
    },
    "GET /v1/bic/{bic}": {
      operation: "lookUpBic",
      etag: true,
      summary: "Look up a BIC: its parts, the bank codes that use it, and its SEPA reach",
      pathSchema: "bicPath",
      query: { schema: "languageQuery" },
      answers: ["bicLookup"],
    },
    "GET /v1/banks/{country}/{bank_code}": {
      operation: "lookUpBank",
      etag: true,
      summary: "Look up a bank by its bank code, in any country",
      pathSchema: "bankPath",
      query: { schema: "languageQuery" },
      answers: ["bankLookup"],
    },
  },
  Numbers: {
    "POST /v1/compose": {
      operation: "composeIban",
      summary: "Compose an IBAN from bank code and account number, with its national check digits",
      query: { schema: "languageQuery" },
      bodies: ["composeBody"],
      answers: ["composedIban"],
    },
    "GET /v1/sample": {
      operation: "sampleIbans",
      summary: "Make test numbers that pass every check, at existing banks",
      query: { schema: "sampleQuery" },
      answers: ["samples"],
    },
  },
  Service: {
    "GET /v1/ping": {
      operation: "ping",
      summary: "Report that the service is reachable",
      specified: [],
      answers: ["ping"],
    },
    "GET /v1/test": {
      operation: "testPing",
      summary: "Report that the service is reachable (test mode)",
      specified: [],
      answers: ["ping"],
    },
    "GET /service/data": {
      operation: "bankData",
      etag: true,
      summary: "The lists of bank data in use, by country: edition, age, rows and completeness",
      answers: ["bankData"],
    },
    "GET /service/openapi.json": {
      operation: "openApi",
      etag: true,
      summary: "The OpenAPI document of the service",
      specified: [],
      answers: ["openApi"],
    },
    "GET /service/health": {
      operation: "health",
      open: true,
      summary:
        "Whether the service is up, draining or failing; with an API key also its pool, data and version",
      answers: ["health", "state"],
    },
    "GET /service/usage": {
      operation: "usage",
      summary: "The checks counted for the calling key: today, this month and in total",
      query: { schema: "usageQuery" },
      answers: ["usage"],
      errors: ["server_busy"],
    },
    "GET /service/metrics": {
      operation: "metrics",
      summary: "Counters and current state of the process that answers, as JSON",
      answers: ["metrics"],
      errors: ["server_busy"],
    },
    "GET /service/metrics/processes": {
      operation: "processes",
      summary: "Counters and current state of every process of the service, as JSON",
      answers: ["processes"],
      errors: ["server_busy"],
    },
    "GET /service/metrics/history": {
      operation: "history",
      summary: "The work of every process in the last hour, in periods of ten seconds",
      answers: ["history"],
      errors: ["server_busy"],
    },
    "GET /service/live": {
      operation: "live",
      open: true,
      summary: "Probe: the process runs",
      answers: ["state"],
    },
    "GET /service/ready": {
      operation: "ready",
      open: true,
      summary: "Probe: 200 while requests are accepted, 503 while the service stops",
      answers: ["state"],
      unavailable: "state",
    },
  },
  Pages: {
    "GET /service/docs": { operation: "docs", open: true },
    "GET /service/console": { operation: "console", open: true },
    "GET /service/console/{asset}": { operation: "console", open: true },
  },
} as const satisfies Readonly<Record<string, RouteGroup>>;

/** Name of a group of routes. */
export type RouteTag = keyof typeof routeGroups;
