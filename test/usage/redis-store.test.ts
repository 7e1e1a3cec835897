import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { openUsageStore } from "../../src/usage/usage-recorder.ts";
import type { UsageStore } from "../../src/usage/usage-store.ts";
import { until } from "../faults/gate.ts";
import { addition, totalOf } from "./memory-store.ts";
import { RedisServer, redisMissing, startLossyProxy } from "./redis-server.ts";
import { keepsTheContract } from "./store-contract.ts";

test("a URL that cannot be read is refused in one sentence that does not repeat it", async () => {
  for (const url of [
    "redis://host:99999",
    "redis://anna:secret%zz@host",
    "redis://se%zzcret:x@host:6379/0",
  ]) {
    await assert.rejects(openUsageStore(url, "/nowhere"), {
      name: "SettingError",
      message: "USAGE_STORE must be lmdb or the URL of a Redis server.",
    });
  }
});

describe("usage in Redis", { skip: redisMissing }, () => {
  let redis: RedisServer;
  let database = 0;
  let stores: UsageStore[] = [];
  before(async () => {
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    stores = [];
    database++;
  });
  after(() => redis.stop());

  async function open(url = redis.url.replace(/0$/, String(database))): Promise<UsageStore> {
    const store = await openUsageStore(url, "/nowhere");
    stores.push(store);
    return store;
  }

  /** Waits until an addition is taken. */
  const isAdded = (store: UsageStore, sequence: number, count: number) =>
    until(async () => {
      const added = store.add("w", sequence, [addition("anna", "a1", count)]);
      return (await added.catch((error: Error) => error)) === undefined;
    });

  keepsTheContract(() => open());

  test("an answer that is lost on the way does not make anything count twice", async () => {
    const proxy = await startLossyProxy(redis.port);
    const store = await open(`${proxy.url}/${database}`);
    await store.add("w", 1, [addition("anna", "a1", 1)]);
    proxy.loses = true;
    const direct = await open();
    await assert.rejects(store.add("w", 2, [addition("anna", "a1", 10)]), /cannot be reached/);
    assert.equal(await totalOf(direct, "anna"), 11, "it was added all the same");
    proxy.loses = false;
    await isAdded(store, 2, 10);
    await store.add("w", 3, [addition("anna", "a1", 100)]);
    assert.equal(await totalOf(direct, "anna"), 111);
    assert.ok(proxy.lost > 0);
    proxy.close();
  });

  test("a server that is not there is reported by every call, and reached once it is there", async () => {
    await redis.stop();
    const store = await open();
    await assert.rejects(store.names(), /cannot be reached: .*ECONNREFUSED/);
    await assert.rejects(store.add("w", 1, [addition("anna", "a1", 1)]), /cannot be reached/);
    await redis.start();
    await isAdded(store, 1, 1);
    assert.equal(await totalOf(store, "anna"), 1);
  });

  test("a password in the URL is in no error", async () => {
    const store = await open(`redis://user:sesame-open@127.0.0.1:${redis.port}/0`);
    await assert.rejects(store.names(), (error: Error) => !error.message.includes("sesame"));
  });
});
