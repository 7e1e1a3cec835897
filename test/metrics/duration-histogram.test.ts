import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { durationBounds, quantileOf } from "../../src/contract/durations.ts";
import { DurationHistogram } from "../../src/metrics/request-counts.ts";

function of(...durations: number[]): DurationHistogram {
  const histogram = new DurationHistogram();
  for (const duration of durations) histogram.observe(duration);
  return histogram;
}

test("each duration is counted once, in the first bucket whose bound it does not exceed, and added up", () => {
  const { counts } = of(0, 0.1, 0.11, 1, 10_000, 10_001, Number.POSITIVE_INFINITY);
  assert.deepEqual([...counts], [2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 20_000, noNaN: true })), (durations) => {
      const all = of(...durations);
      assert.equal(sumOf([...all.counts]), durations.length);
      assert.equal(all.sum, sumOf(durations));
    }),
  );
});

test("a quantile is in the bucket of the duration it estimates", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 9_999, noNaN: true }), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (durations, quantile) => {
        const sorted = durations.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(quantile * sorted.length) - 1]!;
        const bucket = durationBounds.findIndex((bound) => exact <= bound);
        const estimate = quantileOf(of(...durations).counts, quantile)!;
        assert.ok(estimate >= (durationBounds[bucket - 1] ?? 0) - 1e-9, String(estimate));
        assert.ok(estimate <= durationBounds[bucket]! + 1e-9, String(estimate));
      },
    ),
  );
});

test("a quantile of nothing is null, and one beyond all bounds is the last bound", () => {
  assert.equal(quantileOf(of().counts, 0.99), null);
  assert.equal(quantileOf(of(60_000).counts, 0.5), 10_000);
});
