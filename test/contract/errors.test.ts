import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, errorBody, errorCatalogue, RequestError } from "../../src/contract/errors.ts";
import { message } from "../../src/contract/message.ts";
import { specifiedErrors } from "./error-table.ts";

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test("the catalogue has the specification's table: its codes in their order, with status and field as the members say", () => {
  const specified = codes.filter((code) => Object.hasOwn(specifiedErrors, code));
  assert.deepEqual(specified, Object.keys(specifiedErrors));
  for (const code of specified) {
    const { status, field } = specifiedErrors[code]!;
    const { error } = errorBody(code);
    const { message: text } = error;
    const expected = { http_status: status, code, message: text, ...(field === undefined ? {} : { field }) };
    assert.equal(JSON.stringify(error), JSON.stringify(expected));
  }
});

test("what a raised error says of itself replaces the catalogue's message and field", () => {
  const raised = message("method_allowed", { method: "PUT", allow: "GET" });
  const { error } = errorBody("invalid_request", { message: raised, field: "f" });
  const said = "The method PUT is not allowed here; allowed: GET.";
  assert.deepEqual(Object.entries(error), [
    ["http_status", 400],
    ["code", "invalid_request"],
    ["message", said],
    ["field", "f"],
  ]);
  assert.equal(errorBody("invalid_iban", { message: raised }).error.field, "iban");
});

test("messages say what the specification asks of them", () => {
  const asked: Partial<Record<ErrorCode, RegExp>> = {
    invalid_key: /key.*not valid/,
    method_not_allowed: /not allowed/,
    batch_size_invalid: /1 to 500/,
    payload_too_large: /128 KB/,
    invalid_max: /1 and 50/,
    invalid_sepa: /0 or 1/,
  };
  for (const [code, pattern] of Object.entries(asked)) {
    assert.match(errorBody(code as ErrorCode).error.message, pattern);
  }
  for (const code of codes) assert.match(errorBody(code).error.message, /^[A-Za-z].*\.$/, code);
});

test("a RequestError is an Error with its code and detail, and costs no stack", () => {
  const plain = new RequestError("invalid_zip");
  assert.ok(plain instanceof Error);
  assert.equal(plain.code, "invalid_zip");
  assert.equal(plain.detail, undefined);
  assert.equal(plain.message, "The postal code (zip) must contain digits only.");
  assert.equal(new RequestError("invalid_request", { message: message("pong"), field: "f" }).message, "Pong");
  assert.ok(!plain.stack?.includes("\n    at "), "no frames are collected");
  assert.ok(new Error("after").stack?.includes("\n    at "), "other errors keep theirs");
});
