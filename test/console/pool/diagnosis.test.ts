import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose, queueShare, severityOf, takenOf } from "../../../src/console/pool/diagnosis.ts";
import { type Moment, recentOf } from "../../../src/console/pool/rates.ts";
import { settingsTable } from "../../../src/settings-table.ts";
import { answered, reading } from "./readings.ts";

const { processes, poolSize, poolQueue } = settingsTable;
const maxima = {
  processes: processes.kind.max,
  poolSize: poolSize.kind.max,
  poolQueue: poolQueue.kind.max,
};

interface Load {
  readonly frontEnds?: readonly number[];
  readonly workers?: number;
  readonly refused?: number;
  readonly answered?: number;
  readonly late?: number;
  readonly waiting?: number;
  readonly busy?: number;
  readonly stolen?: number;
}

/** Twenty seconds of the same load. */
function moments({
  frontEnds = [0.3],
  workers = 0.3,
  refused = 0,
  late = 1,
  waiting = 0,
  busy = 0.3,
  stolen = 0,
  ...load
}: Load): Moment[] {
  const requests = { answered: load.answered ?? 500, rejected: 0, refused, failed: 0 };
  return Array.from({ length: 20 }, (_, at) => ({
    at,
    rates: {
      frontEnds,
      workers: [workers, workers],
      requests,
      delayMs: late,
      waiting,
      machine: { cores: 2, busy, stolen },
    },
  })) as unknown as Moment[];
}

const running = answered(reading());
const failing = answered(reading(), reading({ pool: { failing_task_kinds: 1 } }));
/** A process with this many workers and places. */
const sized = (size: number, ceiling: number) => answered(reading({ pool: { size, ceiling } }));
const empty = answered(reading({ data: { edition: "" } }));

test("the sentence names what limits the service, and the setting that helps", () => {
  for (const [load, limit, severity, advice, processes] of [
    [{ answered: 0, frontEnds: [0.01], workers: 0 }, "idle", "calm", undefined, running],
    [{}, "spare", "calm", undefined, running],
    [{ frontEnds: [0.95], workers: 0.05 }, "frontEnd", "act", "PROCESSES=2", running],
    [{ frontEnds: [0.2, 0.95] }, "frontEnd", "act", "PROCESSES=3", answered(reading(), reading())],
    [{ frontEnds: [0.95], workers: 0.95, refused: 10 }, "frontEnd", "act", "PROCESSES=2", running],
    [{ workers: 0.97 }, "workers", "act", "POOL_SIZE=3", running],
    [{ workers: 0.97, refused: 5 }, "workers", "act", "POOL_SIZE=3", running],
    [{ refused: 5 }, "queue", "watch", "POOL_QUEUE=32", running],
    [{ refused: 1_500 }, "queue", "act", "POOL_QUEUE=32", running],
    [{ frontEnds: [0.75] }, "frontEnd", "watch", undefined, running],
    [{ workers: 0.75 }, "workers", "watch", undefined, running],
    [{ waiting: 9 }, "queue", "watch", undefined, running],
    [{ waiting: 16 }, "queue", "act", undefined, running],
    [{ late: 300 }, "stalls", "act", undefined, running],
    [{}, "failing", "act", undefined, failing],
    [{}, "noData", "act", undefined, empty],
  ] as const)
    assert.deepEqual(diagnose(recentOf(moments(load)), processes, maxima), { limit, severity, advice });
});

test("a machine without a free core is the limit, and no setting helps there", () => {
  for (const [load, limit, severity, advice] of [
    [{ busy: 0.98, workers: 0.97 }, "machine", "act", "machine"],
    [{ busy: 0.6, stolen: 0.38 }, "machine", "act", "machine"],
    [{ busy: 0.97, answered: 0, frontEnds: [0.01], workers: 0 }, "machine", "act", "machine"],
    [{ busy: 0.9 }, "machine", "watch", undefined],
    [{ busy: 0.8, workers: 0.97 }, "workers", "act", "machine"],
    [{ busy: 0.4, workers: 0.97 }, "workers", "act", "POOL_SIZE=3"],
    [{ busy: 0.6, frontEnds: [0.97] }, "frontEnd", "act", "machine"],
    [{ busy: 0.9, refused: 1_500 }, "queue", "act", "POOL_QUEUE=32"],
  ] as const)
    assert.deepEqual(diagnose(recentOf(moments(load)), running, maxima), { limit, severity, advice });
});

test("no setting is advised beyond its maximum", () => {
  const many = answered(...Array.from({ length: 64 }, () => reading()));
  for (const [load, limit, advice, processes] of [
    [{ refused: 5 }, "queue", "POOL_QUEUE=32", sized(1, 1)],
    [{ refused: 5 }, "queue", "POOL_QUEUE=4096", sized(4, 3_004)],
    [{ refused: 5 }, "queue", "PROCESSES=2", sized(8, 4_104)],
    [{ workers: 0.97 }, "workers", "POOL_SIZE=64", sized(63, 575)],
    [{ workers: 0.97 }, "workers", "PROCESSES=2", sized(64, 576)],
    [{ frontEnds: [0.95] }, "frontEnd", "machine", many],
  ] as const) {
    const found = diagnose(recentOf(moments(load)), processes, maxima);
    assert.deepEqual([found?.limit, found?.advice], [limit, advice]);
  }
});

test("nothing is said before there are rates, and one busy second decides nothing", () => {
  assert.equal(recentOf([]), undefined);
  assert.equal(recentOf(moments({}).map(({ at }) => ({ at }))), undefined);
  assert.equal(diagnose(undefined, running, maxima), undefined);
  const [busy] = moments({ frontEnds: [1] });
  const recent = recentOf([...moments({}).slice(1), { ...busy!, at: 20 }]);
  assert.equal(diagnose(recent, running, maxima)?.limit, "spare");
});

test("the sentence is never milder than the worst figure under it", () => {
  const shares = [0, 0.3, 0.69, 0.7, 0.84, 0.85, 0.94, 1];
  const order = ["calm", "watch", "act"];
  for (const frontEnd of shares)
    for (const workers of shares)
      for (const refused of [0, 1, 500])
        for (const [waiting, busy] of [
          [0, 0],
          [8, 0.99],
          [15, 0.3],
        ] as const) {
          const recent = recentOf(moments({ frontEnds: [frontEnd], workers, refused, waiting, busy }))!;
          const worst = Math.max(
            ...[
              severityOf("utilisation", recent.frontEnd),
              severityOf("utilisation", recent.workers),
              severityOf("refused", recent.refusedShare),
              severityOf("machine", takenOf(recent.machine)),
              severityOf("queue", queueShare(recent, running.processes)),
            ].map((severity) => order.indexOf(severity)),
          );
          const { severity, limit } = diagnose(recent, running, maxima)!;
          assert.ok(
            order.indexOf(severity) >= worst,
            `${limit} at ${[frontEnd, workers, refused, waiting, busy].join()}`,
          );
        }
});

test("figures are calm, to be watched or to be acted on", () => {
  assert.deepEqual(
    [undefined, 0.5, 0.7, 0.9].map((share) => severityOf("utilisation", share)),
    ["calm", "calm", "watch", "act"],
  );
  assert.deepEqual(
    [0, 0.01, 0.78].map((share) => severityOf("refused", share)),
    ["calm", "watch", "act"],
  );
});
