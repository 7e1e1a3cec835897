import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { expectError } from "../contract/error-table.ts";
import { until } from "../faults/gate.ts";
import { freePort } from "../free-port.ts";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { type RunningService, startQuickService, testKey } from "../service.ts";
import { endWithThisProcess } from "../support/children.ts";
import { newFolder } from "../support/folders.ts";

const config = fileURLToPath(new URL("../../.deploy/nginx.conf", import.meta.url));
const nginxMissing: string | false =
  spawnSync("nginx", ["-v"]).status === 0 ? false : "nginx is not installed";
const options = { skip: nginxMissing };
const headers = { "X-API-Key": testKey, "Content-Type": "application/json" };
const iban = "DE89370400440532013000";

let services: RunningService[] = [];
let nginx: ChildProcess | undefined;
let folder: string;
let port: number;
before(async () => {
  if (nginxMissing !== false) return;
  services = await Promise.all([1, 2].map(() => startQuickService({ POOL_QUEUE: "4" })));
  port = await freePort();
  folder = newFolder();
  const [a, b] = services.map((service) => `127.0.0.1:${service.port}`);
  const text = readFileSync(config, "utf8")
    .replace("127.0.0.1:8080", `127.0.0.1:${port}`)
    .replace("127.0.0.1:8081", a!)
    .replace("127.0.0.1:8082", b!)
    .replace("/dev/stdout", join(folder, "access.log"));
  const file = join(folder, "nginx.conf");
  writeFileSync(file, text);
  const globals = `daemon off; master_process off; pid ${join(folder, "pid")};`;
  nginx = spawn("nginx", ["-p", folder, "-c", file, "-g", globals], { stdio: "ignore" });
  endWithThisProcess(nginx);
  await until(
    async () => (await fetch(`http://127.0.0.1:${port}/service/live`).catch(() => undefined))?.status === 200,
  );
});
after(async () => {
  if (nginx !== undefined) {
    const ended = once(nginx, "exit");
    nginx.kill("SIGKILL");
    await ended;
  }
  await Promise.all(services.map((service) => service.stop()));
});

test("behind nginx checks, batches and refusals are those of the service", options, async () => {
  assert.equal((await exchangeOnce(port, requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
  const batch = await exchangeOnce(
    port,
    postBytes("/v1/iban", JSON.stringify({ ibans: Array(500).fill(iban) })),
  );
  assert.equal((JSON.parse(batch.body.toString()) as { batch: { total: number } }).batch.total, 500);
  expectError(
    await exchangeOnce(port, requestBytes("GET", "/v1/ping", { headers: ["X-API-Key:"] })),
    "invalid_key",
  );
  expectError(await exchangeOnce(port, postBytes("/v1/iban", " ".repeat(131_073))), "payload_too_large");
});

test("behind nginx a client of HTTP/1.0 is served, and an absolute target understood", options, async () => {
  for (const head of [
    `GET /v1/ping HTTP/1.0\r\nX-API-Key: ${testKey}\r\n\r\n`,
    `GET http://localhost/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${testKey}\r\n\r\n`,
  ]) {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.write(head);
    await once(socket, "close");
    assert.match(received, /^HTTP\/1\.[01] 200 OK\r\n/);
    assert.match(received, /Pong/);
  }
});

test("no IBAN gets into nginx's log", options, async () => {
  await exchangeOnce(port, requestBytes("GET", `/v1/iban/${iban}`));
  const log = () => readFileSync(join(folder, "access.log"), "utf8");
  await until(() => log().length > 0);
  assert.ok(!log().includes(iban) && !log().includes(testKey), log());
});

test("an instance that stops under load costs no request behind nginx", options, async () => {
  const statuses = new Map<number, number>();
  let isOver = false;
  let answers = 0;
  const body = JSON.stringify({ ibans: Array(100).fill(iban) });
  const client = async () => {
    while (!isOver) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/iban`, { method: "POST", headers, body });
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      answers++;
    }
  };
  const all = Promise.all(Array.from({ length: 4 }, client));
  await until(() => answers > 50);
  const stopped = services.pop()!.stop();
  const from = answers;
  await until(() => answers > from + 100);
  isOver = true;
  await all;
  assert.equal(await stopped, 0);
  assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
});
