import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { exchangeOnce, ping, postBytes, requestBytes } from "../http/raw-socket.ts";
import { useMarkedService } from "./marked-service.ts";

const ceiling = 3;
const service = useMarkedService({ POOL_QUEUE: String(ceiling - 1), BODY_TIMEOUT: "9000" });

const iban = "DE89370400440532013000";
const ask = (bytes: Uint8Array) => exchangeOnce(service.port, bytes);

test("a pool takes exactly as many as it and its queue hold, then refuses every kind of check, and a place is free again when one is answered", async () => {
  const connections = await service.fill(ceiling);
  const pooled = [
    requestBytes("GET", `/v1/iban/${iban}`),
    requestBytes("GET", `/v1/iban/${iban}/COBADEFFXXX`),
    requestBytes("GET", "/v1/kto/532013000/37040044"),
    requestBytes("GET", "/v1/search?name=sparkasse"),
    postBytes("/v1/iban", JSON.stringify({ iban })),
    postBytes("/v1/iban", JSON.stringify({ ibans: [iban] })),
    postBytes("/v1/kto", "{}"),
    postBytes("/v1/search", "{}"),
  ];
  for (const request of pooled) expectError(await ask(request), "server_busy");
  await service.release(connections);
  assert.equal((await ask(requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
});

test("a full pool refuses before the body: it need not even be sent", async () => {
  const connections = await service.fill(ceiling);
  for (const path of ["/v1/iban", "/v1/kto", "/v1/search"]) {
    const headers = ["Content-Type: application/json", "Content-Length: 100000"];
    expectError(await ask(requestBytes("POST", path, { headers })), "server_busy");
    const chunked = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    expectError(await ask(requestBytes("POST", path, { headers: chunked })), "server_busy");
  }
  await service.release(connections);
});

test("a full pool affects neither errors that are found earlier nor requests that need no worker", async () => {
  const connections = await service.fill(ceiling);
  expectError(
    await ask(requestBytes("GET", `/v1/iban/${iban}`, { headers: ["X-API-Key: no"] })),
    "invalid_key",
  );
  expectError(await ask(requestBytes("GET", "/v1/nowhere")), "invalid_request");
  expectError(await ask(requestBytes("PUT", "/v1/kto")), "method_not_allowed");
  expectError(await ask(requestBytes("POST", "/v1/iban", { body: "x" })), "invalid_content_type");
  const tooLarge = ["Content-Type: application/json", "Content-Length: 131073"];
  expectError(await ask(requestBytes("POST", "/v1/iban", { headers: tooLarge })), "payload_too_large");
  assert.equal((await ask(ping)).status, 200);
  assert.equal((await ask(requestBytes("GET", "/service/openapi.json"))).status, 200);
  // A wrong field is only looked at when there is a place.
  expectError(await ask(requestBytes("GET", "/v1/iban/XX")), "server_busy");
  await service.release(connections);
  expectError(await ask(requestBytes("GET", "/v1/iban/XX")), "invalid_iban");
});

test("the connection of a refused request stays in step, its unread body included", async () => {
  const connections = await service.fill(ceiling);
  const connection = await service.send(
    postBytes("/v1/iban", JSON.stringify({ iban, filler: "f".repeat(50_000) })),
  );
  expectError(await connection.answer(), "server_busy");
  assert.equal((await connection.ask(ping)).body.toString(), '{"status":1,"message":"Pong"}');
  await service.release(connections);
  assert.equal((await connection.ask(postBytes("/v1/iban", JSON.stringify({ iban })))).status, 200);
  connection.destroy();
});

test("a request whose body ends when the pool has become full is refused then", async () => {
  const request = postBytes("/v1/iban", JSON.stringify({ iban }));
  const early = await service.send(request.subarray(0, -3));
  const connections = await service.fill(ceiling);
  expectError(await early.ask(request.subarray(-3)), "server_busy");
  early.destroy();
  await service.release(connections);
});

test("a body that is still on its way takes no place", async () => {
  const request = postBytes("/v1/iban", JSON.stringify({ iban }));
  const slow = await Promise.all(Array.from({ length: 10 }, () => service.send(request.subarray(0, -3))));
  await service.inside(0);
  assert.equal((await ask(requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
  for (const connection of slow) connection.destroy();
});

test("a client that goes away frees its place, at once where no worker has begun its request", async () => {
  const { reached } = service.gate;
  const connections = await service.fill(ceiling);
  await service.gate.reachedBy(reached + 1);
  for (const connection of connections) connection.destroy();
  // What a worker has in hand keeps its place until it is done.
  await service.inside(1);
  service.gate.open();
  await service.inside(0);
  for (let round = 0; round < 2 * ceiling; round++) {
    assert.equal((await ask(requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
  }
});
