import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, errorBody, errorCatalogue, RequestError } from "../../src/contract/errors.ts";
import { specifiedErrors } from "./error-table.ts";

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test("the catalogue is the specification's table: the same codes in the same order, status and field", () => {
  assert.deepEqual(codes, Object.keys(specifiedErrors));
  for (const code of codes) {
    const { error } = errorBody(code);
    assert.equal(error.http_status, specifiedErrors[code]?.status, code);
    assert.equal(error.field, specifiedErrors[code]?.field, code);
  }
});

test("an error object has its members in the specified order, the field only where there is one", () => {
  for (const code of codes) {
    const field = specifiedErrors[code]?.field;
    const members = ["http_status", "code", "message", ...(field === undefined ? [] : ["field"])];
    assert.deepEqual(Object.keys(errorBody(code).error), members);
    assert.deepEqual(Object.keys(errorBody(code, { field: "x", message: "y" }).error), [
      "http_status",
      "code",
      "message",
      "field",
    ]);
  }
});

test("what a raised error says of itself replaces the catalogue's message and field", () => {
  const { error } = errorBody("invalid_request", { message: "m", field: "f" });
  assert.deepEqual(error, { http_status: 400, code: "invalid_request", message: "m", field: "f" });
  assert.equal(errorBody("invalid_iban", { message: "m" }).error.field, "iban");
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
    assert.match(errorCatalogue[code as ErrorCode].message, pattern);
  }
  for (const code of codes) assert.match(errorCatalogue[code].message, /^[A-Za-z].*\.$/, code);
});

test("a RequestError is an Error with its code and detail, and costs no stack", () => {
  const plain = new RequestError("invalid_zip");
  assert.ok(plain instanceof Error);
  assert.equal(plain.code, "invalid_zip");
  assert.equal(plain.detail, undefined);
  assert.equal(plain.message, errorCatalogue.invalid_zip.message);
  assert.equal(new RequestError("invalid_request", { message: "m", field: "f" }).message, "m");
  assert.ok(!plain.stack?.includes("\n    at "), "no frames are collected");
  assert.ok(new Error("after").stack?.includes("\n    at "), "other errors keep theirs");
});
