import assert from "node:assert/strict";
import { test } from "node:test";
import type { UsageSummary } from "../../src/usage/usage-store.ts";
import { until } from "../faults/gate.ts";
import { type RunningService, startQuickService, testKey } from "../service.ts";
import { RedisServer, redisMissing } from "../usage/redis-server.ts";
import { haproxyMissing, type RunningProxy, startHaproxy } from "./proxies.ts";

const iban = "DE89370400440532013000";
const batchSize = 200;
const batch = JSON.stringify({ ibans: Array<string>(batchSize).fill(iban) });
const headers = { "X-API-Key": testKey, "Content-Type": "application/json" };

const clients = 6;

/** Three instances behind HAProxy with the file that is shipped. */
class Farm {
  readonly services: readonly RunningService[];
  readonly url: string;
  readonly #proxy: RunningProxy;

  private constructor(services: readonly RunningService[], proxy: RunningProxy) {
    this.services = services;
    this.url = proxy.url;
    this.#proxy = proxy;
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Farm> {
    const starts = Array.from({ length: 3 }, () =>
      // One instance alone has room for all clients: HAProxy sends what is refused again, but at once.
      startQuickService({ POOL_QUEUE: String(clients), ...settings }),
    );
    const services = await Promise.all(starts);
    return new Farm(services, await startHaproxy(services.map(({ port }) => port)));
  }

  /** Posts batches from several clients while `during` runs, and returns how often each status came. */
  async flood(
    during: (more: (answers: number) => Promise<void>) => Promise<void>,
  ): Promise<ReadonlyMap<number, number>> {
    const statuses = new Map<number, number>();
    let isOver = false;
    let answers = 0;
    const client = async () => {
      while (!isOver) {
        const answer = await fetch(`${this.url}/v1/iban`, { method: "POST", headers, body: batch });
        const text = await answer.text();
        if (answer.status === 200) assert.equal(text.split(`"iban":"${iban}"`).length > batchSize, true);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        answers++;
      }
    };
    const all = Promise.all(Array.from({ length: clients }, client));
    await during(async (count) => {
      const from = answers;
      await until(() => answers >= from + count);
    });
    isOver = true;
    await all;
    return statuses;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#proxy.stop(), ...this.services.map((service) => service.stop())]);
  }
}

test("instances that are killed and stopped under load cost no request behind HAProxy", {
  skip: haproxyMissing,
}, async () => {
  const farm = await Farm.start();
  try {
    const statuses = await farm.flood(async (more) => {
      await more(50);
      farm.services[0]!.child.kill("SIGKILL");
      await more(100);
      farm.services[1]!.child.kill("SIGTERM");
      await more(100);
    });
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
  } finally {
    await farm.stop();
  }
});

test("instances that share a Redis count exactly what was answered, also when one stops under load", {
  skip: haproxyMissing || redisMissing,
}, async () => {
  const redis = await RedisServer.start();
  const farm = await Farm.start({ USAGE_STORE: redis.url });
  try {
    const statuses = await farm.flood(async (more) => {
      await more(50);
      farm.services[0]!.child.kill("SIGTERM");
      await more(100);
    });
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
    const counted = async () => {
      const answer = await fetch(`${farm.url}/service/usage`, { headers });
      return ((await answer.json()) as UsageSummary).key.total;
    };
    const answered = batchSize * statuses.get(200)!;
    await until(async () => (await counted()) === answered);
  } finally {
    await farm.stop();
    await redis.stop();
  }
});
