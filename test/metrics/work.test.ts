import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { WorkPeriod } from "../../src/contract/api-types.ts";
import { durationBounds } from "../../src/contract/durations.ts";
import { watchProcessLoad } from "../../src/metrics/process-load.ts";
import { periodBetween } from "../../src/metrics/work-period.ts";
import { recordWork, WorkHistory } from "../../src/service/work-history.ts";
import { reading } from "../console/pool/readings.ts";
import { answerValidators } from "../contract/answer-validators.ts";
import { until } from "../faults/gate.ts";
import { pluck } from "../support/pluck.ts";

const row = (route: string, status: number, count: number) => ({ method: "GET", route, status, count });
const counts = (count: number) => durationBounds.map(() => count).concat(count);

test("a period has what was counted between two readings, requests for metrics left out", () => {
  const before = reading({
    requests: { by_route: [row("/v1/ping", 200, 5)], checks: 10, refused: 1 },
    durations: { check: { counts: counts(1), p50_ms: null, p99_ms: null } },
    pool: { busy_ms: [100, 200] },
  });
  const then = reading({
    process: { busy_ms: 700 },
    requests: {
      by_route: [
        row("/v1/ping", 200, 9),
        row("/v1/iban", 400, 2),
        row("/v1/iban", 503, 4),
        row("/v1/iban", 500, 1),
        row("/service/metrics/history", 200, 50),
      ],
      checks: 25,
      refused: 4,
    },
    durations: { check: { counts: counts(3), p50_ms: null, p99_ms: null } },
    pool: { busy_ms: [150, 900], waiting: 3 },
    data: { loads: 2 },
  });
  const period = periodBetween(before, then, 1_000, 10);
  const work = { answered: 4, rejected: 2, refused: 3, failed: 1, checks: 15, check_counts: counts(2) };
  const others = { workers_busy_ms: [50, 700], data_loads: 1, waiting: 3, is_first: false };
  assert.deepEqual({ ...period, ...work, ...others }, period);
});

test("a failed request is counted however many requests for metrics, or probes of a stopping service, are refused", () => {
  const by_route = [row("/v1/iban", 500, 2), row("/service/metrics", 503, 5), row("/service/ready", 503, 3)];
  const then = reading({ requests: { by_route, refused: 5 } });
  const { refused, failed } = periodBetween(reading(), then, 1, 10);
  assert.deepEqual([refused, failed], [5, 2]);
});

test("a process that replaced another starts from zero", () => {
  const before = reading({ requests: { checks: 500 } });
  const period = periodBetween(before, reading({ process: { id: 2 }, requests: { checks: 3 } }), 1, 10);
  assert.deepEqual([period.is_first, period.checks], [true, 3]);
});

test("every ten seconds is recorded, and an hour of it is kept for each process", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const history = new WorkHistory();
  let checks = 0;
  const end = recordWork(
    () => reading({ requests: { checks: ++checks } }),
    (period) => history.add(1, period),
  );
  context.mock.timers.tick(10_000 * 400);
  end();
  context.mock.timers.tick(100_000);
  history.add(0, JSON.stringify(periodBetween(undefined, reading(), 1, 1)));
  const answer = JSON.parse(history.answer) as {
    processes: { number: number; periods: WorkPeriod[] }[];
  };
  assert.ok(answerValidators.history(answer), JSON.stringify(answerValidators.history.errors));
  assert.deepEqual(pluck(answer.processes, "number"), [0, 1]);
  assert.deepEqual(pluck(pluck(answer.processes, "periods"), "length"), [1, 360]);
  assert.ok(answer.processes[1]!.periods.every(({ checks: each }) => each === 1));
  assert.ok(history.answer.length < 200_000, String(history.answer.length));
});

test("a stall of the event loop is read by all who ask, and forgotten after two periods", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let answers = 0;
  const load = watchProcessLoad(() => ++answers);
  context.mock.timers.tick(1_000);
  await until(async () => {
    const end = performance.now() + 100;
    while (performance.now() < end);
    await delay(1);
    return load().event_loop_delay_p99_ms >= 50;
  });
  context.mock.timers.tick(9_000);
  const first = load().event_loop_delay_p99_ms;
  assert.ok(first >= 50);
  assert.equal(load().event_loop_delay_p99_ms, first, "read by another one");
  context.mock.timers.tick(10_000);
  assert.ok(load().event_loop_delay_p99_ms < first);
});
