import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Reading } from "../../../src/console/pool/reading.ts";
import { quantileOf, ratesBetween } from "../../../src/console/pool/series.ts";
import { durationBounds } from "../../../src/contract/schema/service-schemas.ts";
import { DurationHistogram } from "../../../src/metrics/request-counts.ts";
import { reading } from "./readings.ts";

const rates = (before: Reading, then: Reading, seconds = 1) => {
  const between = ratesBetween(before, then, seconds);
  assert.ok(between !== undefined);
  return between;
};

const row = (status: number, count: number, route = "/v1/iban/{iban}") => ({ route, status, count });

test("requests are told by what became of them, per second, without the readings themselves", () => {
  const before = reading({
    requests: { by_route: [row(200, 10), row(503, 3)], checks: 500, refused: 3 },
  });
  const then = reading({
    requests: {
      by_route: [
        row(200, 30),
        row(304, 4, "/service/docs"),
        row(400, 6),
        row(401, 2, "none"),
        row(500, 8),
        row(503, 13),
        row(200, 900, "/service/metrics"),
      ],
      checks: 10_500,
      refused: 13,
    },
  });
  const { requests, checks } = rates(before, then, 2);
  assert.deepEqual(requests, { answered: 12, rejected: 4, refused: 5, failed: 4 });
  assert.equal(checks, 5_000);
});

test("quantiles are those of what happened in between, not of all since the start", () => {
  const [slow, fast] = [new DurationHistogram(), new DurationHistogram()];
  for (let round = 0; round < 1_000; round++) slow.observe(400);
  fast.add(slow);
  for (let round = 0; round < 100; round++) fast.observe(0.3);
  const counted = ({ counts }: DurationHistogram) => ({ counts: [...counts] });
  const told = (all: DurationHistogram) =>
    reading({ durations: { bounds_ms: durationBounds, check: counted(all), wait: counted(slow) } });
  const { p50, p99, waitP99 } = rates(told(slow), told(fast));
  assert.equal(p50, 0.375);
  assert.equal(p99, 0.4975);
  assert.equal(waitP99, null, "nothing waited in between");
});

test("a quantile is estimated as the service itself does", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 20_000, noNaN: true })),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (durations, quantile) => {
        const histogram = new DurationHistogram();
        for (const duration of durations) histogram.observe(duration);
        assert.equal(
          quantileOf([...histogram.counts], durationBounds, quantile),
          histogram.quantile(quantile),
        );
      },
    ),
  );
});

test("a thread's utilisation is its share of the time, never above one", () => {
  const before = reading({ pool: { busy_ms: [1_000, 0, 50] }, process: { busy_ms: 100 } });
  const then = reading({ pool: { busy_ms: [1_500, 0, 9_000] }, process: { busy_ms: 600 } });
  const { workers, frontEnd } = rates(before, then, 2);
  assert.deepEqual(workers, [0.25, 0, 1]);
  assert.equal(frontEnd, 0.25);
});

test("readings of a service that started anew are not compared, whatever shows it", () => {
  const before = reading({
    process: { id: 7, uptime_seconds: 100, busy_ms: 50 },
    requests: { checks: 10, refused: 5 },
    pool: { busy_ms: [10, 10] },
  });
  const restarts: Parameters<typeof reading>[0][] = [
    { process: { id: 8, uptime_seconds: 200, busy_ms: 90 } },
    { process: { id: 7, uptime_seconds: 3, busy_ms: 60 } },
    { process: { id: 7, uptime_seconds: 101, busy_ms: 60 }, requests: { checks: 9, refused: 5 } },
    { process: { id: 7, uptime_seconds: 101, busy_ms: 60 }, pool: { busy_ms: [10, 9] } },
    { process: { id: 7, uptime_seconds: 101, busy_ms: 60 }, pool: { busy_ms: [10, 10, 0] } },
  ];
  const goingOn = {
    process: { id: 7, uptime_seconds: 101, busy_ms: 60 },
    requests: { checks: 10, refused: 5 },
    pool: { busy_ms: [10, 10] },
  };
  assert.ok(ratesBetween(before, reading(goingOn), 1) !== undefined);
  for (const changed of restarts) {
    assert.equal(ratesBetween(before, reading({ ...goingOn, ...changed }), 1), undefined);
  }
  assert.equal(ratesBetween(before, reading(goingOn), 0), undefined, "no time went by");
});
