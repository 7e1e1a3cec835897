import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { until } from "../faults/gate.ts";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { testKey, useQuickService } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { useStarted } from "../support/started.ts";
import { flood, nginxMissing, startNginx } from "./proxies.ts";

const iban = "DE89370400440532013000";

describe("behind nginx", { skip: nginxMissing }, () => {
  const services = [1, 2].map(() => useQuickService({ POOL_QUEUE: "4" }));
  const nginx = useStarted(
    () => startNginx(pluck(services, "port")),
    ({ stop }) => stop(),
  );
  const exchange = (bytes: Uint8Array) => exchangeOnce(nginx.port, bytes);

  test("checks, batches and refusals are those of the service", async () => {
    assert.equal((await exchange(requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
    const batch = postBytes("/v1/iban", JSON.stringify({ ibans: Array(500).fill(iban) }));
    const { body } = await exchange(batch);
    assert.equal((JSON.parse(body.toString()) as { batch: { total: number } }).batch.total, 500);
    const keyless = requestBytes("GET", "/v1/ping", { headers: ["X-API-Key:"] });
    expectError(await exchange(keyless), "invalid_key");
    expectError(await exchange(postBytes("/v1/iban", " ".repeat(131_073))), "payload_too_large");
  });

  test("a client of HTTP/1.0 is served, and an absolute target understood", async () => {
    for (const head of [
      "GET /v1/ping HTTP/1.0\r\n",
      "GET http://localhost/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n",
    ]) {
      const socket = connect(nginx.port, "127.0.0.1");
      socket.write(`${head}X-API-Key: ${testKey}\r\n\r\n`);
      assert.match(await text(socket), /^HTTP\/1\.[01] 200 OK\r\n.*Pong/s);
    }
  });

  test("HTTP/2 is taken over TLS, as the file says", async (t) => {
    const session = connectHttp2(`https://127.0.0.1:${nginx.securePort}`, { rejectUnauthorized: false });
    t.after(() => session.destroy());
    const asked = session.request({ ":path": `/v1/iban/${iban}`, "x-api-key": testKey });
    const [answer] = (await once(asked, "response")) as [Record<string, unknown>];
    assert.equal(answer[":status"], 200);
    assert.equal(((await json(asked)) as { status: number }).status, 1);
  });

  test("no IBAN gets into its log", async () => {
    await exchange(requestBytes("GET", `/v1/iban/${iban}`));
    const log = () => readFileSync(join(nginx.folder, "access.log"), "utf8");
    await until(() => log().length > 0);
    assert.ok(!log().includes(iban) && !log().includes(testKey), log());
  });

  test("an instance that stops under load costs no request", async () => {
    await flood(nginx.url, 4, async (more) => {
      await more(50);
      services[1]!.child.kill("SIGTERM");
      await more(100);
    });
  });
});
