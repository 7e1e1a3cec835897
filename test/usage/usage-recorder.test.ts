import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { UsageRecorder } from "../../src/usage/usage-recorder.ts";
import { summariseUsage, type UsageKey } from "../../src/usage/usage-store.ts";
import { MemoryStore, totalOf } from "./memory-store.ts";

const start = Date.parse("2026-11-30T23:59:00Z");
/** Milliseconds by the clock that is never set. */
let passed: number;
let store: MemoryStore;
let keys: UsageKey[];
let log: string[];
let usage: UsageRecorder;
beforeEach(() => {
  mock.timers.enable({ apis: ["Date", "setTimeout"], now: start });
  passed = 0;
  mock.method(performance, "now", () => passed);
  store = new MemoryStore();
  keys = [
    { name: "anna", id: "a1" },
    { name: "anna", id: "a2" },
    { name: "berta", id: "b1" },
  ];
  log = [];
  usage = recorder();
});
afterEach(() => mock.reset());

function recorder(more?: { readonly room: number }): UsageRecorder {
  const record = (_: object, message: string) => void log.push(message);
  return new UsageRecorder({ store, log: { error: record, info: record }, ...more });
}

/** Lets the timer go off and its work end, as often as asked. */
async function tick(times = 1): Promise<void> {
  for (let tick = 0; tick < times; tick++) {
    passed += 100;
    mock.timers.tick(100);
    for (let turn = 0; turn < 20; turn++) await null;
  }
}

function use(counts: readonly number[]): void {
  for (const [index, count] of counts.entries()) if (count > 0) usage.add(keys[index]!, count);
}

test("usage is written by the next tick, all keys together, and no usage costs nothing", async () => {
  const plan = mock.method(globalThis, "setTimeout");
  use([3, 4, 5]);
  use([1, 0, 0]);
  assert.equal(usage.pending, 13);
  await tick(30);
  assert.deepEqual([store.calls, plan.mock.callCount()], [1, 1]);
  assert.deepEqual([await totalOf(store, "anna"), await totalOf(store, "berta")], [8, 5]);
  assert.deepEqual([usage.pending, usage.lost, usage.lagMs], [0, 0, 0]);
  use([2]);
  await tick();
  assert.equal(await totalOf(store, "anna"), 10);
});

test("the summary of a key and its holder has the day, the month and the total", async () => {
  use([1, 10, 100]);
  await tick();
  mock.timers.setTime(start + 60_000);
  use([2, 20, 200]);
  await tick();
  assert.deepEqual(await summariseUsage(store, { name: "anna", id: "a1" }, start + 60_000), {
    name: "anna",
    day: "2026-12-01",
    key: { id: "a1", today: 2, month: 2, total: 3 },
    all_keys: { today: 22, month: 22, total: 33 },
  });
  const unknown = await summariseUsage(store, { name: "unknown", id: "n1" }, start);
  assert.deepEqual(unknown.key, { id: "n1", today: 0, month: 0, total: 0 });
});

test("while the store refuses, everything is kept, reported once, tried ever more rarely, and written at last, also where the clock is set back", async () => {
  store.mood = "refusing";
  for (let step = 0; step < 600; step++) {
    use([1]);
    await tick();
  }
  assert.ok(store.calls > 10 && store.calls < 30, `${store.calls} tries in a minute`);
  mock.method(Date, "now", () => start - 3_600_000);
  assert.equal(usage.pending, 600);
  assert.equal(usage.lagMs, 59_900);
  assert.equal(await totalOf(store, "anna"), 0);
  store.mood = "well";
  await tick(60);
  assert.equal(await totalOf(store, "anna"), 600);
  assert.deepEqual([usage.pending, usage.lost, usage.lagMs], [0, 0, 0]);
  assert.deepEqual(log, ["usage cannot be stored; it is kept and retried", "usage is stored again"]);
});

test("additions whose word was lost on the way are sent again and count once", async () => {
  store.mood = "adding without saying so";
  use([5]);
  await tick();
  use([7]);
  await tick(10);
  assert.ok(store.calls > 2);
  store.mood = "well";
  await tick(60);
  assert.equal(await totalOf(store, "anna"), 12);
});

test("while the store does not answer a summary is as last read, and says when", async () => {
  const [first, second] = keys as [UsageKey, UsageKey];
  usage.add(first, 5);
  assert.equal((await usage.summaryOf(first)).as_of, undefined);
  store.mood = "refusing";
  usage.add(first, 3);
  const { key, as_of } = await usage.summaryOf(first);
  assert.deepEqual([key.total, as_of], [5, "2026-11-30T23:59:00.000Z"]);
  await assert.rejects(usage.summaryOf(second), /refused/);
  store.mood = "well";
  const later = await usage.summaryOf(first);
  assert.deepEqual([later.key.total, later.as_of], [8, undefined]);
});

test("who asks again within a second gets the same reading, unless something was counted in between", async () => {
  const [first, second, other] = keys as [UsageKey, UsageKey, UsageKey];
  usage.add(first, 5);
  const read = mock.method(store, "read");
  const sums = await Promise.all(Array.from({ length: 100 }, () => usage.summaryOf(first, 366)));
  assert.ok(sums.every(({ key }) => key.total === 5));
  assert.equal(read.mock.callCount(), 1);
  usage.add(other, 1);
  passed += 900;
  await usage.summaryOf(first, 366);
  assert.equal(read.mock.callCount(), 1, "another holder's use changes nothing");
  usage.add(second, 2);
  const { key, all_keys } = await usage.summaryOf(first, 366);
  assert.deepEqual(
    [key.total, all_keys.total, all_keys.days?.at(-1)],
    [5, 7, { day: "2026-11-30", checks: 7 }],
  );
  assert.equal(read.mock.callCount(), 2);
  passed += 1_000;
  await usage.summaryOf(first, 366);
  assert.equal(read.mock.callCount(), 3);
});

test("counts beyond the bound are lost and reported, each key's day taking one place", async () => {
  await usage.close();
  usage = recorder({ room: 2 });
  store.mood = "refusing";
  keys = Array.from({ length: 5 }, (_, index) => ({ name: `n${index}`, id: "k" }));
  // The first two are on their way to the store then, so that there is room for two more.
  for (let round = 0; round < 3; round++) {
    await tick();
    use([1, 2, 4, 8, 16]);
  }
  await tick();
  store.mood = "well";
  await tick(60);
  let stored = 0;
  for (const name of await store.names()) stored += await totalOf(store, name);
  assert.ok(usage.lost > 0);
  assert.equal(stored + usage.lost, 93, "every check is either stored or reported as lost");
});

test("more keys than go into one transaction are all written", async () => {
  for (let index = 0; index < 1_234; index++) usage.add({ name: `n${index}`, id: "k" }, 1);
  await usage.flush();
  assert.equal(store.calls, 3);
  assert.equal((await store.names()).length, 1_234);
});

test("a flush writes all that was used before it, also while another is on its way", async () => {
  use([1]);
  const first = usage.flush();
  use([2]);
  await Promise.all([first, usage.flush()]);
  assert.equal(await totalOf(store, "anna"), 3);
  store.mood = "refusing";
  use([4]);
  await assert.rejects(usage.flush(), /refused/);
  assert.equal(usage.pending, 4);
});

test("closing waits for a store that says nothing, but not for ever, and says what is lost", async () => {
  store.mood = "silent";
  for (const more of [[1, 2], [3]]) {
    use(more);
    await tick();
  }
  assert.deepEqual([store.calls, usage.pending], [1, 6], "one call is under way, and nothing is lost");
  mock.timers.reset();
  await usage.close();
  assert.deepEqual([store.isClosed, usage.lost], [true, 6]);
  assert.deepEqual(log, ["usage is lost: the store is not writable"]);
});

test("closing writes what is left, waits for a busy store as long as its limit says, and lets go of it", async () => {
  mock.timers.reset();
  const add = store.add.bind(store);
  mock.method(store, "add", async (...given: Parameters<typeof add>) => {
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    return add(...given);
  });
  use([1, 2, 3]);
  await usage.close(20_000);
  assert.equal(await totalOf(store, "anna"), 3);
  assert.deepEqual([store.isClosed, usage.lost, log], [true, 0, []]);
});
