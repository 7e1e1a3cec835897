import assert from "node:assert/strict";
import { test } from "node:test";
import { recommend } from "../../bench/tune/recommend.ts";
import type { Swept } from "../../bench/tune/sweep.ts";

const plan = { sizes: [], queues: [], levels: [0.6, 1.5], rounds: 2, seconds: 1 };

type Load = readonly [goodput: number, p99: number, refused?: number];

/** Pool sizes 1, 2, … with what each did under single checks, and under batches and the mix where that differs. */
type Tried = readonly [singles: Load, others?: Load];

/** Pool sizes 1, 2, … with what each did. */
function tried(...values: readonly Tried[]): readonly Swept[] {
  return values.map(([singles, others = [1_000, 1]], index) => {
    const steps = ([goodput, p99, refused = 0]: Load) =>
      plan.levels.map(() => ({ goodput, lowest: goodput, highest: goodput, p99, refused }));
    return {
      value: index + 1,
      steps: { singles: steps(singles), batches: steps(others), mix: steps([1_000, 1]) },
    };
  });
}

const sizeOf = (...values: readonly Tried[]) => recommend("POOL_SIZE", tried(...values), plan);

test("the smallest value within the tolerance is taken, not the best", () => {
  const found = sizeOf([[900, 2]], [[960, 2]], [[1_000, 2]]);
  assert.deepEqual([found.value, found.keepsRule], [2, true]);
  assert.equal(
    found.reason,
    "2 keeps the rule; smaller values miss it: 1 (single checks: 90 % of the best goodput).",
  );
});

test("a value that is slow under ordinary work is passed over", () => {
  assert.equal(sizeOf([[1_000, 25]], [[1_000, 11]]).value, 2);
  assert.equal(sizeOf([[1_000, 22]], [[1_000, 11]]).value, 1, "twice the lowest");
  assert.equal(sizeOf([[1_000, 20]], [[1_000, 1]]).value, 1, "20 ms are never too slow");
});

test("a value that refuses more than the least does is passed over", () => {
  assert.equal(sizeOf([[1_000, 2, 0.05]], [[1_000, 2, 0.02]]).value, 2);
  assert.equal(sizeOf([[1_000, 2, 0.024]], [[1_000, 2, 0.02]]).value, 1);
});

test("a value under which nothing was answered is passed over", () => {
  assert.equal(sizeOf([[0, Number.NaN]], [[10, 200]]).value, 2);
});

test("where no value keeps the rule, that with the best goodput in its worst load is taken and says so", () => {
  const found = sizeOf(
    [
      [1_000, 1],
      [300, 1],
    ],
    [
      [800, 1],
      [500, 1],
    ],
  );
  assert.deepEqual([found.value, found.keepsRule], [2, false]);
  assert.match(
    found.reason,
    /No value keeps the rule; 2 comes nearest.*single checks: 80 % of the best goodput/,
  );
});

test("no difference counts that is smaller than the spread between rounds", () => {
  const spread = tried([[880, 1]], [[1_000, 1]]).map(({ value, steps }) => {
    const wide = (each: Swept["steps"]["mix"]) =>
      each.map((step) => ({ ...step, lowest: step.goodput! * 0.86, highest: step.goodput! * 1.14 }));
    return {
      value,
      steps: { singles: wide(steps.singles), batches: wide(steps.batches), mix: wide(steps.mix) },
    };
  });
  assert.equal(recommend("POOL_SIZE", spread, plan).value, 1);
  assert.match(recommend("POOL_SIZE", spread, plan).rule, /within 14 % of the best/);
  assert.match(recommend("POOL_SIZE", spread, { ...plan, rounds: 1 }).rule, /within 10 % of the best/);
});

test("the rule is reported with its figures, and nothing tried has no best", () => {
  assert.equal(
    sizeOf([[5, 900]]).rule,
    "The smallest pool size whose goodput is within 5 % of the best under every load, whose p99 at 0.6 of the capacity is at most 20 ms or 2 times the lowest, and which at 0.6 of the capacity refuses at most 0.5 % more than the least.",
  );
  const queue = recommend("POOL_QUEUE", tried([[1_000, 60]], [[1_000, 40]]), plan);
  assert.match(queue.rule, /p99 under overload is at most 50 ms \(or the lowest there is\)/);
  assert.equal(queue.value, 2);
  assert.throws(() => sizeOf(), /no pool size was tried/);
});
