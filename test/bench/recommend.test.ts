import assert from "node:assert/strict";
import { test } from "node:test";
import { recommend } from "../../bench/tune/recommend.ts";
import type { TuneRow } from "../../bench/tune/sweep.ts";
import { tuneRows } from "./tune-rows.ts";

/**
 * Pool sizes 1, 2, … with the goodput, p99 and share of refusals of each (`1000/2` or `1000/2/0.05`) under single checks, and
 * under batches where that differs (`1000/1 300/1`); and the share by which rounds spread.
 */
function tried(values: readonly string[], spread = 0): TuneRow[] {
  return values.flatMap((value, index) => {
    const [singles = "", batches = "1000/1"] = value.split(" ");
    return tuneRows(index + 1, [0.6, 1.5], (kind) => {
      const figures = { singles, batches, mix: "1000/1" }[kind].split("/").map(Number);
      const [goodput = 0, p99 = 0, refused = 0] = figures;
      return [1, 1 - spread, 1 + spread].map((factor) => ({ goodput: goodput * factor, p99, refused }));
    });
  });
}

const sizeOf = (...values: readonly string[]) => recommend("POOL_SIZE", tried(values), 2);

test("the smallest value within the tolerance is taken, not the best", () => {
  const found = sizeOf("900/2", "960/2", "1000/2");
  assert.deepEqual([found.value, found.keepsRule], [2, true]);
  const missed = "1 (single checks: below the best % is 10, at most 5 is allowed.)";
  assert.equal(found.reason, `2 keeps the rule; smaller values miss it: ${missed}.`);
});

test("a value that is slow, refuses more than the least or answers nothing under ordinary work is passed over", () => {
  for (const [expected, first, second, why] of [
    [2, "1000/25", "1000/11", "more than twice the lowest"],
    [1, "1000/22", "1000/11", "twice the lowest"],
    [1, "1000/20", "1000/1", "20 ms are never too slow"],
    [2, "1000/2/0.05", "1000/2/0.02", "refuses more"],
    [1, "1000/2/0.024", "1000/2/0.02", "refuses hardly more"],
    [2, "0/NaN", "10/200", "answers nothing"],
  ] as const)
    assert.equal(sizeOf(first, second).value, expected, why);
});

test("where no value keeps the rule, that with the best goodput in its worst load is taken and says so", () => {
  const found = sizeOf("1000/1 300/1", "800/1 500/1");
  assert.deepEqual([found.value, found.keepsRule], [2, false]);
  const reason = /No value keeps the rule; 2 comes nearest.*single checks: below the best % is 20, at most 5/;
  assert.match(found.reason, reason);
});

test("no difference counts that is smaller than the spread between rounds", () => {
  const spread = tried(["880/1", "1000/1"], 0.14);
  assert.equal(recommend("POOL_SIZE", spread, 3).value, 1);
  assert.match(recommend("POOL_SIZE", spread, 3).rule, /within 14 % of the best/);
  assert.match(recommend("POOL_SIZE", spread, 1).rule, /within 10 % of the best/);
});

test("the rule is reported with its figures, and nothing tried has no best", () => {
  assert.equal(
    sizeOf("5/900").rule,
    "The smallest pool size whose goodput is within 5 % of the best under every load, whose p99 at 0.6 of the capacity is at most 20 ms or 2 times the lowest, and which at 0.6 of the capacity refuses at most 0.5 % more than the least.",
  );
  const queue = recommend("POOL_QUEUE", tried(["1000/60", "1000/40"]), 2);
  assert.match(queue.rule, /p99 under overload is at most 50 ms \(or the lowest there is\)/);
  assert.equal(queue.value, 2);
  assert.throws(() => sizeOf(), /no pool size was tried/);
});
