import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { useSharedService } from "../service.ts";
import { exchangeOnce, postBytes, postInChunks, type RawAnswer, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const iban = "DE89370400440532013000";
const right = JSON.stringify({ iban });
const paths = ["/v1/iban", "/v1/kto", "/v1/search"] as const;
const post = (path: string, body: string | Uint8Array): Promise<RawAnswer> =>
  exchangeOnce(service.port, postBytes(path, body));

const notJson: Readonly<Record<string, string | Uint8Array>> = {
  "white space": " \n\t ",
  "a byte order mark alone": Buffer.from([0xef, 0xbb, 0xbf]),
  truncated: right.slice(0, -1),
  "two values": right + right,
  "invalid UTF-8": Buffer.from('{"iban":"\xff\xfe"}', "latin1"),
  "UTF-16": Buffer.from(right, "utf16le"),
  "open brackets, 100,000 deep": "[".repeat(100_000),
};

test("a body that is not JSON is invalid_request", async () => {
  for (const [what, body] of Object.entries(notJson)) {
    for (const path of paths) {
      const answer = await post(path, body);
      assert.doesNotThrow(() => expectError(answer, "invalid_request"), `${what} ${path}`);
    }
  }
});

test("a body that is JSON but no object is invalid_json", async () => {
  for (const body of [`[${right}]`, "null", `"${iban}"`, `${"[".repeat(30_000)}${"]".repeat(30_000)}`]) {
    for (const path of paths) expectError(await post(path, body), "invalid_json");
  }
});

test("an empty body is an object without fields", async () => {
  const empty = (path: string) => [
    postBytes(path, ""),
    requestBytes("POST", path, { headers: ["Content-Type: application/json"] }),
    postInChunks(path, ""),
  ];
  const codes = {
    "/v1/iban": "invalid_iban",
    "/v1/kto": "invalid_kontonummer",
    "/v1/search": "missing_search_criteria",
  };
  for (const path of paths) {
    for (const request of empty(path)) expectError(await exchangeOnce(service.port, request), codes[path]);
  }
});

test("a byte order mark before the object is skipped", async () => {
  const answer = await post("/v1/iban", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(right)]));
  assert.equal(answer.status, 200);
});

test("of a field named twice the last one counts", async () => {
  const answer = await post("/v1/iban", `{"iban":"x","iban":"${iban}"}`);
  assert.equal(answer.status, 200);
  expectError(await post("/v1/iban", `{"iban":"${iban}","iban":"x"}`), "invalid_iban");
});

test("fields of an object's prototype are not fields of the body", async () => {
  expectError(await post("/v1/iban", `{"__proto__":${right}}`), "invalid_iban");
  expectError(await post("/v1/iban", `{"constructor":{"prototype":${right}}}`), "invalid_iban");
  expectError(await post("/v1/search", '{"__proto__":{"name":"a"}}'), "missing_search_criteria");
  expectError(
    await post("/v1/kto", '{"__proto__":{"kontonummer":"1","bankleitzahl":"1"}}'),
    "invalid_kontonummer",
  );
  expectError(await post("/v1/iban", "{}"), "invalid_iban");
});

test("an object within an object may be 20,000 deep without harm", async () => {
  const deep = `{"x":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)},"iban":"${iban}"}`;
  assert.equal((await post("/v1/iban", deep)).status, 200);
  expectError(await post("/v1/iban", `{"iban":${"[".repeat(20_000)}${"]".repeat(20_000)}}`), "invalid_iban");
});

test("escapes in field names and texts are understood", async () => {
  const answer = await post("/v1/iban", `{"\\u0069ban":"\\u0044E89 3704\\t0044 0532\\u00a00130 00"}`);
  assert.equal(answer.status, 200);
  assert.equal((JSON.parse(answer.body.toString()) as { data: { iban: string } }).data.iban, iban);
});

/** Media types, and whether a body of each is taken. */
const contentTypes: readonly (readonly [isTaken: boolean, types: readonly string[]])[] = [
  [
    true,
    [
      ...["application/json", "Application/JSON", "application/json; charset=utf-8"],
      ...["application/json;charset=UTF-8", "application/json ; x=y"],
    ],
  ],
  [
    false,
    [
      ...["", "json", "text/json", "text/plain", "application/jsonp", "application/json-patch+json"],
      ...["application/problem+json", "application/json, text/plain", "application/x-www-form-urlencoded"],
      ...["multipart/form-data; boundary=application/json", "text/plain; application/json"],
    ],
  ],
];

test("a body is taken as application/json alone, in any case and with any parameters, and by GET as anything", async () => {
  const send = (method: string, path: string, type: string, body?: string) =>
    exchangeOnce(
      service.port,
      requestBytes(method, path, {
        headers: [`Content-Type: ${type}`],
        ...(body === undefined ? {} : { body }),
      }),
    );
  for (const [isTaken, types] of contentTypes) {
    for (const type of types) {
      const answer = await send("POST", "/v1/iban", type, right);
      if (isTaken) assert.equal(answer.status, 200, type);
      else expectError(answer, "invalid_content_type");
      for (const path of isTaken ? [] : paths)
        expectError(await send("POST", path, type, ""), "invalid_content_type");
    }
  }
  assert.equal((await send("GET", `/v1/iban/${iban}`, "text/plain")).status, 200);
});
