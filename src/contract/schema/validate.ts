import { Ajv, type ErrorObject } from "ajv";
import { isBic, normaliseBic } from "../../banking/bic.ts";
import { isFormalIban, normaliseIban } from "../../banking/iban/normalise.ts";
import { RequestError } from "../errors.ts";
import { type Message, message } from "../message.ts";
import type { Requests } from "../request-types.ts";
import type { FieldSchema } from "./request-fields.ts";
import { type RequestSchema, type RequestSchemaName, requestSchemas } from "./request-schemas.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body into an object; an empty body is an empty object.
 *
 * Throws invalid_request if it is not JSON in UTF-8 (a byte order mark is skipped), invalid_json if it is JSON
 * but not an object.
 */
export function parseJsonObject(body: Uint8Array): Readonly<Record<string, unknown>> {
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw new RequestError("invalid_request", { message: message("body_not_json") });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RequestError("invalid_json");
  return value as Readonly<Record<string, unknown>>;
}

const ajv = new Ajv({ allErrors: true, keywords: ["errorCodes", "published"] });
ajv.addFormat("iban-form", { type: "string", validate: (text: string) => isFormalIban(normaliseIban(text)) });
ajv.addFormat("bic-form", { type: "string", validate: (text: string) => isBic(normaliseBic(text)) });
ajv.addKeyword({
  keyword: "maxCount",
  type: "string",
  validate: (max: number, text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= max,
});

// Each is compiled when it is first used: a thread needs a few of them.
for (const [name, schema] of Object.entries(requestSchemas)) ajv.addSchema(schema, name, false, false);

/**
 * Checks a body or query against its schema.
 *
 * Throws a RequestError with the code and field of the first field, in the order of the specification's tables, that
 * does not fit; a property that the schema does not allow is invalid_request naming it.
 */
export function validate<Name extends RequestSchemaName>(
  name: Name,
  value: Readonly<Record<string, unknown>>,
): asserts value is Requests[Name] {
  const check = ajv.getSchema(name)!;
  if (check(value)) return;
  throw firstError(requestSchemas[name], value, check.errors ?? []);
}

function firstError(
  schema: RequestSchema,
  value: Readonly<Record<string, unknown>>,
  errors: readonly ErrorObject[],
): RequestError {
  for (const [field, fieldSchema] of Object.entries<FieldSchema>(schema.properties)) {
    const error = errors.find((candidate) => fieldOf(candidate) === field);
    if (error === undefined) continue;
    const code = fieldSchema.errorCodes[error.keyword] ?? fieldSchema.errorCodes.any;
    const isNumber = error.keyword === "type" && typeof value[field] === "number";
    if (code !== "invalid_request" && !isNumber) return new RequestError(code);
    const fault = isNumber ? message("field_text", { field }) : faultOf(field, fieldSchema, error);
    return new RequestError(code, { field, message: fault });
  }
  const unknown = errors.find((error) => error.keyword === "additionalProperties");
  const field = String(unknown?.params["additionalProperty"]);
  return new RequestError("invalid_request", {
    field,
    message: message("body_property_unknown"),
  });
}

function faultOf(field: string, { enum: values, published }: FieldSchema, { keyword }: ErrorObject): Message {
  if (keyword === "required") return message("field_missing", { field });
  const { minimum: min, maximum: max } = published ?? {};
  if (typeof min === "number" && typeof max === "number")
    return message("field_between", { field, min, max });
  const [first, second, third] = (values ?? []) as readonly string[];
  return first === undefined || second === undefined || third !== undefined
    ? message("field_invalid", { field })
    : message("field_either", { field, first, second });
}

function fieldOf(error: ErrorObject): string | undefined {
  if (error.keyword === "required") return String(error.params["missingProperty"]);
  return error.instancePath.split("/")[1];
}
