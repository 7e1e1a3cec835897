import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../faults/gate.ts";
import { type RunningService, startCompiledService, testKey } from "../service.ts";

const config = fileURLToPath(new URL("../../.deploy/haproxy.cfg", import.meta.url));
const skip = spawnSync("haproxy", ["-v"]).status === 0 ? false : "HAProxy is not installed";

const services: RunningService[] = [];
let proxy: ChildProcess;
let url: string;

before(async () => {
  if (skip !== false) return;
  const starts = Array.from({ length: 3 }, () => startCompiledService({ POOL_SIZE: "1", POOL_QUEUE: "4" }));
  services.push(...(await Promise.all(starts)));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const [a, b, c] = services.map((service) => `127.0.0.1:${service.port}`);
  proxy = spawn("haproxy", ["-f", config], {
    env: {
      ...process.env,
      BANKCHECK_BIND: `127.0.0.1:${port}`,
      BANKCHECK_A: a,
      BANKCHECK_B: b,
      BANKCHECK_C: c,
    },
    stdio: "ignore",
  });
  await until(async () => (await fetch(`${url}/service/live`).catch(() => undefined))?.status === 200);
});
after(async () => {
  if (skip !== false) return;
  proxy.kill("SIGKILL");
  await Promise.all(services.map((service) => service.stop()));
});

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

const iban = "DE89370400440532013000";
const batch = JSON.stringify({ ibans: Array<string>(500).fill(iban) });

/** Posts batches of 500 from so many clients until `isOver`, and gives how often each status came. */
async function flood(clients: number, isOver: () => boolean): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const headers = { "X-API-Key": testKey, "Content-Type": "application/json" };
  const client = async () => {
    while (!isOver()) {
      const answer = await fetch(`${url}/v1/iban`, { method: "POST", headers, body: batch });
      const { batch: counts } = (await answer.json()) as { batch?: { total: number } };
      if (answer.status === 200) assert.equal(counts?.total, 500);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return statuses;
}

const answered = (statuses: ReadonlyMap<number, number>) => statuses.get(200) ?? 0;

test("instances that are killed and stopped under load cost no request behind HAProxy", {
  skip,
}, async () => {
  let isOver = false;
  let sawAnswers = 0;
  const flooding = flood(6, () => {
    sawAnswers++;
    return isOver;
  });
  const more = async (count: number) => {
    const from = sawAnswers;
    await until(() => sawAnswers >= from + count);
  };
  await more(100);
  services[0]!.child.kill("SIGKILL");
  await more(200);
  services[1]!.child.kill("SIGTERM");
  await more(200);
  isOver = true;
  const statuses = await flooding;
  assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
  assert.ok(answered(statuses) >= 400);
});
