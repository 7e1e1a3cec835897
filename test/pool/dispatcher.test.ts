import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createQueues, mainQueues, QueueField, workerQueues } from "../../src/pool/queues.ts";
import { maxStartMs } from "../../src/pool/run-loops.ts";
import { SlotMemory } from "../../src/pool/slots.ts";
import { Tenant } from "../../src/pool/tenant.ts";
import { tickMs } from "../../src/pool/ticks.ts";
import { allocateSlots } from "../support/slots.ts";
import { Simulation, upTo } from "./simulated-workers.ts";

const slotNames = (count: number) => upTo(count).map(String);

test("first in, first out, in one run loop", async () => {
  const simulation = new Simulation({ workers: 1 });
  simulation.submit([5, 3, 4]);
  simulation.takeTurn();
  simulation.submit([0, 2, 1]);
  await simulation.settle(6);
  simulation.submit([7]);
  await simulation.settle(7);
  assert.deepEqual(simulation.begun, [5, 3, 4, 0, 2, 1, 7]);
  assert.deepEqual(simulation.reported, ["5", "3", "4", "0", "2", "1", "7"]);
  assert.deepEqual(simulation.loops, [0]);
});

test("little work wakes one worker at the end of its turn, much wakes as many as it pays for", () => {
  for (const [count, workers] of [
    [1, 1],
    [15, 1],
    [40, 2],
    [60, 3],
  ] as const) {
    const simulation = new Simulation({ workers: 4 }).comeUp();
    simulation.submit(upTo(count));
    assert.deepEqual(simulation.awake, []);
    simulation.takeTurn();
    assert.equal(simulation.awake.length, workers, `${count} slots`);
  }
});

test("work behind a long task is begun by another worker, also when the main thread sleeps", async () => {
  let hasSlept = false;
  const simulation: Simulation = new Simulation({
    workers: 2,
    work: (number) => {
      if (number !== 0) return;
      // As long as this task takes, the other worker is all there is.
      while (simulation.takeTurn());
      hasSlept = true;
      assert.equal(simulation.work(1), true, "the other worker was not called");
      assert.deepEqual(simulation.begun, [0, 1]);
    },
  }).comeUp();
  simulation.submit([0, 1]);
  simulation.takeTurn();
  assert.deepEqual(simulation.awake, [0]);
  simulation.work(0);
  await simulation.settle(2);
  assert.ok(hasSlept);
  assert.deepEqual(simulation.reported.sort(), slotNames(2));
});

test("heavy tasks leave one worker of several to the others, and have a worker of one", async () => {
  const heavy = 2_000 * 512;
  for (const [workers, begun] of [
    [1, [0, 1, 2, 3]],
    [2, [0, 3, 1, 2]],
    [3, [0, 1, 3, 2]],
  ] as const) {
    const simulation: Simulation = new Simulation({
      workers,
      work: (number) => {
        // While one worker is at a heavy task, the others take all that they may have.
        if (number === 3) return;
        while (simulation.takeTurn());
        while (simulation.work());
      },
    });
    simulation.submit([0, 1, 2], simulation.tenant, 1, heavy);
    simulation.submit([3]);
    await simulation.settle(4);
    assert.deepEqual(simulation.begun, begun, `${workers} workers`);
  }
});

test("a crowd of a form of which none is done yet leaves one worker to the others", async () => {
  const simulation: Simulation = new Simulation({
    workers: 2,
    work: (number) => {
      if (number > 0) return;
      while (simulation.takeTurn());
      while (simulation.work(1));
      assert.deepEqual(simulation.begun, [0, 30], "the first of the crowd is not done");
    },
  });
  const unknown = 7;
  simulation.submit(upTo(20), new Tenant({}), unknown);
  simulation.submit([30]);
  await simulation.settle(21);
});

test("after a task that killed its worker, little waits behind others of its form", async () => {
  const simulation: Simulation = new Simulation({
    workers: 2,
    work: (number) => {
      if (number < 20) simulation.kill();
    },
  });
  const killing = 2;
  simulation.submit([0], simulation.tenant, killing);
  await simulation.settle(1);
  simulation.submit(upTo(20).slice(1), simulation.tenant, killing);
  simulation.submit([20, 21, 22], new Tenant({}));
  await simulation.settle(23);
  assert.equal(simulation.reported.length, 23);
  const killsBefore = simulation.begun.indexOf(22) - 2;
  assert.ok(killsBefore <= 3, `${killsBefore} killing tasks before the last of the others`);
});

test("workers that never come up are given up after a while, with a pause before each attempt", async () => {
  const simulation = new Simulation({ workers: 1, cannotComeUp: true });
  const begin = performance.now();
  simulation.submit([0, 1]);
  while (simulation.reported.length < 2) await simulation.settle(2);
  assert.deepEqual(simulation.reported, ["0 unbegun", "1 unbegun"]);
  const tookMs = performance.now() - begin;
  assert.ok(tookMs >= maxStartMs, `${tookMs} ms`);
  assert.ok(simulation.loops.length > 1, "it did not try again");
  assert.ok(simulation.loops.length <= 2 + tookMs / tickMs, `${simulation.loops.length} attempts`);
  assert.ok(!simulation.dispatcher.loops.hasWorkers);
  simulation.cannotComeUp = false;
  simulation.submit([2]);
  for (let attempt = 0; attempt < 10; attempt++) await simulation.settle(3);
  assert.equal(simulation.reported.at(-1), "2", "it does not try again");
  assert.ok(simulation.dispatcher.loops.hasWorkers);
});

test("a closed dispatcher fails what waits at once, and begins no run loop any more", async () => {
  const simulation = new Simulation({ workers: 1, cannotComeUp: true });
  simulation.submit([0, 1]);
  simulation.takeTurn();
  simulation.submit([2]);
  // The next attempt is due after a pause, and this one fails after the dispatcher was closed.
  while (simulation.loops.length < 2) await delay(1);
  simulation.dispatcher.close();
  assert.deepEqual(simulation.reported.sort(), ["0 unbegun", "1 unbegun", "2 unbegun"]);
  const begun = simulation.loops.length;
  await delay(2 * tickMs);
  assert.equal(simulation.loops.length, begun);
});

test("a slot that is taken back is reported at once, and never begun; one that is begun stays", async () => {
  const simulation: Simulation = new Simulation({
    workers: 1,
    work: (number) => assert.equal(simulation.drop(number), false),
  });
  simulation.submit([0, 1]);
  simulation.takeTurn();
  simulation.submit([2, 3]);
  for (const number of [1, 2]) {
    assert.equal(simulation.drop(number), true);
    assert.equal(simulation.drop(number), false);
  }
  assert.deepEqual(simulation.reported, ["1 unbegun", "2 unbegun"]);
  await simulation.settle(4);
  assert.deepEqual(simulation.begun, [0, 3]);
});

test("what waits behind a heavy task that is taken back is begun, also when the main thread sleeps", async () => {
  const unknown = 2;
  const simulation = new Simulation({ workers: 1 }).comeUp();
  simulation.submit([0, 1], simulation.tenant, unknown);
  while (simulation.takeTurn());
  assert.equal(simulation.drop(0), true);
  await simulation.settle(2);
  assert.deepEqual(simulation.reported, ["0 unbegun", "1"]);
});

test("slots that are withdrawn and reused repeatedly never fill the ring, also while its worker is parked", async () => {
  for (const count of [8, 1]) {
    const simulation = new Simulation({ workers: 1, slots: 8 }).comeUp();
    for (let round = 0; round < 200; round++) {
      simulation.submit(upTo(count));
      if (count > 1) simulation.takeTurn();
      for (const number of upTo(count)) simulation.drop(number);
      if (count === 1) while (simulation.takeTurn());
    }
    simulation.reported.length = 0;
    simulation.submit(upTo(8));
    await simulation.settle(8);
    assert.deepEqual(simulation.reported.sort(), slotNames(8));
  }
});

test("a key that floods the queue delays the others by what the workers have before them, no more", async () => {
  const simulation = new Simulation({
    workers: 1,
    work: (number) => {
      const end = performance.now() + (number < 50 ? 0.5 : 0);
      while (performance.now() < end);
    },
  });
  const [flood, other] = [new Tenant({}), new Tenant({})];
  const searches = 4;
  // The first ones show what such a search costs.
  for (const number of upTo(40)) {
    simulation.submit([number], flood, searches);
    await simulation.settle(number + 1);
  }
  simulation.reported.length = 0;
  simulation.begun.length = 0;
  simulation.submit(upTo(50), flood, searches);
  simulation.takeTurn();
  simulation.submit([60], other);
  await simulation.settle(51);
  const place = simulation.begun.indexOf(60);
  assert.ok(place > 0 && place < 10, `${place}`);
});

test("a worker that finds nothing wakes the main thread without work, repeatedly", async () => {
  const shared = createQueues(1, 4);
  const main = mainQueues(shared);
  const worker = workerQueues(shared, new SlotMemory(allocateSlots(4, 0)), 0, 1);
  const fields = new Int32Array(shared.buffer);
  for (let round = 0; round < 3; round++) {
    assert.equal(worker.spin(0, 0), false);
    assert.equal(Atomics.notify(fields, QueueField.nudge), 0, "it was woken");
    let woken = 0;
    for (let wait = 0; wait < 1_000 && woken === 0; wait++) {
      await delay(1);
      woken = Atomics.notify(fields, QueueField.nudge);
    }
    assert.equal(woken, 1, "it waits for the next time");
  }
  assert.equal(main.length(), 0);
});
