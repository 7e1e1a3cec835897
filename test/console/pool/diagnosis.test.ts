import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose, type Moment, severityOf } from "../../../src/console/pool/diagnosis.ts";
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
}

/** Twenty seconds of the same load. */
function moments({ frontEnds = [0.3], workers = 0.3, refused = 0, late = 1, ...load }: Load): Moment[] {
  const requests = { answered: load.answered ?? 500, rejected: 0, refused, failed: 0 };
  return Array.from({ length: 20 }, (_, at) => ({
    at,
    rates: { frontEnds, workers: [workers, workers], requests, delayMs: late },
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
    [{ workers: 0.97 }, "workersFull", "watch", "POOL_SIZE=3", running],
    [{ workers: 0.97, refused: 5 }, "workersFullAndRefusing", "act", "POOL_SIZE=3", running],
    [{ refused: 5 }, "burstsRefused", "watch", "POOL_QUEUE=32", running],
    [{ late: 300 }, "stalls", "act", undefined, running],
    [{}, "failing", "act", undefined, failing],
    [{}, "noData", "act", undefined, empty],
  ] as const) {
    assert.deepEqual(diagnose(moments(load), processes, maxima), { limit, severity, setting });
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
    const found = diagnose(moments(load), processes, maxima);
    assert.deepEqual([found?.limit, found?.setting], [limit, setting]);
  }
});

test("nothing is said before there are rates, and one busy second decides nothing", () => {
  assert.equal(diagnose([], running, maxima), undefined);
  assert.equal(
    diagnose(
      moments({}).map(({ at }) => ({ at })),
      running,
      maxima,
    ),
    undefined,
  );
  const [busy] = moments({ frontEnds: [1] });
  assert.equal(diagnose([...moments({}).slice(1), { ...busy!, at: 20 }], running, maxima)?.limit, "roomy");
});

test("figures are calm, to be watched or to be acted on", () => {
  assert.deepEqual(
    [undefined, 0.5, 0.7, 0.9].map((share) => severityOf("utilisation", share)),
    ["calm", "calm", "watch", "act"],
  );
  assert.deepEqual(
    [0, 0.1].map((refused) => severityOf("refused", refused)),
    ["calm", "watch"],
  );
});
