import { type ErrorCode, errorCatalogue } from "../errors.ts";
import type { DescribedRoute } from "../routes.ts";
import type { FieldSchema } from "../schema/request-fields.ts";
import { type RequestSchema, type RequestSchemaName, requestSchemas } from "../schema/request-schemas.ts";

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
 * Gives the error codes that a route may answer with, in the order of the catalogue.
 *
 * They follow from what the route takes: the codes of its fields, of any body, of the pool, and its own. Some of every
 * route's are only raised before the service, by a web server in front of it.
 */
export function errorCodesOf(route: DescribedRoute): readonly ErrorCode[] {
  const { bodies = [], pathSchema, query, errors = [] } = route;
  const codes = new Set<ErrorCode>([...ofEveryRoute, ...errors]);
  if (route.open) codes.delete("invalid_key");
  if (route.pooled) addAll(codes, ofEveryPooledRoute);
  if (bodies.length > 0) addAll(codes, ofEveryBody);
  if (pathSchema !== undefined) {
    for (const name of pathParametersOf(route)) addAll(codes, codesOf(fieldsOf(pathSchema)[name]));
  }
  for (const name of query === undefined ? bodies : [...bodies, query.schema]) {
    for (const field of Object.values(fieldsOf(name))) addAll(codes, codesOf(field));
  }
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Gives the names of a route's path parameters, in order. */
export function pathParametersOf({ path }: DescribedRoute): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Gives the fields of a request schema by name. */
export function fieldsOf(name: RequestSchemaName): Readonly<Record<string, FieldSchema>> {
  const schema: RequestSchema = requestSchemas[name];
  return schema.properties;
}

function codesOf(field: FieldSchema | undefined): readonly ErrorCode[] {
  return field === undefined ? [] : Object.values(field.errorCodes);
}

function addAll(codes: Set<ErrorCode>, more: readonly ErrorCode[]): void {
  for (const code of more) codes.add(code);
}
