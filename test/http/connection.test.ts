import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expectError } from "../contract/error-table.ts";
import { useQuickService, useSharedService } from "../service.ts";
import { postBytes, postInChunks, RawConnection, requestBytes } from "./raw-socket.ts";

const bodyTimeout = 300;
const service = useSharedService();
/** Waits no longer than that for a body, and has few places. */
const small = useQuickService({ BODY_TIMEOUT: String(bodyTimeout), POOL_QUEUE: "16" });

const iban = "DE89370400440532013000";
const body = JSON.stringify({ iban });
const batch = JSON.stringify({ ibans: Array(500).fill(iban) });

test("a request split at every byte is answered as one", async () => {
  using connection = await RawConnection.open(service.port);
  for (const byte of postBytes("/v1/iban", body)) {
    await connection.send(Uint8Array.of(byte));
    await nextTurn();
  }
  assert.equal((await connection.answer()).status, 200);
});

test("pipelined requests that need no worker are answered in their order", async () => {
  using connection = await RawConnection.open(service.port);
  const paths = ["/v1/ping", "/v1/test", "/v1/nowhere", "/v1/iban/XX", "/.env", "/nowhere"];
  const requests = Array.from({ length: 60 }, (_, index) =>
    requestBytes("GET", paths[index % paths.length]!, { headers: [`X-Request-Id: n${index}`] }),
  );
  await connection.send(Buffer.concat(requests));
  for (let index = 0; index < requests.length; index++) {
    const answer = await connection.answer();
    assert.equal(answer.headers.get("x-request-id"), `n${index}`);
    assert.equal(answer.status, [200, 200, 400, 400, 403, 404][index % paths.length]);
  }
});

test("a request pipelined behind an unanswered check ends the connection and nothing else", async () => {
  const connection = await RawConnection.open(service.port);
  await connection.send(Buffer.concat([postBytes("/v1/iban", batch), postBytes("/v1/iban", batch)]));
  await connection.closed;
  assert.equal((await service.post("/v1/iban", batch)).status, 200);
});

test("a body that does not arrive whole within the body timeout is internal_error and ends the connection", async () => {
  const request = postBytes("/v1/iban", body);
  const unfinished = [
    request.subarray(0, -body.length),
    request.subarray(0, -1),
    postInChunks("/v1/iban", body).subarray(0, -10),
  ];
  const expectGivenUp = async (sent: Buffer) => {
    const started = performance.now();
    const connection = await RawConnection.open(small.port);
    const answer = await connection.ask(sent);
    const elapsed = performance.now() - started;
    expectError(answer, "internal_error");
    assert.equal(answer.headers.get("connection"), "close");
    await connection.closed;
    // A timer may be a millisecond early.
    assert.ok(elapsed >= bodyTimeout - 1, `answered after ${elapsed} ms`);
  };
  await Promise.all(unfinished.map(expectGivenUp));
});

test("a body that trickles in is cut by the same deadline, however often a byte comes", async () => {
  using connection = await RawConnection.open(small.port);
  const request = postBytes("/v1/iban", batch);
  await connection.send(request.subarray(0, 400));
  let at = 400;
  const trickle = setInterval(() => connection.socket.write(request.subarray(at, ++at)), 20);
  try {
    expectError(await connection.answer(), "internal_error");
  } finally {
    clearInterval(trickle);
  }
});

test("none of all this was an error to the service", () => {
  for (const { log } of [service, small]) assert.ok(!/"level":(50|60)/.test(log()), log());
});
