import { languages } from "../messages.ts";
import { type DescribedRoute, routes, routeTags } from "../routes.ts";
import { type RequestSchema, requestSchemas } from "../schema/request-schemas.ts";
import { ComponentSchemas, parametersOf } from "./component-schemas.ts";
import { examplesOf } from "./request-examples.ts";
import { errorExamples, headers, responsesOf, streamBody } from "./responses.ts";

/** Release of the interface. Source: interface specification, section "Versioning". */
const interfaceVersion = "1.0.0";

const description = `Checks IBANs, BICs and German account numbers, generates German IBANs and searches banks.

Every request but a probe carries an API key. Every error has the one form of \`ErrorAnswer\`; when several apply, the first of these
wins: key, address, path, method, content type, size, free slots, body, fields in the order of their table. Clients
ignore fields they do not know, and keep one request in flight per connection.`;

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "The API key as `Authorization: Bearer <key>`." },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "The API key in a header of its own; only read if there is no bearer token.",
  },
} as const;

const parameters = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description:
      "An id of the client's own for the request; the answer carries it, or a new one for any other text.",
    schema: { type: "string", pattern: "^[\\w.:-]{1,64}$" },
  },
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    required: false,
    description: `The language of messages: ${languages.join(" or ")}, ${languages[0]} unless asked for another.`,
    schema: { type: "string" },
    example: "de",
  },
} as const;

/**
 * Builds the OpenAPI document of the service out of its tables: routes, request and answer schemas, error catalogue and
 * status table.
 *
 * Equal tables give an equal document. Costs a few milliseconds, so build it once. Source: OpenAPI Specification 3.1.0.
 */
export function openApiDocument(): object {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (route.isPage) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
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
      schemas: schemas.all(),
      parameters,
      headers,
      examples: errorExamples(),
    },
  };
}

/** Source: OpenAPI Specification 3.1.0, section "Operation Object". */
function operation(route: DescribedRoute, schemas: ComponentSchemas): object {
  const { bodies } = route;
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    parameters: parametersOf(route),
    ...(route.operation === "stream" ? { requestBody: streamBody } : {}),
    ...(bodies === undefined ? {} : { requestBody: requestBody(route, bodies, schemas) }),
    responses: responsesOf(route, schemas),
    ...(route.open ? { security: [{}, { bearer: [] }, { apiKey: [] }] } : {}),
  };
}

function requestBody(
  { operation }: DescribedRoute,
  bodies: NonNullable<DescribedRoute["bodies"]>,
  schemas: ComponentSchemas,
): object {
  const named: readonly RequestSchema[] = bodies.map((name) => requestSchemas[name]);
  const references = named.map((schema) => schemas.reference(schema));
  const examples = examplesOf(operation).map(({ name, summary, body }) => [name, { summary, value: body }]);
  return {
    required: true,
    description: named.map((schema) => schema.description).join(" Or: "),
    content: {
      "application/json": {
        schema: references.length === 1 ? references[0] : { oneOf: references },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
