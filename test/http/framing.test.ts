import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { expectError } from "../contract/error-table.ts";
import { useSharedService } from "../service.ts";
import { body, chunkedBody, conflicting, json, length, next } from "./framings.ts";
import { exchangeOnce, postBytes, postInChunks, RawConnection, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const postIn = (encoding: string, sent: string) =>
  exchangeOnce(service.port, postBytes("/v1/iban", sent, [`Transfer-Encoding: ${encoding}`]));

for (const [what, [headers, sent]] of Object.entries(conflicting)) {
  const request = postBytes("/v1/iban", sent, headers);

  test(`${what}: refused, the bytes after it are never taken for a request, and the connection ends`, async () => {
    const connection = await RawConnection.open(service.port);
    const answer = await connection.ask(request);
    assert.equal(answer.status, 400, answer.body.toString());
    if (answer.headers.has("x-request-id")) expectError(answer, "invalid_request");
    else assert.match(answer.body.toString(), /<h1>/, "the native layer answers");
    await connection.closed;
    const followed = await RawConnection.open(service.port);
    await followed.send(Buffer.concat([request, next]));
    await followed.closed;
    assert.ok(!followed.unread.includes("smuggled"), followed.unread);
    assert.match(followed.unread, /^(HTTP\/1\.1 400 |$)/);
  });
}

test("chunked in any case is understood, and a chunk size may have leading zeros", async () => {
  for (const [encoding, sent] of [
    ["chunked", chunkedBody],
    ["CHUNKED", chunkedBody],
    ["chunked", `00${chunkedBody}`],
    ["chunked", chunkedBody.toUpperCase().replace(body.toUpperCase(), body)],
  ] as const)
    assert.equal((await postIn(encoding, sent)).status, 200, sent);
});

test("a body in chunks of any size is put together", async () => {
  for (let size = 1; size <= body.length; size++) {
    const answer = await exchangeOnce(service.port, postInChunks("/v1/iban", body, size));
    assert.equal(answer.status, 200, `chunks of ${size}`);
  }
});

type InChunks = readonly [method: string, path: string, headers: readonly string[], status: number];
/** Requests in chunks, with their answer: checks, refusals, and a GET that needs no body. */
const inChunks: Readonly<Record<string, InChunks>> = {
  "a check": ["POST", "/v1/iban", [json], 200],
  "a refused key": ["POST", "/v1/iban", [json, "X-API-Key: wrong"], 401],
  "a refused field": ["POST", "/v1/kto", [json], 400],
  "a refused content type": ["POST", "/v1/iban", [], 400],
  "a wrong method": ["PUT", "/v1/iban", [json], 405],
  "a ping": ["GET", "/v1/ping", [], 200],
  "a probe": ["GET", "/service/live", ["X-API-Key:"], 200],
};

for (const [what, [method, path, headers, status]] of Object.entries(inChunks)) {
  const request = (sent: string) =>
    requestBytes(method, path, { headers: [...headers, "Transfer-Encoding: chunked"], body: sent });

  test(`${what} in chunks: answered, its trailer fields are never a request, and the connection ends`, async () => {
    const whole = await RawConnection.open(service.port);
    const answer = await whole.ask(request(chunkedBody));
    assert.deepEqual([answer.status, answer.headers.get("connection")], [status, "close"]);
    await whole.closed;
    const chunks = chunkedBody.slice(0, -2);
    const expectNotTaken = async (sent: string, later?: string) => {
      const connection = await RawConnection.open(service.port);
      await connection.send(request(sent));
      if (later !== undefined) await delay(5).then(() => connection.send(later));
      await connection.closed;
      assert.ok(!connection.unread.includes("smuggled"), connection.unread);
    };
    for (const trailer of [`XX${next}`, `X-Trailer: a\r\n\r\n${next}`, `\r\n${next}`])
      await Promise.all([expectNotTaken(chunks + trailer), expectNotTaken(chunks, trailer)]);
  });
}

test("chunk extensions are refused at once, not when the body is given up", async () => {
  const size = body.length.toString(16);
  for (const extension of [";a=b", ";1", ";b=a;a=b"]) {
    const half = (body.length - 3).toString(16);
    for (const sent of [
      `${size}${extension}\r\n${body}\r\n0\r\n\r\n`,
      `${half}${extension}\r\n${body.slice(0, -3)}\r\n3${extension}\r\n${body.slice(-3)}\r\n0${extension}\r\n\r\n`,
      `${size}\r\n${body}\r\n0${extension}\r\n\r\n`,
    ]) {
      const { status } = await postIn("chunked", sent);
      // A body that is given up is answered 500.
      assert.ok(status === 400 || status === 200, sent);
    }
  }
});

test("a GET may carry a body; it is not looked at and the connection stays in step", async () => {
  using connection = await RawConnection.open(service.port);
  const withBody = requestBytes("GET", "/v1/ping", { body: "GET /v1/nowhere HTTP/1.1\r\n\r\n" });
  const first = await connection.ask(Buffer.concat([withBody, requestBytes("GET", "/v1/test")]));
  assert.match(first.body.toString(), /"Pong"/);
  assert.match((await connection.answer()).body.toString(), /Testmode/);
});

test("a client that waits for 100 Continue receives it", async () => {
  using connection = await RawConnection.open(service.port);
  const headers = [json, "Expect: 100-continue", length];
  await connection.send(requestBytes("POST", "/v1/iban", { headers }));
  assert.equal((await connection.answer(true)).status, 100);
  assert.equal((await connection.ask(body)).status, 200);
});
