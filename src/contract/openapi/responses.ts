import { type ErrorCode, type ErrorEntry, errorBody, errorCatalogue } from "../errors.ts";
import { retryAfterSeconds } from "../limits.ts";
import type { DescribedRoute } from "../routes.ts";
import { answerSchemas, streamMediaTypes } from "../schema/answer-schemas.ts";
import type { FieldSchema } from "../schema/request-fields.ts";
import { requestSchemas } from "../schema/request-schemas.ts";
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
  const { bodies = [], query, errors = [] } = route;
  const schemas = query === undefined ? bodies : [...bodies, query.schema];
  const fields = schemas.flatMap((name) => Object.entries<FieldSchema>(requestSchemas[name].properties));
  const codes = new Set<ErrorCode>([
    ...ofEveryRoute,
    ...errors,
    ...(route.pooled ? ofEveryPooledRoute : []),
    ...(bodies.length > 0 ? ofEveryBody : []),
    ...[...pathFieldsOf(route), ...fields].flatMap(([, { errorCodes }]) => Object.values(errorCodes)),
  ]);
  if (route.open) codes.delete("invalid_key");
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

export function pathFieldsOf({ path, pathSchema }: DescribedRoute): readonly [string, FieldSchema][] {
  const fields = pathSchema === undefined ? {} : requestSchemas[pathSchema].properties;
  return Object.entries(fields).filter(([name]) => path.includes(`{${name}}`));
}

const header = (description: string, schema: object = {}, example?: string) => ({
  description,
  schema: { type: "string", ...schema },
  ...(example && { example }),
});

export const headers = {
  "X-Request-Id": header("The id of the request: the client's, or a new one."),
  "X-Data-Edition": header(
    "The edition of the bank data used, in a stream when it begins: first day of the German bank codes.",
    {},
    "2026-09-07",
  ),
  "Content-Language": header("The language of the message, if it is not English.", {}, "de"),
  "Content-Encoding": header("Where the client accepts it.", { const: "gzip" }),
  ETag: header("Identifies the version of the answer."),
  "Retry-After": header("Seconds to wait before sending the same request again.", {
    type: "integer",
    const: retryAfterSeconds,
  }),
  Allow: header("The methods allowed here.", {}, "GET"),
  "WWW-Authenticate": header("The authentication scheme.", { const: "Bearer" }),
};

type HeaderName = keyof typeof headers;

export function responsesOf(route: DescribedRoute, answerExamples: AnswerExamples): object {
  const codes = errorCodesOf(route);
  const statusOf = (code: ErrorCode) => errorCatalogue[code].http_status;
  const errors = [...new Set(codes.map(statusOf))].map((status) => [
    status,
    errorResponse(codes.filter((code) => statusOf(code) === status)),
  ]);
  return { ...successResponses(route, answerExamples), ...Object.fromEntries(errors) };
}

function successResponses(route: DescribedRoute, answerExamples: AnswerExamples): object {
  const { operation, answers = [], etag, pooled, unavailable } = route;
  const isStream = operation === "stream";
  const schemas = answers.map((name) => answerSchemas[name]);
  const content = {
    schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
    ...examplesOf(operation, ({ name }) => answerExamples[name]),
  };
  const description = schemas.map((schema) => schema.description).join(" Or: ");
  const ofTag: readonly HeaderName[] = etag ? ["ETag"] : [];
  const ofPool = [isStream ? "Content-Encoding" : "Content-Language", "X-Data-Edition"] as const;
  const unchanged = "The answer has not changed since the one that If-None-Match names.";
  return {
    200: response(
      description,
      [...ofTag, ...(pooled ? ofPool : [])],
      isStream
        ? { [streamMediaTypes.ndjson]: content, [streamMediaTypes.csv]: checkedRows }
        : { "application/json": content },
    ),
    ...(etag && { 304: response(unchanged, ofTag) }),
    ...(unavailable && {
      503: response(answerSchemas[unavailable].description, [], {
        "application/json": { schema: answerSchemas[unavailable] },
      }),
    }),
  };
}

const checkedRows = {
  schema: {
    type: "string",
    description:
      "The rows of the body with the columns that a check adds. The last chunk is one line, `# ` and a SummaryLine as JSON, instead of an HTTP trailer; an answer without it was cut off.",
  },
};

function errorResponse(codes: readonly ErrorCode[]): object {
  const own = codes.flatMap((code) => {
    const { headers: fixed = {}, header }: ErrorEntry = errorCatalogue[code];
    return [...Object.keys(fixed), ...(header === undefined ? [] : [header])] as HeaderName[];
  });
  const sentences = codes.map((code) => `\`${code}\`: ${errorBody(code).error.message}`);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return response(sentences.join("\n\n"), ["Content-Language", ...own], {
    "application/json": {
      schema: answerSchemas.error,
      examples: Object.fromEntries(examples),
    },
  });
}

function response(description: string, names: readonly HeaderName[], content?: object): object {
  const references = ["X-Request-Id", ...names].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]);
  return { description, headers: Object.fromEntries(references), ...(content && { content }) };
}
