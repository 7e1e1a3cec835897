import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { ping, postBytes, requestBytes } from "../http/raw-socket.ts";
import { batchOf, checkOf, useMarkedService } from "./marked-service.ts";

const ceiling = 3;
const service = useMarkedService({ POOL_QUEUE: String(ceiling - 1), BODY_TIMEOUT: "9000" });

const iban = "DE89370400440532013000";

const json = "Content-Type: application/json";
const head = (path: string, ...headers: string[]) =>
  requestBytes("POST", path, { headers: [json, ...headers] });

/** Requests with the answer of a full pool to each: an error, or a status. */
const toFull: readonly (readonly [answer: string | number, requests: readonly Buffer[]])[] = [
  [
    "server_busy",
    [
      checkOf(iban),
      checkOf(`${iban}/COBADEFFXXX`),
      requestBytes("GET", "/v1/kto/532013000/37040044"),
      requestBytes("GET", "/v1/search?name=sparkasse"),
      postBytes("/v1/iban", JSON.stringify({ iban })),
      batchOf(iban),
      // A wrong field is only looked at when there is a place, and the body need not even be sent.
      checkOf("XX"),
      postBytes("/v1/kto", "{}"),
      postBytes("/v1/search", "{}"),
      ...["/v1/iban", "/v1/kto", "/v1/search"].flatMap((path) => [
        head(path, "Content-Length: 100000"),
        head(path, "Transfer-Encoding: chunked"),
      ]),
    ],
  ],
  ["invalid_key", [requestBytes("GET", `/v1/iban/${iban}`, { headers: ["X-API-Key: no"] })]],
  ["invalid_request", [requestBytes("GET", "/v1/nowhere")]],
  ["method_not_allowed", [requestBytes("PUT", "/v1/kto")]],
  ["invalid_content_type", [requestBytes("POST", "/v1/iban", { body: "x" })]],
  ["payload_too_large", [head("/v1/iban", "Content-Length: 131073")]],
  [200, [ping, requestBytes("GET", "/service/openapi.json")]],
];

test("a pool takes exactly as many as it and its queue hold, then refuses every kind of check before its body, and nothing else", async () => {
  const connections = await service.fill(ceiling);
  for (const [expected, requests] of toFull) {
    for (const request of requests) {
      const answer = await service.ask(request);
      if (typeof expected === "number") assert.equal(answer.status, expected);
      else expectError(answer, expected);
    }
  }
  await service.release(connections);
  assert.equal((await service.ask(checkOf(iban))).status, 200);
  expectError(await service.ask(checkOf("XX")), "invalid_iban");
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

test("a body that is still on its way takes no place, and is refused where the pool has become full when it ends", async () => {
  const request = postBytes("/v1/iban", JSON.stringify({ iban }));
  const early = await service.send(request.subarray(0, -3));
  const connections = await service.fill(ceiling);
  expectError(await early.ask(request.subarray(-3)), "server_busy");
  early.destroy();
  await service.release(connections);
});
