import assert from "node:assert/strict";
import { test } from "node:test";
import { stampOf } from "../../src/pool/clock.ts";
import { Patience, TaskCosts } from "../../src/pool/estimates.ts";

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
