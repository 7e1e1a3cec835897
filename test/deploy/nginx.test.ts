import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { until } from "../faults/gate.ts";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { type RunningService, startQuickService, testKey } from "../service.ts";
import { flood, nginxMissing, startNginx } from "./proxies.ts";

const options = { skip: nginxMissing };
const iban = "DE89370400440532013000";

let services: RunningService[] = [];
let nginx: Awaited<ReturnType<typeof startNginx>>;
let port: number;
before(async () => {
  if (nginxMissing !== false) return;
  services = await Promise.all([1, 2].map(() => startQuickService({ POOL_QUEUE: "4" })));
  nginx = await startNginx(services.map((service) => service.port));
  ({ port } = nginx);
});
after(async () => {
  if (nginxMissing !== false) return;
  await Promise.all([nginx?.stop(), ...services.map((service) => service.stop())]);
});

test("behind nginx checks, batches and refusals are those of the service", options, async () => {
  assert.equal((await exchangeOnce(port, requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
  const batch = postBytes("/v1/iban", JSON.stringify({ ibans: Array(500).fill(iban) }));
  const { body } = await exchangeOnce(port, batch);
  assert.equal((JSON.parse(body.toString()) as { batch: { total: number } }).batch.total, 500);
  const keyless = requestBytes("GET", "/v1/ping", { headers: ["X-API-Key:"] });
  expectError(await exchangeOnce(port, keyless), "invalid_key");
  expectError(await exchangeOnce(port, postBytes("/v1/iban", " ".repeat(131_073))), "payload_too_large");
});

test("behind nginx a client of HTTP/1.0 is served, and an absolute target understood", options, async () => {
  for (const head of [
    "GET /v1/ping HTTP/1.0\r\n",
    "GET http://localhost/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n",
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`${head}X-API-Key: ${testKey}\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.[01] 200 OK\r\n.*Pong/s);
  }
});

test("nginx takes HTTP/2 over TLS, as its file says", options, async () => {
  const session = connectHttp2(`https://127.0.0.1:${nginx.securePort}`, { rejectUnauthorized: false });
  try {
    const asked = session.request({ ":path": `/v1/iban/${iban}`, "x-api-key": testKey });
    const [answer] = (await once(asked, "response")) as [Record<string, unknown>];
    assert.equal(answer[":status"], 200);
    assert.equal(((await json(asked)) as { status: number }).status, 1);
  } finally {
    session.destroy();
  }
});

test("no IBAN gets into nginx's log", options, async () => {
  await exchangeOnce(port, requestBytes("GET", `/v1/iban/${iban}`));
  const log = () => readFileSync(join(nginx.folder, "access.log"), "utf8");
  await until(() => log().length > 0);
  assert.ok(!log().includes(iban) && !log().includes(testKey), log());
});

test("an instance that stops under load costs no request behind nginx", options, async () => {
  let stopped: Promise<number | null> | undefined;
  await flood(nginx.url, 4, async (more) => {
    await more(50);
    stopped = services.pop()!.stop();
    await more(100);
  });
  assert.equal(await stopped, 0);
});
