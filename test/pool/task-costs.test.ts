import assert from "node:assert/strict";
import { test } from "node:test";
import { costOfHeavyTask, TaskCosts } from "../../src/pool/task-costs.ts";

test("what a task will cost is learnt by form and length, at once by the first one of its form", () => {
  const costs = new TaskCosts();
  assert.equal(costs.expected(1, 22), costOfHeavyTask);
  costs.learn(2, 14_000, 140);
  assert.equal(costs.expected(2, 7_000), 70);
  for (let round = 0; round < 200; round++) {
    costs.learn(1, 22, 4);
    costs.learn(4, 10, 2_000);
  }
  costs.learn(1, 22, 84);
  assert.equal(costs.expected(1, 22), 9, "one that lost the processor counts little");
  assert.equal(costs.expected(4, 10), 2_000);
});
