import assert from "node:assert/strict";
import { test } from "node:test";
import { useSharedService } from "../service.ts";
import { exchangeOnce, postBytes, type RawAnswer, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const iban = "DE89370400440532013000";
const get = (path: string, ...headers: string[]): Promise<RawAnswer> =>
  exchangeOnce(service.port, requestBytes("GET", path, { headers }));

test("every answer is JSON, is not stored, and does not name the server's software", async () => {
  const answers = [
    await get("/v1/ping"),
    await get(`/v1/iban/${iban}`),
    await get("/nowhere"),
    await get("/v1/ping", "X-API-Key: no"),
    await exchangeOnce(service.port, postBytes("/v1/iban", JSON.stringify({ ibans: [iban] }))),
    await exchangeOnce(service.port, postBytes("/v1/iban", "{")),
    await exchangeOnce(service.port, requestBytes("PUT", "/v1/kto")),
  ];
  for (const { status, headers } of answers) {
    const fixed = ["content-type", "cache-control", "x-content-type-options"].map((name) =>
      headers.get(name),
    );
    assert.deepEqual(fixed, ["application/json", "no-store", "nosniff"], String(status));
    for (const name of ["content-length", "date"]) assert.ok(headers.has(name), `${name} of ${status}`);
    for (const name of ["server", "uwebsockets"]) assert.ok(!headers.has(name), `${name} of ${status}`);
  }
});

test("a client's request id is echoed where it is short and plain, otherwise a new one is made", async () => {
  const idFor = async (path: string, ...headers: readonly string[]) =>
    (await get(path, ...headers)).headers.get("x-request-id");
  for (const path of ["/v1/ping", `/v1/iban/${iban}`, "/nowhere"])
    for (const id of ["order_7:a.b-C", "a".repeat(64)])
      assert.equal(await idFor(path, `X-Request-Id: ${id}`), id);
  const made = new Set<string | undefined>();
  const odd = ["a b", "<x>", "é", "a".repeat(65), "a\tb", '"'];
  for (const id of odd) {
    const given = await idFor("/v1/ping", `X-Request-Id: ${id}`);
    assert.match(given ?? "", /^[\w.:-]{1,64}$/, id);
    made.add(given);
  }
  assert.equal(made.size, odd.length, "each new id is another");
  assert.match((await idFor("/nowhere", "X-API-Key: no")) ?? "", /^[\w.:-]+$/);
});
