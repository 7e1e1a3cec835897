import type { ChildProcess } from "node:child_process";
import { test } from "node:test";
import { until } from "../faults/gate.ts";
import { readUsage } from "../http/calls.ts";
import { startQuickService } from "../service.ts";
import { RedisServer, redisMissing } from "../usage/redis-server.ts";
import { batchSize, flood, haproxyMissing, startHaproxy } from "./proxies.ts";

const clients = 6;

/** Runs a test before HAProxy with the file that is shipped, and three instances behind it. */
async function withFarm(
  settings: Readonly<Record<string, string>>,
  run: (url: string, instances: readonly ChildProcess[]) => Promise<void>,
): Promise<void> {
  // One instance alone has room for all clients: HAProxy sends what is refused again, but at once.
  const start = () => startQuickService({ POOL_QUEUE: String(clients), ...settings });
  const services = await Promise.all([start(), start(), start()]);
  const proxy = await startHaproxy(services.map(({ port }) => port));
  try {
    await run(
      proxy.url,
      services.map(({ child }) => child),
    );
  } finally {
    await Promise.all([proxy.stop(), ...services.map((service) => service.stop())]);
  }
}

test(
  "instances that are killed and stopped under load cost no request behind HAProxy",
  {
    skip: haproxyMissing,
  },
  () =>
    withFarm({}, async (url, instances) => {
      await flood(url, clients, async (more) => {
        await more(50);
        instances[0]!.kill("SIGKILL");
        await more(100);
        instances[1]!.kill("SIGTERM");
        await more(100);
      });
    }),
);

test("instances that share a Redis count exactly what was answered, also when one stops under load", {
  skip: haproxyMissing || redisMissing,
}, async () => {
  const redis = await RedisServer.start();
  await withFarm({ USAGE_STORE: redis.url }, async (url, instances) => {
    const answered = await flood(url, clients, async (more) => {
      await more(50);
      instances[0]!.kill("SIGTERM");
      await more(100);
    });
    const port = Number(new URL(url).port);
    await until(async () => (await readUsage(port)).key.total === batchSize * answered);
  });
  await redis.stop();
});
