import { type ErrorCode, errorBody, errorCatalogue } from "../errors.ts";
import { languages } from "../language.ts";
import { maxStreamLineBytes } from "../limits.ts";
import type { RouteTag } from "../route-groups.ts";
import { type DescribedRoute, describedRoutes } from "../routes.ts";
import { type RequestSchema, requestSchemas } from "../schema/request-schemas.ts";
import { publishedField, withComponents } from "./component-schemas.ts";
import { type AnswerExamples, examplesOf } from "./examples.ts";
import { guide } from "./guide.ts";
import { headers, pathFieldsOf, responsesOf } from "./responses.ts";

/** Source: interface specification, section "Versioning". */
const interfaceVersion = "1.0.0";

const description = `Checks IBANs, BICs and German account numbers, generates German IBANs and searches banks.

Clients ignore fields they do not know.

${guide}`;

const routeTags = {
  "Account check": "Checks German account numbers with their bank code, and generates their IBAN.",
  "IBAN check":
    "Checks IBANs of all countries in the IBAN registry, one at a time, in batches or in streams.",
  "Bank search": "Searches banks of all countries, and looks up banks and BICs.",
  Numbers: "Composes IBANs from bank code and account number, and makes test numbers.",
  Service: "State, usage, metrics, bank data and interface of the service.",
} satisfies Record<Exclude<RouteTag, "Pages">, string>;

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "The API key as `Authorization: Bearer <key>`." },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "The API key in a separate header; read only if there is no bearer token.",
  },
} as const;

const parameters = {
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    required: false,
    description: `The language of messages: ${languages.join(" or ")}; ${languages[0]} by default.`,
    schema: { type: "string" },
    example: "de",
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description:
      "The client's id for the request, which the answer repeats; an id that does not fit the pattern is replaced by a new one.",
    schema: { type: "string", pattern: "^[\\w.:-]{1,64}$" },
  },
} as const;

const linesLike = (summary: string, value: string) => ({
  schema: { type: "string" },
  examples: { lines: { summary, value } },
});

const streamBody = {
  required: true,
  description: `Any number of lines, also with Content-Encoding gzip. NDJSON: strings, objects with iban and optionally bic, or with kontonummer and bankleitzahl, each optionally with an id. CSV: rows whose delimiter, header and columns are recognised or named in the query. Plain text: one IBAN per line. Empty lines are skipped; a line has at most ${maxStreamLineBytes / 1_024} KB. \`curl -X POST -T customers.csv -H 'Content-Type: text/csv' -H "X-API-Key: $KEY" "http://127.0.0.1:8080/v1/stream?column=iban" > checked.csv\``,
  content: {
    "application/x-ndjson": linesLike(
      "An IBAN, an IBAN with its BIC, and an account",
      '"DE89370400440532013000"\n{"id":7,"iban":"DE89370400440532013000","bic":"COBADEFFXXX"}\n{"id":"a","kontonummer":"532013000","bankleitzahl":"37040044"}\n',
    ),
    "text/csv": linesLike(
      "Customers with their IBANs",
      "customer;iban\n1;DE89370400440532013000\n2;GB29NWBK60161331926819\n",
    ),
    "text/plain": linesLike("Two IBANs", "DE89370400440532013000\nGB29NWBK60161331926819\n"),
  },
};

/**
 * Builds the OpenAPI document of the service out of its tables and of the answers to its examples, which the build has.
 *
 * Source: OpenAPI Specification 3.1.0, whose objects the functions here and in `responses.ts` are named after.
 */
export function openApiDocument(answerExamples: AnswerExamples = {}): object {
  const operations: Record<string, Record<string, object>> = {};
  for (const route of describedRoutes) {
    operations[route.path] ??= {};
    operations[route.path]![route.method.toLowerCase()] = operation(route, answerExamples);
  }
  const { paths, schemas } = withComponents(operations);
  const errorExamples = Object.keys(errorCatalogue).map((code) => {
    const value = errorBody(code as ErrorCode);
    return [code, { summary: value.error.message, value }];
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "bankcheck",
      version: interfaceVersion,
      summary: "Checks bank details and searches banks.",
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "Where this document was fetched from." }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: Object.entries(routeTags).map(([name, purpose]) => ({ name, description: purpose })),
    paths,
    components: {
      securitySchemes,
      schemas,
      parameters,
      headers,
      examples: Object.fromEntries(errorExamples),
    },
  };
}

function operation(route: DescribedRoute, answerExamples: AnswerExamples): object {
  const body = route.operation === "stream" ? streamBody : requestBody(route);
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    parameters: parametersOf(route),
    ...(body && { requestBody: body }),
    responses: responsesOf(route, answerExamples),
    ...(route.open && { security: [{}, { bearer: [] }, { apiKey: [] }] }),
  };
}

function requestBody({ operation, bodies }: DescribedRoute): object | undefined {
  if (bodies === undefined) return undefined;
  const schemas = bodies.map((name): RequestSchema => requestSchemas[name]);
  return {
    required: true,
    description: schemas.map((schema) => schema.description).join(" Or: "),
    content: {
      "application/json": {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        ...examplesOf(operation, ({ body }) => body),
      },
    },
  };
}

function parametersOf(route: DescribedRoute): readonly object[] {
  const { operation, query } = route;
  const fields = query === undefined ? {} : requestSchemas[query.schema].properties;
  const inQuery = Object.entries(fields).filter(([name]) => query?.fields?.includes(name) ?? true);
  const parametersIn = (place: "path" | "query", named: ReturnType<typeof pathFieldsOf>) =>
    named.map(([name, field]) => {
      const { description, ...schema } = publishedField(field);
      const examples = examplesOf(operation, ({ [place]: { [name]: value } = {} }) =>
        schema["type"] === "integer" && value !== undefined ? Number(value) : value,
      );
      return { name, in: place, required: place === "path", description, schema, ...examples };
    });
  return [
    ...parametersIn("path", pathFieldsOf(route)),
    ...parametersIn("query", inQuery),
    ...Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}
