import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose, severitiesOf } from "../../../src/console/pool/diagnosis.ts";
import { type Moment, type Recent, ratesOf, recentOf } from "../../../src/console/pool/rates.ts";
import { periodBetween } from "../../../src/metrics/work-period.ts";
import { settingsTable } from "../../../src/settings-table.ts";
import { answered, reading } from "./readings.ts";

const { processes, poolSize, poolQueue } = settingsTable;
const maxima = {
  processes: processes.kind.max,
  poolSize: poolSize.kind.max,
  poolQueue: poolQueue.kind.max,
};

/** The figures of a service with capacity to spare, but for what is given. */
const recent = (changed: Partial<Recent> = {}, busy = 0.3, stolen = 0): Recent => ({
  requests: 500,
  checks: 500,
  refused: 0,
  refusedShare: 0,
  p99: 1,
  waiting: 0,
  workers: 0.3,
  frontEnd: 0.3,
  delayMs: 1,
  cores: 2,
  busy,
  stolen,
  ...changed,
});

const running = answered(reading());
const failing = answered(reading(), reading({ pool: { failing_task_kinds: 1 } }));
/** A process with this many workers and places. */
const sized = (size: number, ceiling: number) => answered(reading({ pool: { size, ceiling } }));
const empty = answered(reading({ data: { edition: "" } }));

test("the sentence names what limits the service, and the setting that helps, within its maximum", () => {
  const idle = { requests: 0, frontEnd: 0.01, workers: 0 };
  const many = answered(...Array.from({ length: 64 }, () => reading()));
  for (const [figures, limit, severity, advice, processes] of [
    [recent(idle), "idle", "calm", undefined, running],
    [recent(), "spare", "calm", undefined, running],
    [recent({ frontEnd: 0.95, workers: 0.05 }), "frontEnd", "act", "PROCESSES=2", running],
    [recent({ frontEnd: 0.95 }), "frontEnd", "act", "PROCESSES=3", answered(reading(), reading())],
    [
      recent({ frontEnd: 0.95, workers: 0.95, refusedShare: 0.02 }),
      "frontEnd",
      "act",
      "PROCESSES=2",
      running,
    ],
    [recent({ frontEnd: 0.95 }), "frontEnd", "act", "machine", many],
    [recent({ workers: 0.97 }), "workers", "act", "POOL_SIZE=3", running],
    [recent({ workers: 0.97, refusedShare: 0.01 }), "workers", "act", "POOL_SIZE=3", running],
    [recent({ workers: 0.97 }), "workers", "act", "POOL_SIZE=64", sized(63, 575)],
    [recent({ workers: 0.97 }), "workers", "act", "PROCESSES=2", sized(64, 576)],
    [recent({ refusedShare: 0.01 }), "queue", "watch", "POOL_QUEUE=32", running],
    [recent({ refusedShare: 0.75 }), "queue", "act", "POOL_QUEUE=32", running],
    [recent({ refusedShare: 0.01 }), "queue", "watch", "POOL_QUEUE=32", sized(1, 1)],
    [recent({ refusedShare: 0.01 }), "queue", "watch", "POOL_QUEUE=4096", sized(4, 3_004)],
    [recent({ refusedShare: 0.01 }), "queue", "watch", "PROCESSES=2", sized(8, 4_104)],
    [recent({ frontEnd: 0.75 }), "frontEnd", "watch", undefined, running],
    [recent({ workers: 0.7 }), "workers", "watch", undefined, running],
    [recent({ waiting: 9 }), "queue", "watch", undefined, running],
    [recent({ waiting: 16 }), "queue", "act", undefined, running],
    [recent({ delayMs: 300 }), "stalls", "act", undefined, running],
    [recent(), "failing", "act", undefined, failing],
    [recent(), "noData", "act", undefined, empty],
    // Without a free core no setting helps.
    [recent({ workers: 0.97 }, 0.98), "machine", "act", "machine", running],
    [recent({}, 0.6, 0.38), "machine", "act", "machine", running],
    [recent(idle, 0.97), "machine", "act", "machine", running],
    [recent({}, 0.9), "machine", "watch", undefined, running],
    [recent({ workers: 0.97 }, 0.8), "workers", "act", "machine", running],
    [recent({ workers: 0.97 }, 0.4), "workers", "act", "POOL_SIZE=3", running],
    [recent({ frontEnd: 0.97 }, 0.6), "frontEnd", "act", "machine", running],
    [recent({ refusedShare: 0.75 }, 0.9), "queue", "act", "POOL_QUEUE=32", running],
  ] as const)
    assert.deepEqual(diagnose(figures, processes, maxima), { limit, severity, advice });
});

test("nothing is said before there are rates, and one busy second decides nothing", () => {
  const seconds = (...busyMs: readonly number[]): Moment[] =>
    busyMs.map((busy_ms, at) => {
      const period = periodBetween(reading(), reading({ process: { busy_ms } }), at, 1);
      return { at, rates: ratesOf([period]) };
    });
  assert.equal(recentOf([]), undefined);
  assert.equal(recentOf([...seconds(300), { at: 1 }]), undefined);
  assert.equal(diagnose(undefined, running, maxima), undefined);
  assert.equal(severitiesOf(undefined, running.processes).workers, "calm");
  const calm = Array.from({ length: 19 }, () => 300);
  assert.equal(diagnose(recentOf(seconds(...calm, 1_000)), running, maxima)?.limit, "spare");
  assert.equal(diagnose(recentOf(seconds(1_000)), running, maxima)?.limit, "frontEnd");
});

test("the sentence is never milder than the worst figure under it", () => {
  const shares = [0, 0.3, 0.69, 0.7, 0.84, 0.85, 0.94, 1];
  const order = ["calm", "watch", "act"];
  for (const frontEnd of shares)
    for (const workers of shares)
      for (const refusedShare of [0, 0.002, 0.5])
        for (const [waiting, busy] of [
          [0, 0],
          [8, 0.99],
          [15, 0.3],
        ] as const) {
          const figures = recent({ frontEnd, workers, refusedShare, waiting }, busy);
          const { delay, ...judged } = severitiesOf(figures, running.processes);
          const worst = Math.max(...Object.values(judged).map((each) => order.indexOf(each)));
          const { severity, limit } = diagnose(figures, running, maxima)!;
          assert.ok(order.indexOf(severity) >= worst, `${limit}: ${JSON.stringify(figures)}`);
        }
});
