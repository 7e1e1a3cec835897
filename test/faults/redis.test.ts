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

  const caughtUp = () =>
    until(async () => {
      const usages = await Promise.all(services.map(({ port }) => reportedUsage(port)));
      return usages.every((usage) => usage?.key.total === checked);
    });

  test("while it is stopped checks go on, and the counts of all instances are caught up when it is back", async () => {
    await check(5);
    await redis.stop();
    await check(40);
    assert.match((await reportedUsage(services[0]!.port))!.as_of!, /^20/);
    await until(() => services[0]!.log().includes("usage cannot be stored"));
    await redis.start();
    await check(5);
    await caughtUp();
    await until(() => services[0]!.log().includes("usage is stored again"));
  });

  test("while it hangs checks go on, and nothing is counted twice when it wakes", async () => {
    await check(5);
    redis.pause();
    await check(40);
    redis.resume();
    await check(5);
    await caughtUp();
  });
});
