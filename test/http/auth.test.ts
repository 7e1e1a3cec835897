import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { otherKey, testKey, useSharedService } from "../service.ts";
import { exchangeOnce, type RawAnswer, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const withHeaders = (...headers: string[]): Promise<RawAnswer> =>
  exchangeOnce(service.port, requestBytes("GET", "/v1/ping", { headers }));

const opening: readonly (readonly string[])[] = [
  ...["Bearer", "bearer", "BEARER", "bEaReR"].map((scheme) => [`Authorization: ${scheme} ${testKey}`]),
  [`Authorization: Bearer   ${testKey}  `],
  [`authorization: Bearer ${testKey}`],
  [`X-API-Key: ${testKey}`],
  [`x-api-key:${testKey}`],
  ...[otherKey, testKey, testKey, otherKey].map((key) => [`Authorization: Bearer ${key}`]),
  // Another scheme, or one without a token, leaves the word to X-API-Key.
  ...["Basic eDp5", "Bearer"].map((other) => [`Authorization: ${other}`, `X-API-Key: ${testKey}`]),
];

test("each of several keys opens the service, as a bearer token or as X-API-Key, in any case", async () => {
  for (const headers of opening)
    assert.equal((await withHeaders(...headers)).status, 200, headers.join(", "));
});

const refused: readonly (readonly [what: string, ...headers: string[]])[] = [
  ["an empty X-API-Key", "X-API-Key:"],
  ["an empty token", "Authorization: Bearer "],
  ["no scheme", `Authorization: ${testKey}`],
  ["another scheme", `Authorization: Basic ${Buffer.from(`test:${testKey}`).toString("base64")}`],
  ["a token scheme of another name", `Authorization: Token ${testKey}`],
  ["a key that is one character longer", `X-API-Key: ${testKey}x`],
  ["a key that is one character shorter", `X-API-Key: ${testKey.slice(0, -1)}`],
  ["a key in upper case", `X-API-Key: ${testKey.toUpperCase()}`],
  ["two keys in one token", `Authorization: Bearer ${testKey} ${testKey}`],
  ["a key's name", "X-API-Key: test"],
  ["name and key", `X-API-Key: test:${testKey}`],
  ["a long key", `X-API-Key: ${"k".repeat(3_000)}`],
  ["a key that is not ASCII", `X-API-Key: ${otherKey}-äöü`],
  ["a wrong bearer token beside a right X-API-Key", "Authorization: Bearer wrong", `X-API-Key: ${testKey}`],
];

for (const [what, ...headers] of refused) {
  test(`${what} is refused with invalid_key`, async () => {
    expectError(await withHeaders(...headers), "invalid_key");
  });
}

test("a key is never accepted from the query", async () => {
  const path = `/v1/ping?api_key=${testKey}&key=${testKey}`;
  const request = requestBytes("GET", path, { headers: ["X-API-Key:"] });
  expectError(await exchangeOnce(service.port, request), "invalid_key");
});
