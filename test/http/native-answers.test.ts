import assert from "node:assert/strict";
import { test } from "node:test";
import { useSharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { body } from "./framings.ts";
import { exchangeOnce, ping, postInChunks, RawConnection, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const right = ping.toString("latin1");
const line = (text: string) => right.replace("GET /v1/ping HTTP/1.1", text);
const version = (text: string) => line(`GET /v1/ping ${text}`);
const target = (text: string) => line(`GET ${text} HTTP/1.1`);
const fields = (text: string) => right.replace("\r\n\r\n", `\r\n${text}\r\n\r\n`);
const chunks = postInChunks("/v1/iban", body).toString("latin1").slice(0, -2);

/** Requests by kind, with the answer of the native layer to each: a status, or none. `framings.ts` has those of framing. */
const requests: readonly (readonly [kind: string, answer: string, requests: readonly string[]])[] = [
  [
    "another version than HTTP/1.1",
    "505",
    [...words`HTTP/1.0 HTTP/1.2 HTTP/2.0 http/1.1`.map(version), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ],
  [
    "a target that is not a path: an asterisk, a host, an absolute URL",
    "505",
    [
      ...["OPTIONS * HTTP/1.1", "CONNECT x:443 HTTP/1.1"].map(line),
      ...words`http://x/v1/ping https://x/ v1/ping ?a=1`.map(target),
    ],
  ],
  [
    "a request line without a target, with more than one space between its parts, or that ends with a line feed alone",
    "505",
    [
      ...["GET HTTP/1.1", "GET  /v1/ping HTTP/1.1", "GET /v1/ping  HTTP/1.1"].map(line),
      ...["GET\t/v1/ping HTTP/1.1", "GET /v1/ping HTTP/1.1 ", " GET /v1/ping HTTP/1.1"].map(line),
      right.replaceAll("\r\n", "\n"),
    ],
  ],
  ["a zero byte in the target", "505", [target("/v1/p\0ing")]],
  [
    "trailer fields after a chunked body",
    "505",
    ["X-T: a\r\n\r\n", `X-T: a\r\n\r\n${right}`].map((trailer) => chunks + trailer),
  ],
  ["no `Host`, or several", "400", [right.replace("Host: localhost\r\n", ""), fields("Host: y")]],
  [
    "a header line without a colon, with a space before it, folded, or that ends with a line feed alone",
    "400",
    [...["X-A", "X-A : b", "X-A: b\r\n c"].map(fields), fields("X-A: b").replace("X-A: b\r", "X-A: b")],
  ],
  ["a control character in a header", "400", ["X-A: a\0b", "X-A: a\x07b", "X-\rA: b"].map(fields)],
  [
    "a head over 16 KB, or with more than 98 fields",
    "431",
    [
      fields(`X-A: ${"a".repeat(16_400)}`),
      target(`/${"a".repeat(16_400)}`),
      fields(Array(97).fill("A: b").join("\r\n")),
    ],
  ],
  [
    "a blank line before the request, or a bare carriage return in the target or a header",
    "none",
    [`\r\n${right}`, target("/v1/p\ring"), fields("X-A: a\rb"), fields("X-A: a\r")],
  ],
  [
    "a request line without a version and header lines after it, or bytes without a line end",
    "none",
    [line("GET /v1/ping"), "SSH-2.0-OpenSSH_9.2", body, "GET /v1/ping"],
  ],
];

for (const [kind, answer, ofKind] of requests) {
  test(`${kind}: the native layer answers ${answer}`, async () => {
    for (const request of ofKind) {
      using connection = await RawConnection.open(service.port);
      await connection.send(Buffer.from(request, "latin1"));
      if (answer === "none") {
        // Once this is answered, the service has read everything sent before it.
        await exchangeOnce(service.port, ping);
        assert.deepEqual([connection.unread, connection.isOver], ["", false], request);
        continue;
      }
      await connection.closed;
      assert.match(connection.unread, new RegExp(`^HTTP/1.1 ${answer} .*<h1>`, "s"), request);
      assert.doesNotMatch(connection.unread, /x-request-id/i, request);
    }
  });
}

test("98 header fields, and a method name in any case, are taken", async () => {
  // Beside `Host` and the key.
  const headers = Array<string>(96).fill("A: b");
  for (const method of ["GET", "get", "Get"])
    assert.equal(
      (await exchangeOnce(service.port, requestBytes(method, "/v1/ping", { headers }))).status,
      200,
    );
});
