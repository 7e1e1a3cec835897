import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clientFilter } from "../../src/http/addresses.ts";
import { readBody } from "../../src/http/body.ts";
import { boundedBytes } from "../../src/http/bounded-bytes.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { NativeRequest } from "../../src/http/native.ts";
import { type RequestHeaders, readFraming, readHeaders } from "../../src/http/request.ts";
import { SettingError } from "../../src/settings.ts";
import { words } from "../support/words.ts";

type Field<Name = string> = readonly [name: Name, value: string];

/** Reads the headers of a native request that has these fields, names in lower case as in the native layer. */
function headersOf(...fields: readonly Field[]): RequestHeaders {
  const forEach: NativeRequest["forEach"] = (visit) => {
    for (const [name, value] of fields) visit(name, value);
  };
  return readHeaders({ forEach } as NativeRequest);
}

test("of a header sent twice the first counts, absent ones are empty, and all that frame the body are kept", () => {
  const absent = headersOf();
  const { contentLengths, transferEncodings, wantsClose, ...texts } = absent;
  assert.deepEqual([contentLengths, transferEncodings, wantsClose], [[], [], false]);
  assert.deepEqual([...new Set(Object.values(texts))], [""]);
  const names = words`
    authorization x-api-key content-type content-encoding if-none-match accept accept-encoding accept-language x-request-id origin
    access-control-request-method content-length transfer-encoding cookie
  `;
  const headers = headersOf(
    ...[1, 2].flatMap((time) => names.map((name) => [name, `${name}${time}`] as const)),
  );
  assert.deepEqual(headers, {
    ...absent,
    authorization: "authorization1",
    apiKey: "x-api-key1",
    contentType: "content-type1",
    contentEncoding: "content-encoding1",
    ifNoneMatch: "if-none-match1",
    accept: "accept1",
    acceptEncoding: "accept-encoding1",
    acceptLanguage: "accept-language1",
    requestId: "x-request-id1",
    origin: "origin1",
    preflightMethod: "access-control-request-method1",
    contentLengths: ["content-length1", "content-length2"],
    transferEncodings: ["transfer-encoding1", "transfer-encoding2"],
  });
});

test("for any framing headers, a returned length is a whole number that may be trusted", () => {
  const field = fc.tuple(fc.constantFrom("content-length", "transfer-encoding"), fc.string());
  fc.assert(
    fc.property(fc.array(field, { maxLength: 3 }), (fields) => {
      const framing = readFraming(headersOf(...fields));
      if (typeof framing === "object") {
        assert.match(framing.id, /^framing_/);
        return;
      }
      assert.ok(fields.length <= 1);
      assert.ok(framing === undefined || (Number.isSafeInteger(framing) && framing >= 0));
    }),
  );
});

test("a client filter serves the addresses and networks listed, of both families", () => {
  assert.equal(clientFilter(""), undefined);
  const serves = clientFilter("10.0.0.0/8,192.0.2.7,2001:db8::/32,::1")!;
  const listed = words`10.255.0.1 192.0.2.7 2001:db8:ffff::1 ::1 0000:0000:0000:0000:0000:0000:0000:0001`;
  // An IPv4 client on a dual-stack socket is known by its IPv4 address; the second is as the native layer writes it.
  const mapped = words`::ffff:10.0.0.9 0000:0000:0000:0000:0000:ffff:0a00:0009`;
  for (const address of [...listed, ...mapped]) assert.equal(serves(address), true, address);
  const others = ["11.0.0.1", "192.0.2.8", "2001:db9::1", "::2", "", "x", "127.0.0.1", "::ffff:198.51.100.9"];
  for (const address of others) assert.equal(serves(address), false, address);
  assert.equal(clientFilter("0.0.0.0/0")!("203.0.113.9"), true);
  for (const wrong of words`10.0.0.0/33 ::1/129 fe80 10.0.0 1.2.3.4.5`)
    assert.throws(() => clientFilter(wrong), SettingError, wrong);
});

/** An exchange whose body the test sends. */
function fakeExchange(members: object) {
  const client = { send: (_piece: Uint8Array, _isLast: boolean) => {} };
  const exchange = {
    onData: (receive: typeof client.send) => {
      client.send = receive;
    },
    onClosed: () => {},
    ...members,
  } as unknown as Exchange;
  return { client, exchange, incoming: boundedBytes<Exchange>(1_000, 100_000, () => {}) };
}

const unexpected = () => assert.fail();

test("a body in pieces is handed over whole, and its memory goes back at once", () => {
  for (const size of [1, 100, 4_095, 4_096, 50_000]) {
    const { client, exchange, incoming } = fakeExchange({});
    const whole = Buffer.from(Array.from({ length: size * 2 + 1 }, (_, place) => place % 251));
    let received = Buffer.alloc(0);
    let memory = new ArrayBuffer(0);
    const take = (body: Uint8Array) => {
      received = Buffer.from(body);
      memory = body.buffer as ArrayBuffer;
    };
    readBody(exchange, incoming, take, unexpected);
    client.send(whole.subarray(0, size), false);
    client.send(whole.subarray(size, size * 2), false);
    client.send(whole.subarray(size * 2), true);
    assert.deepEqual(received, whole);
    assert.equal(memory.resizable, size >= 4_096 / 2);
    if (memory.resizable) assert.equal(memory.byteLength, 0);
  }
});

test("a chunked body that stops before its end is looked at for misread chunks, twice at most", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const refusals = [0, 1, 2].map((stops) => {
    let refused = 0;
    const { client, exchange, incoming } = fakeExchange({ lastBody: {}, refuse: () => refused++ });
    readBody(exchange, incoming, unexpected, unexpected);
    for (const piece of [...Array<string>(stops).fill("["), `${"]".repeat(stops)}\r\n0;a\r\n\r\n`]) {
      client.send(Buffer.from(stops === 0 ? `{}${piece}` : piece), false);
      t.mock.timers.tick(300);
    }
    return refused;
  });
  assert.deepEqual(refusals, [1, 1, 0], "after none, one and two stops");
});
