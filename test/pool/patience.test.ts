import assert from "node:assert/strict";
import { test } from "node:test";
import { stampOf } from "../../src/pool/clock.ts";
import { Patience, TaskCosts, Vigilance } from "../../src/pool/estimates.ts";

/** Lets a number of waits of `ms` milliseconds pass. */
function wait(patience: Patience, count: number, ms: number): void {
  for (let index = 0; index < count; index++) patience.waited(stampOf(5), stampOf(5 + ms));
}

test("a thread stays awake only where the last waits were shorter than what sleeping costs", () => {
  const patience = new Patience(0.1);
  assert.equal(patience.ms, 0, "nothing is known yet");
  wait(patience, 20, 0.03);
  assert.equal(patience.ms, 0.1);
  wait(patience, 1, 4);
  assert.equal(patience.ms, 0.1, "a single long wait changes nothing");
  wait(patience, 5, 4);
  assert.equal(patience.ms, 0);
  wait(patience, 10, 0.02);
  assert.equal(patience.ms, 0.1, "and many short ones do");
});

test("what a task will cost is learnt by kind and length, and one that lost the processor counts little", () => {
  const costs = new TaskCosts();
  for (let round = 0; round < 200; round++) {
    costs.learn(1, 22, 4);
    costs.learn(2, 14_000, 140);
    costs.learn(4, 10, 2_000);
  }
  const near = (kind: number, length: number, cost: number) => {
    const expected = costs.expected(kind, length);
    assert.ok(Math.abs(expected - cost) < cost * 0.1, `${kind}: ${expected} instead of ${cost}`);
  };
  near(1, 22, 4);
  near(2, 14_000, 140);
  near(2, 7_000, 70);
  near(4, 10, 2_000);
  costs.learn(1, 22, 8_000);
  assert.ok(costs.expected(1, 22) < 5);
});

/** Rounds of a client that sends one request after the other, each this long after the last answer, in milliseconds. */
class Client {
  readonly vigilance = new Vigilance();
  /** How long the worker has looked in all. */
  lookedMs = 0;
  time = 0;

  /** Lets a number of tasks come; returns how many of them the worker found while it looked. */
  send(count: number, { gapMs = 0.025, taken = 1, lostMs = 0 } = {}): number {
    let found = 0;
    for (let index = 0; index < count; index++) {
      const lookingMs = this.vigilance.lookingMs(taken);
      const took = Math.min(gapMs + lostMs, lookingMs);
      const hasFound = gapMs + lostMs < lookingMs;
      if (lookingMs > 0) this.vigilance.looked(hasFound, took, Math.min(lostMs, took));
      if (hasFound) found++;
      else this.vigilance.slept(gapMs);
      this.lookedMs += took;
      this.time += gapMs + (lookingMs > 0 ? lostMs : 0);
    }
    return found;
  }

  /** Tenant of its time that the worker looks while such tasks come. */
  shareOf(count: number, tasks: { readonly gapMs: number; readonly lostMs?: number }): number {
    const before = { looked: this.lookedMs, time: this.time };
    this.send(count, tasks);
    return (this.lookedMs - before.looked) / (this.time - before.time);
  }
}

test("a worker looks for the next task if each arrives soon after the last answer", () => {
  const client = new Client();
  assert.equal(client.send(10_000), 10_000);
});

test("a worker stops looking if tasks are rare", () => {
  const client = new Client();
  client.send(1_000);
  client.send(20, { gapMs: 5 });
  assert.equal(client.shareOf(100_000, { gapMs: 5 }), 0);
  assert.equal(client.shareOf(100_000, { gapMs: 0.2 }), 0);
});

test("a worker makes a trial after a thousand short idle times, and looks on where it pays", () => {
  const client = new Client();
  client.send(20, { gapMs: 5 });
  assert.equal(client.send(1_023), 0);
  assert.ok(client.send(1_000) >= 999);
});

test("a worker looks seldom where a find spares less than the look costs", () => {
  const client = new Client();
  client.send(20_000, { gapMs: 0.12 });
  assert.ok(client.shareOf(100_000, { gapMs: 0.12 }) < 0.02);
});

test("a worker does not look if several requests arrive together", () => {
  const client = new Client();
  client.send(16, { taken: 4 });
  client.lookedMs = 0;
  client.send(10_000, { taken: 4 });
  assert.equal(client.lookedMs, 0);
  assert.ok(client.send(1_000) > 980, "until they come one by one again");
});

test("a moment without the processor does not end the looking that has paid", () => {
  const client = new Client();
  client.send(2_000);
  client.send(1, { lostMs: 4 });
  assert.equal(client.send(100), 100);
});

test("a worker that keeps losing the processor while it looks makes trials of it less and less often", () => {
  const client = new Client();
  const shares = [2_000, 8_000, 32_000, 128_000].map((count) =>
    client.shareOf(count, { gapMs: 0.05, lostMs: 3 }),
  );
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => b - a),
  );
  assert.ok(shares.at(-1)! < 0.01, `${shares}`);
});
