import assert from "node:assert/strict";
import { test } from "node:test";
import {
  diagnose,
  type Moment,
  queueShare,
  recentOf,
  severityOf,
} from "../../../src/console/pool/diagnosis.ts";
import { settingsTable } from "../../../src/settings.ts";
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
}

/** Twenty seconds of the same load. */
function moments({
  frontEnds = [0.3],
  workers = 0.3,
  refused = 0,
  late = 1,
  waiting = 0,
  ...load
}: Load): Moment[] {
  const requests = { answered: load.answered ?? 500, rejected: 0, refused, failed: 0 };
  return Array.from({ length: 20 }, (_, at) => ({
    at,
    rates: { frontEnds, workers: [workers, workers], requests, delayMs: late, waiting },
  })) as unknown as Moment[];
}

const running = answered(reading());
const failing = answered(reading(), reading({ pool: { failing_task_kinds: 1 } }));
/** A process with this many workers and places. */
const sized = (size: number, ceiling: number) => answered(reading({ pool: { size, ceiling } }));
const empty = answered(reading({ data: { edition: "" } }));

test("the sentence names what limits the service, and the setting that helps", () => {
  for (const [load, limit, severity, setting, processes] of [
    [{ answered: 0, frontEnds: [0.01], workers: 0 }, "idle", "calm", undefined, running],
    [{}, "roomy", "calm", undefined, running],
    [{ frontEnds: [0.95], workers: 0.05 }, "frontEndFull", "act", "PROCESSES=2", running],
    [{ frontEnds: [0.2, 0.95] }, "frontEndFull", "act", "PROCESSES=3", answered(reading(), reading())],
    [{ frontEnds: [0.95], workers: 0.95, refused: 10 }, "frontEndFull", "act", "PROCESSES=2", running],
    [{ workers: 0.97 }, "workersFull", "act", "POOL_SIZE=3", running],
    [{ workers: 0.97, refused: 5 }, "workersFullAndRefusing", "act", "POOL_SIZE=3", running],
    [{ refused: 5 }, "burstsRefused", "watch", "POOL_QUEUE=32", running],
    [{ refused: 1_500 }, "burstsRefused", "act", "POOL_QUEUE=32", running],
    [{ frontEnds: [0.75] }, "frontEndNear", "watch", undefined, running],
    [{ workers: 0.75 }, "workersNear", "watch", undefined, running],
    [{ waiting: 9 }, "queueNear", "watch", undefined, running],
    [{ waiting: 16 }, "queueNear", "act", undefined, running],
    [{ late: 300 }, "stalls", "act", undefined, running],
    [{}, "failing", "act", undefined, failing],
    [{}, "noData", "act", undefined, empty],
  ] as const) {
    const { refusedShare: _, ...found } = diagnose(recentOf(moments(load)), processes, maxima)!;
    assert.deepEqual(found, { limit, severity, setting });
  }
});

test("no setting is advised beyond its maximum", () => {
  const many = answered(...Array.from({ length: 64 }, () => reading()));
  for (const [load, limit, setting, processes] of [
    [{ refused: 5 }, "burstsRefused", "POOL_QUEUE=32", sized(1, 1)],
    [{ refused: 5 }, "burstsRefused", "POOL_QUEUE=4096", sized(4, 3_004)],
    [{ refused: 5 }, "longestQueueRefused", "PROCESSES=2", sized(8, 4_104)],
    [{ workers: 0.97 }, "workersFull", "POOL_SIZE=64", sized(63, 575)],
    [{ workers: 0.97 }, "workersFull", "PROCESSES=2", sized(64, 576)],
    [{ frontEnds: [0.95] }, "frontEndFull", undefined, many],
  ] as const) {
    const found = diagnose(recentOf(moments(load)), processes, maxima);
    assert.deepEqual([found?.limit, found?.setting], [limit, setting]);
  }
});

test("nothing is said before there are rates, and one busy second decides nothing", () => {
  assert.equal(recentOf([]), undefined);
  assert.equal(recentOf(moments({}).map(({ at }) => ({ at }))), undefined);
  assert.equal(diagnose(undefined, running, maxima), undefined);
  const [busy] = moments({ frontEnds: [1] });
  const recent = recentOf([...moments({}).slice(1), { ...busy!, at: 20 }]);
  assert.equal(diagnose(recent, running, maxima)?.limit, "roomy");
});

test("the sentence is never milder than the worst figure under it", () => {
  const shares = [0, 0.3, 0.69, 0.7, 0.84, 0.85, 0.94, 1];
  const order = ["calm", "watch", "act"];
  for (const frontEnd of shares)
    for (const workers of shares)
      for (const refused of [0, 1, 500])
        for (const waiting of [0, 8, 15]) {
          const recent = recentOf(moments({ frontEnds: [frontEnd], workers, refused, waiting }))!;
          const worst = Math.max(
            ...[
              severityOf("utilisation", recent.frontEnd),
              severityOf("utilisation", recent.workers),
              severityOf("refused", recent.refusedShare),
              severityOf("queue", queueShare(recent, running.processes)),
            ].map((severity) => order.indexOf(severity)),
          );
          const { severity, limit } = diagnose(recent, running, maxima)!;
          assert.ok(
            order.indexOf(severity) >= worst,
            `${limit} at ${[frontEnd, workers, refused, waiting].join()}`,
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
