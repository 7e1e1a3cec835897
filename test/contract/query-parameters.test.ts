import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError } from "../../src/contract/errors.ts";
import { textOf } from "../../src/contract/message.ts";
import { refuseUnknownParameters } from "../../src/contract/query-parameters.ts";
import { describedRoutes } from "../../src/contract/routes.ts";
import { requestSchemas } from "../../src/contract/schema/request-schemas.ts";

type Operation = (typeof describedRoutes)[number]["operation"];

function refusal(operation: Operation, query: string): readonly [field: string, sentence: string] | null {
  try {
    refuseUnknownParameters(operation, query);
    return null;
  } catch (error) {
    assert.ok(error instanceof RequestError && error.code === "invalid_request", String(error));
    return [error.detail?.field ?? "", textOf(error.detail!.message!, "en")];
  }
}

test("every parameter of an endpoint is accepted, also percent-encoded and in any place", () => {
  for (const { operation, query } of describedRoutes) {
    const names = Object.keys(query === undefined ? {} : requestSchemas[query.schema].properties);
    for (const name of [...names, "lang", "explain"]) {
      const encoded = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
      assert.equal(refusal(operation, `&${name}=a%3Db&${encoded}=&=&`), null, `${operation} ${name}`);
    }
  }
});

test("an endpoint of our own refuses any other parameter, and names a known one", () => {
  const own = describedRoutes.filter(({ specified }) => specified === undefined);
  assert.ok(own.length > 10);
  for (const { operation } of own) {
    for (const name of ["bank_code", "EXPLAIN", "x", "constructor", "e".repeat(10_000)]) {
      const [field, sentence] = refusal(operation, `lang=de&${name}=1`) ?? [];
      assert.equal(field, name, operation);
      assert.match(sentence!, /\bexplain\b/, operation);
    }
  }
  for (const [operation, written, meant] of [
    ["sampleIbans", "county", "country"],
    ["sampleIbans", "lnag", "lang"],
    ["searchByQuery", "ofst", "offset"],
    // Two letters from reason, one from reach.
    ["checkIbanByPath", "reacn", "reach"],
  ] as const) {
    const sentence = `There is no query parameter ${written} here. Did you mean ${meant}?`;
    assert.deepEqual(refusal(operation, `${written}=1`), [written, sentence]);
  }
});

test("an endpoint of the specification refuses only a slip in the name of an extension", () => {
  for (const { operation, specified } of describedRoutes.filter((route) => route.specified !== undefined)) {
    assert.match(refusal(operation, "expalin=1")?.[1] ?? "", /Did you mean explain\?/, operation);
    const alike = specified!.map((name) => `${name}x=1`);
    for (const ignored of ["foo=1", "api_key=x", "_=1700000000", "x", ...alike])
      assert.equal(refusal(operation, ignored), null, `${operation} ${ignored}`);
  }
});

test("a page is opened with any parameter", () => {
  assert.equal(refusal("console", "utm_source=mail"), null);
});

test("of a query with thousands of parameters the first hundred are looked at", () => {
  const behind = (count: number) => () =>
    refuseUnknownParameters("composeIban", `${"&".repeat(count)}expalin=1`);
  assert.throws(behind(99), { code: "invalid_request" });
  assert.doesNotThrow(behind(100));
});
