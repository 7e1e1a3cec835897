import assert from "node:assert/strict";
import { test } from "node:test";
import { ratesOf } from "../../../src/console/pool/rates.ts";
import type { MetricsAnswer } from "../../../src/contract/api-types.ts";
import { DurationHistogram } from "../../../src/metrics/request-counts.ts";
import { periodBetween } from "../../../src/metrics/work-period.ts";
import { reading } from "./readings.ts";

const rates = (before: MetricsAnswer, then: MetricsAnswer, seconds = 1) =>
  ratesOf([periodBetween(before, then, 1_000, seconds)])!;

test("quantiles are those of what happened in between, not of all since the start", () => {
  const [slow, fast] = [new DurationHistogram(), new DurationHistogram()];
  for (let round = 0; round < 1_000; round++) for (const each of [slow, fast]) each.observe(400);
  for (let round = 0; round < 100; round++) fast.observe(0.3);
  const counted = ({ counts }: DurationHistogram) => ({ counts: [...counts], p50_ms: null, p99_ms: null });
  const counting = (all: DurationHistogram) =>
    reading({ durations: { check: counted(all), wait: counted(slow) } });
  const { p50, p99, waitP99 } = rates(counting(slow), counting(fast));
  assert.equal(p50, 0.375);
  assert.equal(p99, 0.4975);
  assert.equal(waitP99, null, "nothing waited in between");
});

test("a thread's utilisation is its share of the time, never above one", () => {
  const before = reading({ pool: { busy_ms: [1_000, 0, 50] }, process: { busy_ms: 100 } });
  const then = reading({ pool: { busy_ms: [1_500, 0, 9_000] }, process: { busy_ms: 600 } });
  const { busiestWorker, workers, idlestWorker, frontEnd } = rates(before, then, 2);
  assert.deepEqual([busiestWorker, workers, idlestWorker, frontEnd], [1, 1.25 / 3, 0, 0.25]);
});

test("requests, memory and queues of processes add up, the longest delay counts", () => {
  const period = (checks: number, waiting: number, delay: number) =>
    periodBetween(
      reading(),
      reading({
        requests: { checks },
        pool: { waiting },
        process: { event_loop_delay_p99_ms: delay, memory_mb: 100 },
      }),
      1_000,
      10,
    );
  const together = ratesOf([period(50, 2, 3), period(150, 1, 8)])!;
  assert.deepEqual([together.checks, together.waiting, together.delayMs, together.memoryMb], [20, 3, 8, 200]);
  assert.equal(ratesOf([]), undefined);
});
