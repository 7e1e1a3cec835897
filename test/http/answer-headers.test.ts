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
    assert.equal(headers.get("content-type"), "application/json", String(status));
    assert.equal(headers.get("cache-control"), "no-store", String(status));
    assert.equal(headers.get("x-content-type-options"), "nosniff", String(status));
    assert.ok(headers.has("content-length"), String(status));
    assert.ok(headers.has("date"), String(status));
    assert.ok(!headers.has("server") && !headers.has("uwebsockets"), [...headers.keys()].join());
  }
});

test("a client's request id is echoed where it is short and plain, otherwise a new one is made", async () => {
  for (const path of ["/v1/ping", `/v1/iban/${iban}`, "/nowhere"]) {
    const answer = await get(path, "X-Request-Id: order_7:a.b-C");
    assert.equal(answer.headers.get("x-request-id"), "order_7:a.b-C");
  }
  assert.equal(
    (await get("/v1/ping", `X-Request-Id: ${"a".repeat(64)}`)).headers.get("x-request-id"),
    "a".repeat(64),
  );
  const made = new Set<string | undefined>();
  const odd = ["a b", "<x>", "é", "a".repeat(65), "a\tb", '"'];
  for (const id of odd) {
    const given = (await get("/v1/ping", `X-Request-Id: ${id}`)).headers.get("x-request-id");
    assert.match(given ?? "", /^[\w.:-]{1,64}$/, id);
    made.add(given);
  }
  assert.equal(made.size, odd.length, "each new id is another");
  assert.match((await get("/nowhere", "X-API-Key: no")).headers.get("x-request-id") ?? "", /^[\w.:-]+$/);
});
