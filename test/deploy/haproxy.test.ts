import { type TestContext, test } from "node:test";
import { until } from "../faults/gate.ts";
import { readUsage } from "../http/calls.ts";
import { startQuickService } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { RedisServer, redisMissing } from "../usage/redis-server.ts";
import { batchSize, flood, haproxyMissing, startHaproxy } from "./proxies.ts";

const clients = 6;

/** HAProxy with the file that is shipped, and the processes of three instances behind it. */
async function farmOf(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  // One instance alone has room for all clients: HAProxy sends what is refused again, but at once.
  const start = () => startQuickService({ POOL_QUEUE: String(clients), ...settings });
  const services = await Promise.all([start(), start(), start()]);
  t.after(() => Promise.all(services.map((service) => service.stop())));
  const proxy = await startHaproxy(pluck(services, "port"));
  t.after(proxy.stop);
  return { port: proxy.port, url: proxy.url, instances: pluck(services, "child") };
}

const skip = haproxyMissing;
test("instances that are killed and stopped under load cost no request behind HAProxy", {
  skip,
}, async (t) => {
  const { url, instances } = await farmOf(t);
  await flood(url, clients, async (more) => {
    await more(50);
    instances[0]!.kill("SIGKILL");
    await more(100);
    instances[1]!.kill("SIGTERM");
    await more(100);
  });
});

test("instances that share a Redis count exactly what was answered, also when one stops under load", {
  skip: haproxyMissing || redisMissing,
}, async (t) => {
  const redis = await RedisServer.start();
  t.after(() => redis.stop());
  const { port, url, instances } = await farmOf(t, { USAGE_STORE: redis.url });
  const answered = await flood(url, clients, async (more) => {
    await more(50);
    instances[0]!.kill("SIGTERM");
    await more(100);
  });
  await until(async () => (await readUsage(port)).key.total === batchSize * answered);
});
