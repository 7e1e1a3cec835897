import type { ErrorCode } from "./errors.ts";
import { maxBatchIbans } from "./limits.ts";
import type { AnswerSchemaName } from "./schema/answer-schemas.ts";
import type { RequestSchemaName, Requests } from "./schema/request-schemas.ts";

export interface Route {
  readonly method: "GET" | "POST";
  /** Path with its parameters in braces. */
  readonly path: string;
  readonly operation: OperationName;
  /** Whether a worker does it, so that it counts against the ceiling and may be refused with server_busy. */
  readonly pooled: boolean;
  /** Whether it may be called without an API key; with one it may say more. */
  readonly open?: true;
  /** Whether its path holds an account number, which proxies write to their logs; the setting GET_IBAN allows it. */
  readonly accountInPath?: true;
  readonly summary: string;
}

/** A request schema, and those of its fields that have an effect here; all of them where they are not named. */
interface RequestFields {
  readonly schema: RequestSchemaName;
  readonly fields?: readonly string[];
}

/** One row of the route table: what the server needs, and its documentation for clients. */
export interface DescribedRoute extends Route {
  /** The group it is shown in. */
  readonly tag: RouteTag;
  /** The schema that has the path's parameters among its fields. */
  readonly pathSchema?: RequestSchemaName;
  /** The query's schema, all of whose fields are checked. */
  readonly query?: RequestFields;
  /** Query parameters in the interface specification; absent for endpoints beyond it. */
  readonly specified?: readonly string[];
  /** Schemas of the JSON body; it must be of exactly one of them. */
  readonly bodies?: readonly RequestSchemaName[];
  /** Schemas of the answer with status 200, which is of one of them. */
  readonly answers: readonly AnswerSchemaName[];
  /** Schema of the answer with status 503, where that is not an error. */
  readonly unavailable?: AnswerSchemaName;
  /** Whether the answer has an ETag, and is not sent again to a client that has it. */
  readonly etag?: true;
  /** Serves a page for people, which is not part of the documented interface. */
  readonly isPage?: true;
  /** Error codes beyond those of its fields and those of every route, body or pooled route. */
  readonly errors?: readonly ErrorCode[];
}

/** The groups of routes and what they are for. */
export const routeTags = {
  "Account check": "Checks German account numbers with their bank code, and generates their IBAN.",
  "IBAN check":
    "Checks IBANs of all countries in the IBAN registry, one at a time, in batches or in streams.",
  "Bank search": "Searches banks of all countries, and looks up banks and BICs.",
  Numbers: "Composes IBANs from bank code and account number, and makes test numbers.",
  Service: "State, usage, metrics, bank data and interface of the service.",
} as const;

/** Name of a group of routes. */
type RouteTag = keyof typeof routeTags;

/** A row as it is written below. */
type RouteRow = Omit<DescribedRoute, "operation" | "pooled" | "tag"> & {
  readonly operation: string;
  readonly pooled?: true;
};

/** The routes by the group that they are shown in. */
const groups = {
  "Account check": [
    {
      method: "GET",
      path: "/v1/kto/{kontonummer}/{bankleitzahl}",
      operation: "checkAccountByPath",
      pooled: true,
      accountInPath: true,
      summary: "Check a German account number with its bank code",
      pathSchema: "accountBody",
      query: { schema: "checkQuery", fields: ["sepa", "explain", "reason", "suggest", "lang"] },
      specified: ["sepa"],
      answers: ["accountCheck"],
    },
    {
      method: "POST",
      path: "/v1/kto",
      operation: "checkAccountByBody",
      pooled: true,
      summary: "Check a German account number with its bank code",
      query: { schema: "checkQuery", fields: ["explain", "reason", "suggest", "lang"] },
      bodies: ["accountBody"],
      specified: [],
      answers: ["accountCheck"],
    },
  ],
  "IBAN check": [
    {
      method: "GET",
      path: "/v1/iban/{iban}",
      operation: "checkIbanByPath",
      pooled: true,
      accountInPath: true,
      summary: "Check an IBAN",
      pathSchema: "ibanBody",
      query: { schema: "checkQuery" },
      specified: ["sepa"],
      answers: ["ibanCheck"],
    },
    {
      method: "GET",
      path: "/v1/iban/{iban}/{bic}",
      operation: "checkIbanAndBicByPath",
      pooled: true,
      accountInPath: true,
      summary: "Check an IBAN together with a BIC",
      pathSchema: "ibanBody",
      query: { schema: "checkQuery", fields: ["explain", "reason", "suggest", "lenient", "reach", "lang"] },
      specified: [],
      answers: ["ibanCheck"],
    },
    {
      method: "POST",
      path: "/v1/iban",
      operation: "checkIbanByBody",
      pooled: true,
      summary: `Check an IBAN, or a batch of 1 to ${maxBatchIbans} IBANs`,
      query: { schema: "checkQuery", fields: ["explain", "reason", "suggest", "lenient", "reach", "lang"] },
      bodies: ["ibanBody", "batchBody"],
      specified: [],
      answers: ["ibanCheck", "ibanBatch"],
      errors: ["conflicting_iban_fields"],
    },
    {
      method: "POST",
      path: "/v1/stream",
      operation: "stream",
      pooled: true,
      summary: "Check any number of IBANs and account numbers, one per line, and answer while they arrive",
      query: { schema: "streamQuery" },
      answers: ["streamLine", "streamSummary"],
      errors: ["invalid_content_type"],
    },
    {
      method: "POST",
      path: "/v1/suggest",
      operation: "suggest",
      pooled: true,
      summary: "Correct a wrong or partly unreadable IBAN",
      query: { schema: "languageQuery" },
      bodies: ["suggestBody"],
      answers: ["suggest"],
    },
    {
      method: "POST",
      path: "/v1/extract",
      operation: "extract",
      pooled: true,
      summary: "Find the IBANs, BICs and accounts in a text",
      query: { schema: "languageQuery" },
      bodies: ["extractBody"],
      answers: ["extract"],
    },
  ],
  "Bank search": [
    {
      method: "GET",
      path: "/v1/search",
      operation: "searchByQuery",
      pooled: true,
      summary: "Search banks",
      query: { schema: "searchQuery" },
      specified: ["name", "location", "zip", "bankleitzahl", "max"],
      answers: ["bankSearch"],
      errors: ["missing_search_criteria"],
    },
    {
      method: "POST",
      path: "/v1/search",
      operation: "searchByBody",
      pooled: true,
      summary: "Search banks",
      query: { schema: "languageQuery" },
      bodies: ["searchBody"],
      specified: [],
      answers: ["bankSearch"],
      errors: ["missing_search_criteria"],
    },
    {
      method: "GET",
      path: "/v1/bic/{bic}",
      operation: "lookUpBic",
      pooled: true,
      etag: true,
      summary: "Look up a BIC: its parts, the bank codes that use it, and its SEPA reach",
      pathSchema: "bicPath",
      query: { schema: "languageQuery" },
      answers: ["bicLookup"],
    },
    {
      method: "GET",
      path: "/v1/banks/{country}/{bank_code}",
      operation: "lookUpBank",
      pooled: true,
      etag: true,
      summary: "Look up a bank by its bank code, in any country",
      pathSchema: "bankPath",
      query: { schema: "languageQuery" },
      answers: ["bankLookup"],
    },
  ],
  Numbers: [
    {
      method: "POST",
      path: "/v1/compose",
      operation: "composeIban",
      pooled: true,
      summary: "Compose an IBAN from bank code and account number, with its national check digits",
      query: { schema: "languageQuery" },
      bodies: ["composeBody"],
      answers: ["composedIban"],
    },
    {
      method: "GET",
      path: "/v1/sample",
      operation: "sampleIbans",
      pooled: true,
      summary: "Make test numbers that pass every check, at existing banks",
      query: { schema: "sampleQuery" },
      answers: ["samples"],
    },
  ],
  Service: [
    {
      method: "GET",
      path: "/v1/ping",
      operation: "ping",
      summary: "Report that the service is reachable",
      specified: [],
      answers: ["ping"],
    },
    {
      method: "GET",
      path: "/v1/test",
      operation: "testPing",
      summary: "Report that the service is reachable (test mode)",
      specified: [],
      answers: ["ping"],
    },
    {
      method: "GET",
      path: "/service/data",
      operation: "bankData",
      etag: true,
      summary: "The lists of bank data in use, by country: edition, age, rows and completeness",
      answers: ["bankData"],
    },
    {
      method: "GET",
      path: "/service/openapi.json",
      operation: "openApi",
      etag: true,
      summary: "The OpenAPI document of the service",
      specified: [],
      answers: ["openApi"],
    },
    {
      method: "GET",
      path: "/service/health",
      operation: "health",
      open: true,
      summary:
        "Whether the service is up, draining or failing; with an API key also its pool, data and version",
      answers: ["state", "health"],
    },
    {
      method: "GET",
      path: "/service/usage",
      operation: "usage",
      summary: "The checks counted for the calling key: today, this month and in total",
      query: { schema: "usageQuery" },
      answers: ["usage"],
      errors: ["server_busy"],
    },
    {
      method: "GET",
      path: "/service/metrics",
      operation: "metrics",
      summary: "Counters and current state of the process that answers, as JSON",
      answers: ["metrics"],
      errors: ["server_busy"],
    },
    {
      method: "GET",
      path: "/service/metrics/processes",
      operation: "processes",
      summary: "Counters and current state of every process of the service, as JSON",
      answers: ["processes"],
      errors: ["server_busy"],
    },
    {
      method: "GET",
      path: "/service/metrics/history",
      operation: "history",
      summary: "The work of every process in the last hour, in periods of ten seconds",
      answers: ["history"],
      errors: ["server_busy"],
    },
    {
      method: "GET",
      path: "/service/live",
      operation: "live",
      open: true,
      summary: "Probe: the process runs",
      answers: ["state"],
    },
    {
      method: "GET",
      path: "/service/ready",
      operation: "ready",
      open: true,
      summary: "Probe: 200 while requests are accepted, 503 while the service stops",
      answers: ["state"],
      unavailable: "state",
    },
    {
      method: "GET",
      path: "/service/docs",
      operation: "docs",
      open: true,
      summary: "The reference as a page, with a form for every endpoint",
      answers: [],
      isPage: true,
    },
    {
      method: "GET",
      path: "/service/console",
      operation: "console",
      open: true,
      summary: "The console: checks in the browser",
      answers: [],
      isPage: true,
    },
    {
      method: "GET",
      path: "/service/console/{asset}",
      operation: "console",
      open: true,
      summary: "The files of the console",
      answers: [],
      isPage: true,
    },
  ],
} as const satisfies Readonly<Record<RouteTag, readonly RouteRow[]>>;

type Row = (typeof groups)[RouteTag][number];

/** Name of the operation of a route; the server finds the handler by it. */
export type OperationName = Row["operation"];

/** Name of an operation that reads its query. */
export type QueriedOperationName = Extract<Row, { readonly query: object }>["operation"];

/** A valid query of an operation. */
export type QueryOf<Name extends QueriedOperationName> = Requests[Extract<
  Row,
  { readonly operation: Name; readonly query: object }
>["query"]["schema"]];

/** Name of an operation that a worker does in one task; the pool finds the task by it. */
export type PooledOperationName = Exclude<Extract<Row, { readonly pooled: true }>["operation"], "stream">;

/**
 * The table of routes: routing, `Allow`, README and OpenAPI are made from it.
 *
 * Source: interface specification, section "Endpoints".
 */
export const routes: readonly DescribedRoute[] = Object.entries(groups).flatMap(([tag, group]) =>
  group.map((row) => ({ pooled: false, tag: tag as RouteTag, ...row })),
);

/** The row of each operation, with the names of its schemas. */
export const routeOf = Object.fromEntries(routes.map((row) => [row.operation, row])) as unknown as {
  readonly [One in Row as One["operation"]]: One;
};

/** The operations that a worker does in one task. */
export const pooledOperations = routes
  .filter(({ pooled, operation }) => pooled && operation !== "stream")
  .map(({ operation }) => operation as PooledOperationName);
