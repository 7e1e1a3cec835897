import assert from "node:assert/strict";
import { test } from "node:test";
import { origins, useSharedService } from "../service.ts";
import { exchangeOnce, requestBytes } from "./raw-socket.ts";

const [page = ""] = origins;
const service = useSharedService();

const ask = (method: string, path: string, ...headers: readonly string[]) =>
  exchangeOnce(service.port, requestBytes(method, path, { headers: [...headers] }));
const preflight = "Access-Control-Request-Method: POST";

test("a preflight request of a listed origin is answered without a key", async () => {
  const answer = await ask("OPTIONS", "/v1/iban", `Origin: ${page}`, preflight, "X-API-Key: none");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("access-control-allow-origin"), page);
  assert.equal(answer.headers.get("vary"), "Origin");
  assert.match(answer.headers.get("access-control-allow-headers") ?? "", /Authorization.*Content-Type/);
  assert.equal(answer.body.length, 0);
});

test("scripts of a listed origin may read answers, errors and streams, and send packed bodies", async () => {
  const { headers } = await ask("OPTIONS", "/v1/stream", `Origin: ${page}`, preflight);
  assert.match(headers.get("access-control-allow-headers") ?? "", /\bContent-Encoding\b/);
  for (const [method, path, status] of [
    ["GET", "/v1/ping", 200],
    ["GET", "/v1/iban/DE89370400440532013000", 200],
    ["GET", "/v1/nowhere", 400],
    ["POST", "/v1/stream", 200],
  ] as const) {
    const answer = await ask(method, path, `Origin: ${page}`, "Content-Type: text/plain");
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get("access-control-allow-origin"), page);
    assert.match(answer.headers.get("access-control-expose-headers") ?? "", /Retry-After/);
  }
});

test("other origins, and requests without one, get the answers they get without the setting", async () => {
  for (const origin of ["https://shop.example.evil", "https://SHOP.example", "null", "*"]) {
    const answer = await ask("OPTIONS", "/v1/iban", `Origin: ${origin}`, preflight);
    assert.ok(answer.status === 401 || answer.status === 405, String(answer.status));
    assert.equal(answer.headers.get("access-control-allow-origin"), undefined);
  }
  const answer = await ask("GET", "/v1/ping");
  assert.equal(answer.headers.get("vary"), undefined);
});
