import { type ErrorCode, type ErrorEntry, errorCatalogue, errorMessage } from "../errors.ts";
import { retryAfterSeconds } from "../limits.ts";
import { textOf } from "../message.ts";
import type { DescribedRoute } from "../routes.ts";
import { type AnswerSchemaName, answerSchemas, streamMediaTypes } from "../schema/answer-schemas.ts";
import type { FieldSchema } from "../schema/request-fields.ts";
import { type RequestSchemaName, requestSchemas } from "../schema/request-schemas.ts";
import type { ComponentSchemas } from "./component-schemas.ts";
import { type AnswerExamples, examplesOf } from "./examples.ts";

const ofEveryRoute: readonly ErrorCode[] = [
  "invalid_key",
  "invalid_request",
  "method_not_allowed",
  "forbidden",
  "not_found",
  "internal_error",
  "configuration_error",
];

const ofEveryBody: readonly ErrorCode[] = ["invalid_content_type", "payload_too_large", "invalid_json"];

const ofEveryPooledRoute: readonly ErrorCode[] = ["checker_failed", "server_busy"];

/**
 * Returns the error codes that a route may answer with, in the order of the catalogue.
 *
 * They follow from what the route takes: the codes of its fields, of any body, of the pool, and its own. Some of every
 * route's are only raised before the service, by a web server in front of it.
 */
export function errorCodesOf(route: DescribedRoute): readonly ErrorCode[] {
  const { bodies = [], pathSchema, query, errors = [] } = route;
  const inPath =
    pathSchema === undefined ? [] : pathParametersOf(route).map((name) => fieldsOf(pathSchema)[name]!);
  const schemas = query === undefined ? bodies : [...bodies, query.schema];
  const fields = [...inPath, ...schemas.flatMap((name) => Object.values(fieldsOf(name)))];
  const codes = new Set<ErrorCode>([
    ...ofEveryRoute,
    ...errors,
    ...(route.pooled ? ofEveryPooledRoute : []),
    ...(bodies.length > 0 ? ofEveryBody : []),
    ...fields.flatMap(({ errorCodes }) => Object.values(errorCodes)),
  ]);
  if (route.open) codes.delete("invalid_key");
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Returns the names of a route's path parameters, in order. */
export function pathParametersOf({ path }: DescribedRoute): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Returns the fields of a request schema by name. */
export function fieldsOf(name: RequestSchemaName): Readonly<Record<string, FieldSchema>> {
  return requestSchemas[name].properties;
}

/** The Header Objects that responses refer to. Source: OpenAPI Specification 3.1.0, section "Header Object". */
export const headers = {
  "X-Request-Id": {
    description: "The id of the request: the client's, or a new one.",
    schema: { type: "string" },
  },
  "X-Data-Edition": {
    description:
      "The edition of the bank data used, in a stream when it begins: first day of the German bank codes.",
    schema: { type: "string" },
    example: "2026-09-07",
  },
  "Content-Language": {
    description: "The language of the message, if it is not English.",
    schema: { type: "string" },
    example: "de",
  },
  "Content-Encoding": {
    description: "Where the client accepts it.",
    schema: { type: "string", const: "gzip" },
  },
  ETag: { description: "Identifies the version of the answer.", schema: { type: "string" } },
  "Retry-After": {
    description: "Seconds to wait before sending the same request again.",
    schema: { type: "integer", const: retryAfterSeconds },
  },
  Allow: { description: "The methods allowed here.", schema: { type: "string" }, example: "GET" },
  "WWW-Authenticate": {
    description: "The authentication scheme.",
    schema: { type: "string", const: "Bearer" },
  },
} as const;

type HeaderName = keyof typeof headers;

/**
 * Returns the Responses Object of a route: its answers with their examples, then its errors by HTTP status.
 *
 * Source: OpenAPI Specification 3.1.0, section "Responses Object".
 */
export function responsesOf(
  route: DescribedRoute,
  schemas: ComponentSchemas,
  answerExamples: AnswerExamples,
): object {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    const { http_status } = errorCatalogue[code];
    statuses.set(http_status, [...(statuses.get(http_status) ?? []), code]);
  }
  const errors = [...statuses].map(([status, codes]) => [status, errorResponse(codes, schemas)]);
  return { ...successResponses(route, schemas, answerExamples), ...Object.fromEntries(errors) };
}

function streamContent(content: object): object {
  return {
    [streamMediaTypes.ndjson]: content,
    [streamMediaTypes.csv]: {
      schema: {
        type: "string",
        description:
          "The rows of the body with the columns that a check adds. The last chunk is one line, `# ` and a SummaryLine as JSON, instead of an HTTP trailer; an answer without it was cut off.",
      },
    },
  };
}

function successResponses(
  route: DescribedRoute,
  schemas: ComponentSchemas,
  answerExamples: AnswerExamples,
): object {
  const { operation, answers, unavailable } = route;
  const examples = examplesOf(operation).map(({ name, summary }) => [
    name,
    { summary, value: answerExamples[name] },
  ]);
  const references = answers.map((name) => schemas.reference(answerSchemas[name]));
  const content = {
    schema: references.length === 1 ? references[0] : { anyOf: references },
    ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
  };
  const description = answers.map((name) => answerSchemas[name].description).join(" Or: ");
  const own: readonly HeaderName[] = [
    ...(route.etag ? (["ETag"] as const) : []),
    ...(operation === "stream"
      ? (["Content-Encoding", "X-Data-Edition"] as const)
      : route.pooled
        ? (["Content-Language", "X-Data-Edition"] as const)
        : []),
  ];
  return {
    200: {
      description,
      headers: headerReferences(["X-Request-Id", ...own]),
      content: operation === "stream" ? streamContent(content) : { "application/json": content },
    },
    ...(route.etag
      ? {
          304: {
            description: "The answer has not changed since the one that If-None-Match names.",
            headers: headerReferences(["X-Request-Id", "ETag"]),
          },
        }
      : {}),
    ...(unavailable === undefined ? {} : { 503: unavailableResponse(unavailable, schemas) }),
  };
}

function unavailableResponse(name: AnswerSchemaName, schemas: ComponentSchemas): object {
  return {
    description: answerSchemas[name].description,
    headers: headerReferences(["X-Request-Id"]),
    content: { "application/json": { schema: schemas.reference(answerSchemas[name]) } },
  };
}

function errorResponse(codes: readonly ErrorCode[], schemas: ComponentSchemas): object {
  const own = codes.flatMap(headersOfError);
  return {
    description: codes.map((code) => `\`${code}\`: ${textOf(errorMessage(code), "en")}`).join("\n\n"),
    headers: headerReferences(["X-Request-Id", "Content-Language", ...own]),
    content: {
      "application/json": {
        schema: schemas.reference(answerSchemas.error),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function headersOfError(code: ErrorCode): readonly HeaderName[] {
  const { headers: fixed = {}, header }: ErrorEntry = errorCatalogue[code];
  return [...Object.keys(fixed), ...(header === undefined ? [] : [header])] as HeaderName[];
}

function headerReferences(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
