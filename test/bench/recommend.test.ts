import assert from "node:assert/strict";
import { test } from "node:test";
import { type Candidate, type Rule, recommend, ruleText, toleranceFor } from "../../bench/tune/recommend.ts";

const rule: Rule = {
  ...{ goodputTolerance: 0.05, p99Ms: 10, p99Multiple: 2, refused: 0.01 },
  ...{ p99At: "at 0.7 of the capacity", refusedAt: "at 0.6 of the capacity" },
};

/** Pool sizes 1, 2, … with the result of each under one load. */
function candidates(
  ...figures: readonly (readonly [goodput: number, p99: number, refused?: number])[]
): Candidate[] {
  return figures.map(([goodput, p99, refused = 0], index) => ({
    value: index + 1,
    loads: [{ load: "batches", goodput, p99, refused }],
  }));
}

test("the smallest value within the tolerance is taken, not the best", () => {
  const found = recommend(candidates([900, 2], [960, 2], [1_000, 2]), rule);
  assert.equal(found?.value, 2);
  assert.equal(found.keepsRule, true);
  assert.equal(
    found.reason,
    "2 keeps the rule; smaller values miss it: 1 (batches: 90 % of the best goodput).",
  );
});

test("a value that is slow under ordinary work is passed over", () => {
  assert.equal(recommend(candidates([1_000, 25], [1_000, 11]), rule)?.value, 2);
  assert.equal(recommend(candidates([1_000, 22], [1_000, 11]), rule)?.value, 1, "twice the lowest");
  assert.equal(recommend(candidates([1_000, 10], [1_000, 1]), rule)?.value, 1, "10 ms are never too slow");
});

test("a value that refuses more than the least does is passed over", () => {
  assert.equal(recommend(candidates([1_000, 2, 0.05], [1_000, 2, 0.02]), rule)?.value, 2);
  assert.equal(recommend(candidates([1_000, 2, 0.028], [1_000, 2, 0.02]), rule)?.value, 1);
});

test("a value under which nothing was answered is passed over", () => {
  assert.equal(recommend(candidates([0, Number.NaN], [10, 200]), rule)?.value, 2);
});

test("every load counts", () => {
  const load = (name: string, goodput: number) => ({ load: name, goodput, p99: 1, refused: 0 });
  const found = recommend(
    [
      { value: 2, loads: [load("singles", 1_000), load("batches", 500)] },
      { value: 1, loads: [load("singles", 1_000), load("batches", 300)] },
      { value: 3, loads: [load("singles", 940), load("batches", 500)] },
    ],
    rule,
  );
  assert.equal(found?.value, 2);
});

test("where no value keeps the rule, that with the best goodput in its worst load is taken and says so", () => {
  const load = (name: string, goodput: number) => ({ load: name, goodput, p99: 1, refused: 0 });
  const found = recommend(
    [
      { value: 1, loads: [load("singles", 1_000), load("batches", 300)] },
      { value: 2, loads: [load("singles", 800), load("batches", 500)] },
    ],
    rule,
  );
  assert.equal(found?.value, 2);
  assert.equal(found.keepsRule, false);
  assert.match(found.reason, /No value keeps the rule; 2 comes nearest.*singles: 80 % of the best goodput/);
});

test("one value is its own best, and no values have no best", () => {
  assert.equal(recommend(candidates([5, 900]), rule)?.keepsRule, true);
  assert.equal(recommend([], rule), undefined);
});

test("no difference counts that is smaller than the spread between rounds", () => {
  assert.equal(toleranceFor(0), 0.05);
  assert.equal(toleranceFor(0.12), 0.12);
  assert.equal(toleranceFor(3), 0.2);
  assert.equal(toleranceFor(undefined), 0.1);
});

test("the rule is reported with its figures", () => {
  assert.equal(
    ruleText("pool size", rule),
    "The smallest pool size whose goodput is within 5 % of the best under every load, whose p99 at 0.7 of the capacity is at most 10 ms or 2 times the lowest, and which at 0.6 of the capacity refuses at most 1 % more than the least.",
  );
  assert.match(ruleText("queue", { ...rule, p99Multiple: 1 }), /10 ms \(or the lowest there is\)/);
});
