import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { checkBatch, readUsage, reportedUsage } from "../http/calls.ts";
import { type RunningService, startQuickService } from "../service.ts";
import { RedisServer, redisMissing } from "../usage/redis-server.ts";
import { until } from "./gate.ts";

const iban = "DE89370400440532013000";

describe("a service that counts in Redis", { skip: redisMissing }, () => {
  let redis: RedisServer;
  let services: RunningService[];
  before(async () => {
    redis = await RedisServer.start();
    const start = () => startQuickService({ USAGE_STORE: redis.url });
    services = await Promise.all([start(), start()]);
  });
  after(async () => {
    for (const service of services) assert.equal(await service.stop(), 0);
    await redis.stop();
  });

  let checked: number;
  beforeEach(async () => {
    checked = (await readUsage(services[0]!.port)).key.total;
  });

  async function check(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      for (const service of services) {
        await checkBatch(service, [iban, iban, iban]);
        checked += 3;
      }
    }
  }

  for (const [what, away, back] of [
    ["is stopped", () => redis.stop(), () => redis.start()],
    ["hangs", () => redis.pause(), () => redis.resume()],
  ] as const)
    test(`while it ${what} checks go on, and all instances catch up and count nothing twice when it is back`, async () => {
      const [{ port, log }] = services as [RunningService];
      const timesLogged = (message: string) => log().split(message).length;
      const before = timesLogged("usage is stored again");
      await check(5);
      await away();
      await check(40);
      assert.match((await reportedUsage(port))!.as_of!, /^20/);
      await until(() => timesLogged("usage cannot be stored") > before);
      await back();
      await check(5);
      await until(async () => {
        const usages = await Promise.all(services.map((service) => reportedUsage(service.port)));
        return usages.every((usage) => usage?.key.total === checked);
      });
      await until(() => timesLogged("usage is stored again") > before);
    });
});
