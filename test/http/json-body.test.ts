import assert from "node:assert/strict";
import { test } from "node:test";
import type { IbanCheckAnswer } from "../../src/client/index.ts";
import { expectError } from "../contract/error-table.ts";
import { useSharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { exchangeOnce, postBytes, postInChunks, type RawAnswer, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const iban = "DE89370400440532013000";
const right = JSON.stringify({ iban });
const paths = ["/v1/iban", "/v1/kto", "/v1/search"] as const;
const post = (path: string, body: string | Uint8Array): Promise<RawAnswer> =>
  exchangeOnce(service.port, postBytes(path, body));

const marked = (text: string) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Bodies that are refused at every path. */
const refused: readonly (readonly [what: string, code: string, body: string | Uint8Array])[] = [
  ["white space", "invalid_request", " \n\t "],
  ["a byte order mark alone", "invalid_request", marked("")],
  ["truncated JSON", "invalid_request", right.slice(0, -1)],
  ["two values", "invalid_request", right + right],
  ["invalid UTF-8", "invalid_request", Buffer.from('{"iban":"\xff\xfe"}', "latin1")],
  ["UTF-16", "invalid_request", Buffer.from(right, "utf16le")],
  ["open brackets, 100,000 deep", "invalid_request", "[".repeat(100_000)],
  ["an array", "invalid_json", `[${right}]`],
  ["null", "invalid_json", "null"],
  ["a text", "invalid_json", `"${iban}"`],
  ["an array 30,000 deep", "invalid_json", deep(30_000)],
];

for (const [what, code, body] of refused)
  test(`${what} as a body is ${code}`, async () => {
    for (const path of paths) expectError(await post(path, body), code);
  });

test("an empty body is an object without fields", async () => {
  const codes = {
    "/v1/iban": "invalid_iban",
    "/v1/kto": "invalid_kontonummer",
    "/v1/search": "missing_search_criteria",
  };
  for (const path of paths) {
    const without = requestBytes("POST", path, { headers: ["Content-Type: application/json"] });
    for (const request of [postBytes(path, ""), postInChunks(path, ""), without])
      expectError(await exchangeOnce(service.port, request), codes[path]);
  }
});

test("fields of an object's prototype are not fields of the body", async () => {
  expectError(await post("/v1/iban", `{"__proto__":${right}}`), "invalid_iban");
  expectError(await post("/v1/iban", `{"constructor":{"prototype":${right}}}`), "invalid_iban");
  expectError(await post("/v1/search", '{"__proto__":{"name":"a"}}'), "missing_search_criteria");
  const account = '{"kontonummer":"1","bankleitzahl":"1"}';
  expectError(await post("/v1/kto", `{"__proto__":${account}}`), "invalid_kontonummer");
  expectError(await post("/v1/iban", "{}"), "invalid_iban");
});

/** Bodies of a check, and whether their IBAN is read. */
const read: readonly (readonly [what: string, isRead: boolean, body: string | Uint8Array])[] = [
  ["a byte order mark before the object is skipped", true, marked(right)],
  ["of a field named twice the last one counts", true, `{"iban":"x","iban":"${iban}"}`],
  ["of a field named twice the first one does not count", false, `{"iban":"${iban}","iban":"x"}`],
  [
    "another field may be an object 20,000 deep",
    true,
    `{"x":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)},"iban":"${iban}"}`,
  ],
  ["an array 20,000 deep is not an IBAN", false, `{"iban":${deep(20_000)}}`],
  ["escapes are understood", true, '{"\\u0069ban":"\\u0044E89 3704\\t0044 0532\\u00a00130 00"}'],
];

for (const [what, isRead, body] of read)
  test(what, async () => {
    const answer = await post("/v1/iban", body);
    if (isRead) assert.equal((JSON.parse(answer.body.toString()) as IbanCheckAnswer).data.iban, iban);
    else expectError(answer, "invalid_iban");
  });

const taken = [
  ...words`application/json Application/JSON application/json;charset=UTF-8`,
  ...["application/json; charset=utf-8", "application/json ; x=y"],
];
const others = [
  ...words`json text/json text/plain application/jsonp application/json-patch+json application/problem+json`,
  ...[
    "",
    "application/json, text/plain",
    "application/x-www-form-urlencoded",
    "text/plain; application/json",
  ],
  "multipart/form-data; boundary=application/json",
];

test("a body is taken as application/json alone, in any case and with any parameters, and by GET as anything", async () => {
  const send = (method: string, path: string, type: string, body?: string) =>
    exchangeOnce(service.port, requestBytes(method, path, { headers: [`Content-Type: ${type}`], body }));
  for (const type of taken) assert.equal((await send("POST", "/v1/iban", type, right)).status, 200, type);
  for (const type of others) {
    expectError(await send("POST", "/v1/iban", type, right), "invalid_content_type");
    for (const path of paths) expectError(await send("POST", path, type, ""), "invalid_content_type");
  }
  assert.equal((await send("GET", `/v1/iban/${iban}`, "text/plain")).status, 200);
});
