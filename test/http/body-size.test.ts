import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { useSharedService } from "../service.ts";
import {
  chunkOf,
  exchangeOnce,
  ping,
  postBytes,
  postInChunks,
  RawConnection,
  requestBytes,
} from "./raw-socket.ts";

const service = useSharedService();

const limit = 131_072;
const iban = "DE89370400440532013000";
const jsonHeaders = ["Content-Type: application/json"];

/** An object that is exactly `length` bytes of JSON, filled with what no endpoint but the batch looks at. */
const bodyOf = (length: number, start: string) => `${`${start},"filler":"`.padEnd(length - 2, "f")}"}`;

/** Sends a body with its length declared, and in chunks of some sizes. */
const inEachForm = (path: string, body: string) =>
  [postBytes(path, body), ...[4_096, 65_536, body.length].map((size) => postInChunks(path, body, size))].map(
    (request) => exchangeOnce(service.port, request),
  );

test("a body of exactly 128 KB is taken, declared or in chunks", async () => {
  for (const start of [`{"iban":"${iban}"`, `{"ibans":["${iban}"]`]) {
    const body = bodyOf(limit, start);
    assert.equal(Buffer.byteLength(body), limit);
    for (const answer of inEachForm("/v1/iban", body)) assert.equal((await answer).status, 200);
  }
});

const tooLarge = bodyOf(limit + 1, `{"iban":"${iban}"`);

test("one byte more is payload_too_large, declared or in chunks, at every endpoint that takes a body", async () => {
  for (const path of ["/v1/iban", "/v1/kto", "/v1/search"])
    for (const answer of inEachForm(path, tooLarge)) expectError(await answer, "payload_too_large");
});

test("the connection stays in step after a body that was too large", async () => {
  using connection = await RawConnection.open(service.port);
  expectError(await connection.ask(postBytes("/v1/iban", tooLarge)), "payload_too_large");
  assert.equal((await connection.ask(ping)).body.toString(), '{"status":1,"message":"Pong"}');
});

test("the connection of a chunked body that is too large ends when the body does, or stops", async () => {
  const whole = postInChunks("/v1/iban", bodyOf(30 * limit, "{"), 10_000);
  for (const request of [whole, whole.subarray(0, 2 * limit)]) {
    const connection = await RawConnection.open(service.port);
    expectError(await connection.ask(request), "payload_too_large");
    await connection.closed;
  }
});

const refused = [
  ["an encoding", "/v1/stream", ["Content-Type: text/csv", "Content-Encoding: gzip, gzip"], 400],
  ["a column", "/v1/stream?column=nope", ["Content-Type: text/csv"], 400],
  ["a path", "/v1/nowhere", jsonHeaders, 400],
  ["a key", "/v1/iban", [...jsonHeaders, "X-API-Key: wrong"], 401],
  ["the size", "/v1/iban", jsonHeaders, 413],
] as const;
const chunkOfRows = chunkOf(`${iban},x\n`.repeat(40_000));

for (const [what, path, headers, status] of refused) {
  const head = requestBytes("POST", path, { headers: [...headers, "Transfer-Encoding: chunked"] });

  test(`a client that sends 20 MB before it reads is answered where ${what} is refused`, async () => {
    const client = await RawConnection.open(service.port);
    client.socket.pause();
    await client.send(head);
    await client.send(chunkOfRows.repeat(20) + chunkOf(""));
    client.socket.resume();
    const answer = await client.answer();
    assert.deepEqual([answer.status, answer.headers.get("connection")], [status, "close"]);
    await client.closed;
  });

  test(`a body that continues after its answer does not reset the connection where ${what} is refused`, async () => {
    const client = await RawConnection.open(service.port);
    const faults: Error[] = [];
    client.socket.on("error", (error) => faults.push(error));
    assert.equal((await client.ask(Buffer.concat([head, Buffer.from(chunkOfRows)]))).status, status);
    await client.send(chunkOfRows.repeat(4) + chunkOf(""));
    await client.closed;
    assert.deepEqual(faults, []);
  });
}

test("a declared length beyond the limit is refused without waiting for the body, and one much too large ends the connection", async () => {
  for (const length of [limit + 1, 200_000, 64 * 1_048_576, 65 * 1_048_576, 10 ** 12]) {
    const connection = await RawConnection.open(service.port);
    const request = postBytes("/v1/iban", "{", [`Content-Length: ${length}`]);
    expectError(await connection.ask(request), "payload_too_large");
    if (length <= 64 * 1_048_576) connection.destroy();
    await connection.closed;
  }
});

test("bytes beyond the declared length are not part of the body", async () => {
  const request = postBytes("/v1/kto", "{}garbage\r\n\r\n", ["Content-Length: 2"]);
  expectError(await exchangeOnce(service.port, request), "invalid_kontonummer");
  assert.equal((await service.request("/v1/ping")).status, 200);
});
