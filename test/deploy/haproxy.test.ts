import { test } from "node:test";
import type { UsageAnswer } from "../../src/contract/api-types.ts";
import { until } from "../faults/gate.ts";
import { startQuickService, testKey } from "../service.ts";
import { RedisServer, redisMissing } from "../usage/redis-server.ts";
import { batchSize, flood, haproxyMissing, startHaproxy } from "./proxies.ts";

const clients = 6;

/** Three instances behind HAProxy with the file that is shipped. */
async function startFarm(settings: Readonly<Record<string, string>> = {}) {
  const starts = Array.from({ length: 3 }, () =>
    // One instance alone has room for all clients: HAProxy sends what is refused again, but at once.
    startQuickService({ POOL_QUEUE: String(clients), ...settings }),
  );
  const services = await Promise.all(starts);
  const proxy = await startHaproxy(services.map(({ port }) => port));
  const stop = () => Promise.all([proxy.stop(), ...services.map((service) => service.stop())]);
  return { children: services.map(({ child }) => child), url: proxy.url, stop };
}

test("instances that are killed and stopped under load cost no request behind HAProxy", {
  skip: haproxyMissing,
}, async () => {
  const farm = await startFarm();
  try {
    await flood(farm.url, clients, async (more) => {
      await more(50);
      farm.children[0]!.kill("SIGKILL");
      await more(100);
      farm.children[1]!.kill("SIGTERM");
      await more(100);
    });
  } finally {
    await farm.stop();
  }
});

test("instances that share a Redis count exactly what was answered, also when one stops under load", {
  skip: haproxyMissing || redisMissing,
}, async () => {
  const redis = await RedisServer.start();
  const farm = await startFarm({ USAGE_STORE: redis.url });
  try {
    const answered = await flood(farm.url, clients, async (more) => {
      await more(50);
      farm.children[0]!.kill("SIGTERM");
      await more(100);
    });
    const counted = async () => {
      const answer = await fetch(`${farm.url}/service/usage`, { headers: { "X-API-Key": testKey } });
      return ((await answer.json()) as UsageAnswer).key.total;
    };
    await until(async () => (await counted()) === batchSize * answered);
  } finally {
    await farm.stop();
    await redis.stop();
  }
});
