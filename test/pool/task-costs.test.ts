import assert from "node:assert/strict";
import { test } from "node:test";
import { TaskCosts } from "../../src/pool/task-costs.ts";

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
