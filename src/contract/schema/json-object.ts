import { RequestError } from "../errors.ts";
import { message } from "../message.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body into an object; an empty body is an empty object.
 *
 * Throws invalid_request where it is not JSON in UTF-8 (a byte order mark is skipped), invalid_json where it is JSON
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
