import assert from "node:assert/strict";
import type { RawAnswer } from "../http/raw-socket.ts";

interface SpecifiedError {
  readonly status: number;
  readonly field?: string;
}

/** The table of the interface specification, section "Errors", copied row by row. */
export const specifiedErrors: Readonly<Record<string, SpecifiedError>> = {
  invalid_key: { status: 401 },
  invalid_iban: { status: 400, field: "iban" },
  invalid_bic: { status: 400, field: "bic" },
  invalid_kontonummer: { status: 400, field: "kontonummer" },
  invalid_blz: { status: 400, field: "bankleitzahl" },
  batch_size_invalid: { status: 400 },
  invalid_batch_ibans: { status: 400, field: "ibans" },
  conflicting_iban_fields: { status: 400 },
  invalid_content_type: { status: 400 },
  payload_too_large: { status: 413 },
  invalid_zip: { status: 400, field: "zip" },
  invalid_json: { status: 400 },
  missing_search_criteria: { status: 400 },
  invalid_max: { status: 400, field: "max" },
  invalid_sepa: { status: 400, field: "sepa" },
  invalid_request: { status: 400 },
  method_not_allowed: { status: 405 },
  forbidden: { status: 403 },
  not_found: { status: 404 },
  internal_error: { status: 500 },
  checker_failed: { status: 500 },
  server_busy: { status: 503 },
  configuration_error: { status: 500 },
};

/**
 * Asserts that an answer is the error of a code: HTTP status, header fields, and the error object with exactly the
 * specified members in their order. `field` is expected only where the table or the caller names one.
 */
export function expectError(answer: RawAnswer, code: string, field = specifiedErrors[code]?.field): void {
  const expected = specifiedErrors[code];
  assert.ok(expected, `${code} is in the specification`);
  const text = answer.body.toString("utf8");
  const seen = `${answer.status} ${text}`;
  assert.equal(answer.status, expected.status, seen);
  assert.equal(answer.headers.get("content-type"), "application/json", seen);
  const message = errorMessage(answer);
  assert.ok(typeof message === "string" && message !== "", seen);
  const error = { http_status: expected.status, code, message, field };
  assert.equal(JSON.stringify(JSON.parse(text)), JSON.stringify({ error }), seen);
  assert.equal(answer.headers.get("www-authenticate"), code === "invalid_key" ? "Bearer" : undefined, seen);
  assert.equal(answer.headers.get("retry-after"), code === "server_busy" ? "2" : undefined, seen);
  assert.equal(answer.headers.has("allow"), code === "method_not_allowed", seen);
}

export function errorMessage(answer: RawAnswer): string {
  return (JSON.parse(answer.body.toString("utf8")) as { error: { message: string } }).error.message;
}
