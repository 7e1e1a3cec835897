import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { errorMessage, expectError } from "../contract/error-table.ts";
import { quickServiceOf, testKey, useSharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { exchangeOnce, ping, RawConnection, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const allowedMethods: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ["/v1/kto/532013000/37040044", ["GET"]],
  ["/v1/kto", ["POST"]],
  ["/v1/iban/DE89370400440532013000", ["GET"]],
  ["/v1/iban/DE89370400440532013000/COBADEFFXXX", ["GET"]],
  ["/v1/iban", ["POST"]],
  ["/v1/ping", ["GET"]],
  ["/v1/test", ["GET"]],
  ["/v1/search", ["GET", "POST"]],
  ["/service/openapi.json", ["GET", "HEAD"]],
];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];

test("every path answers a method it does not have with 405 and the list of those it has", async () => {
  using connection = await RawConnection.open(service.port);
  for (const [path, allowed] of allowedMethods) {
    for (const method of methods.filter((candidate) => !allowed.includes(candidate))) {
      const answer = await connection.ask(requestBytes(method, path));
      assert.equal(answer.status, 405, `${method} ${path}`);
      assert.equal(answer.headers.get("allow"), allowed.join(", "), `${method} ${path}`);
      if (method === "HEAD") continue;
      expectError(answer, "method_not_allowed");
      assert.ok(errorMessage(answer).includes(allowed.join(", ")), errorMessage(answer));
    }
  }
});

test("HEAD is answered wherever GET is under /service, and never with a body, so that the next answer on the connection is read rightly", async () => {
  using connection = await RawConnection.open(service.port);
  const statuses: number[] = [];
  const paths = words`
    /service/live /service/ready /service/openapi.json /service/docs
    /v1/ping /v1/nowhere / /.env /v1/iban/DE89370400440532013000
  `;
  for (const path of paths) {
    const { body } = await connection.ask(requestBytes("GET", path));
    const { status, headers } = await connection.ask(Buffer.concat([requestBytes("HEAD", path), ping]));
    statuses.push(status);
    if (status < 400) assert.equal(headers.get("content-length"), String(body.length), path);
    assert.equal((await connection.answer()).body.toString(), '{"status":1,"message":"Pong"}', path);
    assert.equal(connection.unread, "");
  }
  assert.deepEqual(statuses, [200, 200, 200, 302, 405, 400, 404, 403, 405]);
});

test("both pings ignore their query, and say how long their connection may idle", async () => {
  const { status, headers, body } = await exchangeOnce(service.port, ping);
  assert.deepEqual([status, body.toString()], [200, '{"status":1,"message":"Pong"}']);
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("keep-alive"), "timeout=7");
  const testPing = await exchangeOnce(service.port, requestBytes("GET", "/v1/test?a=/v1/nowhere&b=%zz&&=?"));
  assert.equal(testPing.body.toString(), '{"status":1,"message":"Testmode - Ping"}');
});

const refusedPaths: Readonly<Record<string, readonly [what: string, paths: readonly string[]]>> = {
  invalid_request: [
    "an unknown path, and missing, extra and empty segments under /v1/",
    words`
      /v1/ /v1// /v1/nowhere /v1/ping/ /v1/ping/x /v1/PING /v1/%70ing /v1//ping /v1/test/ /v1/search/ /v1/kto/
      /v1/kto// /v1/kto/532013000 /v1/kto/532013000/ /v1/kto//37040044 /v1/kto/532013000/37040044/
      /v1/kto/532013000/37040044/x /v1/iban/ /v1/iban// /v1/iban//COBADEFFXXX /v1/iban/DE89370400440532013000/
      /v1/iban/DE89370400440532013000/COBADEFFXXX/ /v1/iban/DE89370400440532013000/COBADEFFXXX/x
    `,
  ],
  not_found: [
    "a path outside the service",
    words`/ /v1 /v2/ping /V1/ping /service /service/ /service/nothing //v1/ping`,
  ],
  forbidden: [
    "a path with a segment that begins with a dot, encoded or not",
    words`
      /.env /.git/config /v1/.hidden /v1/../.env /v1/iban/.. /service/./openapi.json
      /%2eenv /%2Egit/config /v1/%2e%2e/ping /v1/iban/.%2e
    `,
  ],
};

for (const [code, [what, paths]] of Object.entries(refusedPaths)) {
  test(`${what}: ${code}, by any method`, async () => {
    using connection = await RawConnection.open(service.port);
    for (const path of paths)
      for (const method of ["GET", "POST", "DELETE"])
        expectError(await connection.ask(requestBytes(method, path)), code);
  });
}

test("only clients from the configured networks are served, and an outsider learns nothing of keys; with GET_IBAN=off paths hold no account, and the answer says what to use", async (t) => {
  const iban = "DE89370400440532013000";
  const account = { kontonummer: "532013000", bankleitzahl: "37040044" };
  const own = await quickServiceOf(t, { ALLOW_FROM: "::1,127.0.0.1", GET_IBAN: "off" });
  const fromOutside = async (path: string, key: string) => {
    const outsider = await RawConnection.open(own.port, "127.0.0.2");
    return exchangeOnce(outsider, requestBytes("GET", path, { headers: [`X-API-Key: ${key}`] }));
  };
  for (const path of ["/v1/ping", "/v1/nowhere", "/", `/v1/iban/${iban}`])
    expectError(await fromOutside(path, testKey), "forbidden");
  const answersTo = async (path: string, key: string) => {
    const answer = await fromOutside(path, key);
    const same = [...answer.headers].filter(([name]) => name !== "date" && name !== "x-request-id");
    return [answer.status, same, answer.body.toString()];
  };
  for (const path of ["/v1/ping", "/.env", "/service/live"])
    assert.deepEqual(await answersTo(path, "unknown"), await answersTo(path, testKey), path);
  for (const path of [`/v1/iban/${iban}`, `/v1/iban/${iban}/COBADEFFXXX`, "/v1/kto/532013000/37040044"]) {
    const answer = await exchangeOnce(own.port, requestBytes("GET", path));
    expectError(answer, "forbidden");
    assert.match(errorMessage(answer), /POST \/v1\/iban or POST \/v1\/kto/);
    const anonymous = requestBytes("GET", path, { headers: ["X-API-Key:"] });
    expectError(await exchangeOnce(own.port, anonymous), "invalid_key");
  }
  assert.equal((await own.post("/v1/iban", { iban })).status, 200);
  assert.equal((await own.post("/v1/kto", account)).status, 200);
  assert.equal((await own.request("/v1/search?name=bank")).status, 200);
});

test("a browser that asks for the entrance is sent to the console, a client of the interface gets its error", async () => {
  const accept = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";
  const ask = (method: string, path: string, ...headers: readonly string[]) =>
    exchangeOnce(service.port, requestBytes(method, path, { headers: ["X-API-Key:", ...headers] }));
  for (const path of ["/", "/service", "/service/", "/service/console/"]) {
    const page = await ask("GET", path, accept);
    assert.deepEqual([page.status, page.headers.get("location")], [302, "/service/console"]);
    expectError(await ask("GET", path), "invalid_key");
    expectError(await ask("POST", path, accept), "invalid_key");
  }
  expectError(await ask("GET", "/v1/ping", accept), "invalid_key");
});

test("a head of up to 16 KB is taken, in one packet or several, a longer one refused", async () => {
  for (const length of [8_000, 16_000, 17_000]) {
    const status = length > 16_384 ? 431 : 200;
    const request = requestBytes("GET", "/v1/ping", { headers: [`X-Long: ${"a".repeat(length)}`] });
    assert.equal((await exchangeOnce(service.port, request)).status, status, `${length}`);
    const connection = await RawConnection.open(service.port);
    await connection.send(request.subarray(0, 3_000));
    await delay(5);
    const inPieces = await exchangeOnce(connection, request.subarray(3_000));
    assert.equal(inPieces.status, status, `${length} in pieces`);
  }
});
