import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkerLoad } from "../../src/pool/worker-load.ts";

function setUp(size: number, ...threads: number[]) {
  let alive: readonly number[] = threads;
  const load = new WorkerLoad(size, () => alive);
  return {
    load,
    replace: (ended: number, by: number) => {
      alive = alive.map((thread) => (thread === ended ? by : thread));
    },
  };
}

test("the time at work is added up for each worker", () => {
  const { load } = setUp(3, 7, 5, 9);
  for (const [thread, milliseconds] of [
    [5, 1],
    [7, 2],
    [5, 4],
    [5, 8],
    [7, 16],
  ] as const)
    load.add(thread, milliseconds);
  assert.deepEqual(load.busyMs, [13, 18, 0]);
});

test("a replacement continues where the thread before it ended", () => {
  const { load, replace } = setUp(2, 1, 2);
  load.add(1, 10);
  load.add(2, 20);
  replace(1, 3);
  load.add(3, 5);
  load.add(2, 1);
  replace(2, 4);
  load.add(4, 100);
  load.add(3, 1);
  assert.deepEqual(load.busyMs, [16, 121]);
});

test("no work is lost, whichever threads it comes from", () => {
  const { load, replace } = setUp(1, 1);
  load.add(1, 1);
  replace(1, 2);
  load.add(1, 2);
  load.add(2, 4);
  load.add(99, 8);
  assert.deepEqual(load.busyMs, [15]);
});
