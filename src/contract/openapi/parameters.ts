import type { DescribedRoute } from "../routes.ts";
import type { FieldSchema } from "../schema/request-fields.ts";
import { publishedField } from "./component-schemas.ts";
import { fieldsOf, pathParametersOf } from "./error-codes.ts";
import { examplesOf, type RequestExample } from "./request-examples.ts";

const headerParameters = [
  { $ref: "#/components/parameters/AcceptLanguage" },
  { $ref: "#/components/parameters/RequestId" },
];

/**
 * Gives the Parameter Objects of a route: those of its path, then those of its query, then the request id.
 *
 * Source: OpenAPI Specification 3.1.0, section "Parameter Object".
 */
export function parametersOf(route: DescribedRoute): readonly object[] {
  const { pathSchema, query } = route;
  const examples = examplesOf(route.operation);
  const inPath =
    pathSchema === undefined
      ? []
      : pathParametersOf(route).map((name) => parameter("path", name, fieldsOf(pathSchema)[name]!, examples));
  const inQuery =
    query === undefined
      ? []
      : query.fields.map((name) => parameter("query", name, fieldsOf(query.schema)[name]!, examples));
  return [...inPath, ...inQuery, ...headerParameters];
}

function parameter(
  place: "path" | "query",
  name: string,
  field: FieldSchema,
  examples: readonly RequestExample[],
): object {
  const { description, ...schema } = publishedField(field);
  const isNumber = schema["type"] === "integer";
  const given = examples.flatMap(({ name: example, summary, [place]: values }) => {
    const value = values?.[name];
    return value === undefined ? [] : [[example, { summary, value: isNumber ? Number(value) : value }]];
  });
  return {
    name,
    in: place,
    required: place === "path",
    description,
    schema,
    ...(given.length === 0 ? {} : { examples: Object.fromEntries(given) }),
  };
}
