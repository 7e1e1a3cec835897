import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose } from "../../../src/console/pool/diagnosis.ts";
import type { Moment } from "../../../src/console/pool/history.ts";

/** Twenty seconds of the same load. */
function moments(given: {
  readonly frontEnd?: number;
  readonly workers?: number;
  readonly refused?: number;
  readonly answered?: number;
  readonly late?: number;
  readonly failing?: number;
  readonly edition?: string;
}): Moment[] {
  const {
    frontEnd = 0.3,
    workers = 0.3,
    refused = 0,
    answered = 500,
    late = 1,
    failing = 0,
    edition = "2026-09-07",
  } = given;
  return Array.from({ length: 20 }, (_, at) => ({
    at,
    reading: {
      process: { event_loop_delay_p99_ms: late },
      pool: { failing_task_kinds: failing },
      data: { edition },
    },
    rates: { frontEnd, workers: [workers, workers], requests: { answered, rejected: 0, refused, failed: 0 } },
  })) as unknown as Moment[];
}

test("the sentence names what limits the service", () => {
  for (const [given, name, severity] of [
    [{ answered: 0, frontEnd: 0.01, workers: 0 }, "idle", "calm"],
    [{}, "roomy", "calm"],
    [{ frontEnd: 0.95, workers: 0.05 }, "frontEndFull", "act"],
    [{ frontEnd: 0.95, workers: 0.95, refused: 10 }, "frontEndFull", "act"],
    [{ workers: 0.97 }, "workersFull", "watch"],
    [{ workers: 0.97, refused: 5 }, "workersFullAndRefusing", "act"],
    [{ refused: 5 }, "burstsRefused", "watch"],
    [{ late: 300 }, "stalls", "act"],
    [{ failing: 1 }, "failing", "act"],
    [{ edition: "" }, "noData", "act"],
  ] as const) {
    assert.deepEqual(diagnose(moments(given)), { name, severity });
  }
});

test("nothing is said before there are rates, and one busy second decides nothing", () => {
  assert.equal(diagnose([]), undefined);
  assert.equal(diagnose(moments({}).map(({ at }) => ({ at }))), undefined);
  const [busy] = moments({ frontEnd: 1 });
  assert.equal(diagnose([...moments({}).slice(1), { ...busy!, at: 20 }])?.name, "roomy");
});
