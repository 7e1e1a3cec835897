import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError } from "../../../src/contract/errors.ts";
import type { RequestSchemaName } from "../../../src/contract/schema/request-schemas.ts";
import { parseJsonObject, validate } from "../../../src/contract/schema/validate.ts";

/** Code, field and sentence of the refusal; undefined if there is none. */
function refusalOf(act: () => unknown) {
  try {
    act();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RequestError, String(error));
    const { code, detail, message } = error;
    return [code, detail?.field, detail?.message === undefined ? "" : message];
  }
}

test("a body is JSON in UTF-8 and an object, and an empty one has no fields", () => {
  const parsed = (bytes: string | Uint8Array) => parseJsonObject(Buffer.from(bytes));
  assert.deepEqual(parsed(""), {});
  assert.deepEqual(parsed('\ufeff{"a":"ü"}'), { a: "ü" });
  const refused = (body: string | Uint8Array) => refusalOf(() => parsed(body));
  for (const body of ["{", " ", Uint8Array.of(0x22, 0xff, 0x22)])
    assert.deepEqual(refused(body), ["invalid_request", undefined, "The request body is not valid JSON."]);
  for (const body of ["null", "7", "[]", '"a"'])
    assert.deepEqual(refused(body), ["invalid_json", undefined, ""], body);
});

const account = { kontonummer: "1", bankleitzahl: "37040044" };
const iban = "DE89370400440532013000";

test("the first field that does not fit, in the order of its table, has its own code, or is named with what fits", () => {
  type Case = readonly [RequestSchemaName, object, code: string, field?: string, says?: string];
  const quoted = "iban must be a text in quotation marks: a number loses its leading zeros.";
  const offset = "offset must be a number from 0 to 1000.";
  const cases: readonly Case[] = [
    ["ibanBody", {}, "invalid_iban"],
    ["ibanBody", { iban: 7 }, "invalid_iban", "iban", quoted],
    ["ibanBody", { iban: "DE" }, "invalid_iban"],
    ["ibanBody", { bic: "x", iban: "DE" }, "invalid_iban"],
    ["ibanBody", { iban, bic: "x" }, "invalid_bic"],
    ["accountBody", { ...account, sepa: 2 }, "invalid_sepa"],
    ["accountBody", { sepa: 2, bankleitzahl: "x", kontonummer: "x", y: 1 }, "invalid_kontonummer"],
    ["accountBody", { ...account, y: 1 }, "invalid_request", "y", "The body contains an unknown property."],
    ["batchBody", { ibans: [] }, "batch_size_invalid"],
    ["batchBody", { ibans: {} }, "invalid_batch_ibans"],
    ["checkQuery", { reason: "2" }, "invalid_request", "reason", "reason must be 0 or 1."],
    ["composeBody", {}, "invalid_request", "country", "country is required."],
    ["searchQuery", { name: "a", offset: "-1" }, "invalid_request", "offset", offset],
    ...["0", "51", "x1", "1e1", "+5"].map(
      (max) => ["searchQuery", { name: "a", max }, "invalid_max"] as const,
    ),
  ];
  for (const [schema, value, code, field, says = ""] of cases) {
    const refused = refusalOf(() => validate(schema, value as Record<string, unknown>));
    assert.deepEqual(refused, [code, field, says], `${schema} ${JSON.stringify(value)}`);
  }
  for (const max of ["1", "50"]) validate("searchQuery", { name: "a", max });
});
