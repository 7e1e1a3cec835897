import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, errorBody, errorCatalogue } from "../../../src/contract/errors.ts";
import { describedRoutes } from "../../../src/contract/routes.ts";
import { accountOutcomes, ibanOutcomes, type Outcome, reasons } from "../../../src/contract/status.ts";
import { operationOf, publishedDocument } from "./published.ts";

const document = publishedDocument();
const operations = describedRoutes.map((route) => ({ route, operation: operationOf(document, route) }));
const allCodes = Object.keys(errorCatalogue) as ErrorCode[];

test("the document is OpenAPI 3.1.0 for release 1.0.0", () => {
  assert.deepEqual([document.openapi, document.info.version], ["3.1.0", "1.0.0"]);
});

test("every route but those of pages is an operation under its own name, and there is no other", () => {
  for (const { route, operation } of operations) assert.equal(operation.operationId, route.operation);
  const count = Object.values(document.paths).flatMap((item) => Object.keys(item)).length;
  assert.equal(count, describedRoutes.length);
});

test("every error code is in an operation under its HTTP status, with the catalogue's example", () => {
  const documented = new Set<string>();
  for (const { operation } of operations) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (status === "200" || status === "304") continue;
      for (const code of Object.keys(content?.["application/json"]?.examples ?? {})) {
        assert.equal(String(errorCatalogue[code as ErrorCode].http_status), status, code);
        documented.add(code);
      }
    }
  }
  assert.deepEqual([...documented].sort(), allCodes.toSorted());
  for (const code of allCodes) {
    assert.deepEqual(document.components.examples[code]?.value, errorBody(code), code);
  }
});

test("only pooled routes and reports have server_busy, and only routes with a body payload_too_large", () => {
  for (const { route, operation } of operations) {
    const codes = Object.keys(operation.responses["503"]?.content?.["application/json"]?.examples ?? {});
    const isReport = ["usage", "metrics", "processes", "history"].includes(route.operation);
    assert.deepEqual(codes, route.pooled || isReport ? ["server_busy"] : [], route.operation);
    // A stream has any length; a line that is too long is an error within its answer.
    const isBounded = route.method === "POST" && route.operation !== "stream";
    assert.equal("413" in operation.responses, isBounded, route.operation);
    assert.equal(operation.requestBody !== undefined, route.method === "POST", route.operation);
  }
});

test("both ways to send the API key are described, either of which is enough, or none for an open route", () => {
  assert.deepEqual(document.security, [{ bearer: [] }, { apiKey: [] }]);
  for (const { route, operation } of operations) {
    const expected: readonly object[] | undefined = route.open ? [{}, ...document.security] : undefined;
    assert.deepEqual(operation.security, expected, route.operation);
    assert.equal("401" in operation.responses, route.open !== true, route.operation);
  }
  const { bearer, apiKey } = document.components.securitySchemes;
  assert.deepEqual([bearer?.["type"], bearer?.["scheme"]], ["http", "bearer"]);
  assert.deepEqual([apiKey?.["type"], apiKey?.["in"], apiKey?.["name"]], ["apiKey", "header", "X-API-Key"]);
});

test("every status value is explained by its reasons where it is answered, and every reason is listed", () => {
  const text = JSON.stringify(document);
  for (const reason of Object.keys(reasons)) assert.ok(text.includes(`"${reason}"`), reason);
  for (const [name, outcomes, values] of [
    ["AccountCheckAnswer", accountOutcomes, [0, 1, 2, 3, 4, 7, 8, 9]],
    ["IbanCheckAnswer", ibanOutcomes, [0, 1, 2, 3, 4, 7]],
    ["BankSearchAnswer", {}, [0, 1]],
    ["IbanBatchAnswer", {}, [1]],
    ["PingAnswer", {}, [1]],
  ] as const) {
    const properties = document.components.schemas[name]?.["properties"] as Record<string, unknown>;
    const { enum: listed, description } = properties["status"] as { enum: number[]; description: string };
    assert.deepEqual(listed, values);
    for (const { status, reason } of Object.values<Outcome>(outcomes)) {
      const line = description.split("\n").find((each) => each.startsWith(`- ${status}: `));
      assert.ok(line?.includes(reason === null ? "valid" : `\`${reason}\``), `${status} ${reason}`);
    }
  }
});

test("keywords of our own never reach the document", () => {
  const text = JSON.stringify(document);
  for (const keyword of ["errorCodes", "published", "$id", "iban-form", "bic-form"]) {
    assert.ok(!text.includes(`"${keyword}"`), keyword);
  }
});

test("no schema has the name that generators of code make of an operation and its parameter", () => {
  for (const { operation } of operations) {
    for (const { name } of operation.parameters) {
      const ofParameter = `${operation.operationId}${name}`.toLowerCase();
      const schemas = Object.keys(document.components.schemas).map((one) => one.toLowerCase());
      assert.ok(!schemas.includes(ofParameter), name);
    }
  }
});

test("answers may get further fields, and only a request says that there are none", () => {
  const closed = Object.entries(document.components.schemas)
    .filter(([, schema]) => JSON.stringify(schema).includes('"additionalProperties":false'))
    .map(([name]) => name);
  assert.deepEqual(closed, ["AccountCheckRequest"]);
});
