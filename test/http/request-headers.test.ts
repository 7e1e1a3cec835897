import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clientFilter } from "../../src/http/addresses.ts";
import type { NativeRequest } from "../../src/http/binding.ts";
import {
  authenticate,
  isJsonContentType,
  type RequestHeaders,
  readFraming,
  readHeaders,
  requestIdOf,
} from "../../src/http/request.ts";
import { digestOfKey, KeyRing, tableOf } from "../../src/keys/key-ring.ts";
import { SettingError } from "../../src/settings.ts";
import { words } from "../support/words.ts";

/** A native request that has these header fields, names in lower case as in the native layer. */
function headersOf(...fields: readonly (readonly [name: string, value: string])[]): RequestHeaders {
  const request = {
    forEach: (visit: (name: string, value: string) => void) => {
      for (const [name, value] of fields) visit(name, value);
    },
  };
  return readHeaders(request as NativeRequest);
}

test("headers that are not sent are empty", () => {
  assert.deepEqual(headersOf(), {
    authorization: "",
    apiKey: "",
    contentType: "",
    ifNoneMatch: "",
    acceptEncoding: "",
    origin: "",
    preflightMethod: "",
    wantsClose: false,
    acceptLanguage: "",
    requestId: "",
    contentLengths: [],
    transferEncodings: [],
  });
});

test("of a header sent twice the first counts, but all of those that frame the body are kept", () => {
  const headers = headersOf(
    ["authorization", "a1"],
    ["x-api-key", "k1"],
    ["content-type", "t1"],
    ["if-none-match", "n1"],
    ["accept-language", "l1"],
    ["accept-encoding", "e1"],
    ["x-request-id", "r1"],
    ["content-length", "1"],
    ["transfer-encoding", "x"],
    ["authorization", "a2"],
    ["x-api-key", "k2"],
    ["content-type", "t2"],
    ["if-none-match", "n2"],
    ["accept-language", "l2"],
    ["accept-encoding", "e2"],
    ["x-request-id", "r2"],
    ["content-length", "2"],
    ["transfer-encoding", "y"],
    ["cookie", "c"],
  );
  assert.deepEqual(headers, {
    authorization: "a1",
    apiKey: "k1",
    contentType: "t1",
    ifNoneMatch: "n1",
    acceptEncoding: "e1",
    origin: "",
    preflightMethod: "",
    wantsClose: false,
    acceptLanguage: "l1",
    requestId: "r1",
    contentLengths: ["1", "2"],
    transferEncodings: ["x", "y"],
  });
});

const framed = (
  ...fields: readonly (readonly [name: "content-length" | "transfer-encoding", value: string])[]
) => readFraming(headersOf(...fields));

test("a body is framed by one plain length, by chunks, or not at all", () => {
  assert.deepEqual(framed(), { ok: true, declaredLength: 0 });
  assert.deepEqual(framed(["content-length", "0"]), { ok: true, declaredLength: 0 });
  assert.deepEqual(framed(["content-length", "007"]), { ok: true, declaredLength: 7 });
  assert.deepEqual(framed(["content-length", "999999999999999"]), {
    ok: true,
    declaredLength: 999_999_999_999_999,
  });
  assert.deepEqual(framed(["transfer-encoding", "chunked"]), { ok: true, declaredLength: undefined });
  assert.deepEqual(framed(["transfer-encoding", "Chunked"]), { ok: true, declaredLength: undefined });
});

test("everything else is refused", () => {
  for (const length of ["", " ", "-1", "+1", "1.0", "0x1", "1e1", "1,1", "1 1", "x", "1".repeat(16), "٣"]) {
    assert.equal(framed(["content-length", length]).ok, false, length);
  }
  for (const encoding of [
    "",
    "gzip",
    "identity",
    "chunked, chunked",
    "gzip, chunked",
    "chunked;q=1",
    "xchunked",
  ]) {
    assert.equal(framed(["transfer-encoding", encoding]).ok, false, encoding);
  }
  assert.equal(framed(["content-length", "1"], ["content-length", "1"]).ok, false);
  assert.equal(framed(["transfer-encoding", "chunked"], ["transfer-encoding", "chunked"]).ok, false);
  assert.equal(framed(["transfer-encoding", "chunked"], ["content-length", "1"]).ok, false);
});

test("for any framing headers, a returned length is a whole number that may be trusted", () => {
  const field = fc.tuple(
    fc.constantFrom("content-length" as const, "transfer-encoding" as const),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(field, { maxLength: 3 }), (fields) => {
      const framing = framed(...fields);
      if (!framing.ok) {
        assert.match(framing.why.id, /^framing_/);
        return;
      }
      assert.ok(fields.length <= 1);
      const { declaredLength } = framing;
      assert.ok(
        declaredLength === undefined || (Number.isSafeInteger(declaredLength) && declaredLength >= 0),
      );
    }),
  );
});

test("the key is the bearer token or else X-API-Key", () => {
  const key = "test-key-0123456789";
  const ring = new KeyRing(
    tableOf([{ name: "holder", digest: digestOfKey(key), expires: Number.POSITIVE_INFINITY }]),
  );
  const holder = (authorization: string, apiKey: string) =>
    authenticate({ ...headersOf(), authorization, apiKey }, ring)?.name;
  assert.equal(holder(`Bearer ${key}`, ""), "holder");
  assert.equal(holder(`bEARER  ${key}`, "wrong"), "holder");
  assert.equal(holder("", key), "holder");
  assert.equal(holder("Basic eDp5", key), "holder");
  assert.equal(holder("Bearer", key), "holder", "a bearer scheme without a token is none");
  assert.equal(holder("Bearer wrong", key), undefined);
  assert.equal(holder(`Bearer ${key} x`, ""), undefined);
  assert.equal(holder(key, ""), undefined);
  assert.equal(holder("", ""), undefined);
});

test("a content type is JSON in any case and with any parameters", () => {
  for (const json of [
    "application/json",
    "APPLICATION/JSON",
    "application/json;",
    "application/json ; charset=x",
  ]) {
    assert.equal(isJsonContentType(json), true, json);
  }
  for (const other of [
    "",
    "application/jsonx",
    "application/json, a/b",
    "text/json",
    " application/json",
    "json",
  ]) {
    assert.equal(isJsonContentType(other), false, other);
  }
});

test("a request id that is short and plain is kept, any other counts as none", () => {
  for (const given of ["a", "A-z_0.9:x", "x".repeat(64)]) assert.equal(requestIdOf(given), given);
  for (const given of ["", " ", "a b", "x".repeat(65), "é", "a\r\nb", "<"]) {
    assert.equal(requestIdOf(given), "", given);
  }
});

test("a client filter serves the addresses and networks listed, of both families", () => {
  assert.equal(clientFilter(""), undefined);
  const serves = clientFilter("10.0.0.0/8,192.0.2.7,2001:db8::/32,::1")!;
  for (const address of words`
    10.255.0.1 192.0.2.7 2001:db8:ffff::1 ::1 0000:0000:0000:0000:0000:0000:0000:0001
  `) {
    assert.equal(serves(address), true, address);
  }
  for (const address of ["11.0.0.1", "192.0.2.8", "2001:db9::1", "::2", "", "x", "127.0.0.1"]) {
    assert.equal(serves(address), false, address);
  }
  assert.equal(clientFilter("0.0.0.0/0")!("203.0.113.9"), true);
  for (const wrong of ["10.0.0.0/33", "::1/129", "fe80", "10.0.0", "1.2.3.4.5"]) {
    assert.throws(() => clientFilter(wrong), SettingError, wrong);
  }
});

test("an IPv4 client on a dual-stack socket is known by its IPv4 address", () => {
  const serves = clientFilter("192.0.2.0/24")!;
  assert.equal(serves("::ffff:192.0.2.9"), true);
  assert.equal(serves("0000:0000:0000:0000:0000:ffff:c000:0209"), true, "as the native layer writes it");
  assert.equal(serves("::ffff:198.51.100.9"), false);
});
