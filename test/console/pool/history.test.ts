import assert from "node:assert/strict";
import { test } from "node:test";
import { History, keptSeconds } from "../../../src/console/pool/history.ts";
import { durationBounds } from "../../../src/contract/durations.ts";
import { periodBetween } from "../../../src/metrics/work-period.ts";
import { pluck } from "../../support/pluck.ts";
import { answered, reading } from "./readings.ts";

const after = (checks: number, id = 1) => reading({ process: { id }, requests: { checks } });
const checksOf = (history: History, process?: number) =>
  history.momentsOf(process).map(({ rates }) => rates?.checks ?? null);

/** Returns the service's history: periods of ten seconds that end at these times. */
const recorded = (...ends: number[]) => ({
  bounds_ms: durationBounds,
  processes: [
    {
      number: 0,
      periods: ends.map((at) => periodBetween(after(0), after(100), at, 10)),
    },
  ],
});

test("each reading is compared with the one before it", () => {
  const history = new History();
  for (const [at, checks] of [
    [1_000, 10],
    [1_001, 30],
    [1_003, 70],
  ] as const)
    history.add(answered(after(checks)), at);
  assert.deepEqual(checksOf(history), [20, 20]);
});

test("several processes are added up, and each is known alone", () => {
  const history = new History();
  history.add(answered(after(0, 1), after(0, 2)), 1_000);
  history.add(answered(after(10, 1), after(30, 2)), 1_001);
  assert.deepEqual([checksOf(history), checksOf(history, 0), checksOf(history, 1)], [[40], [10], [30]]);
  assert.equal(history.latestOf(1)?.checks, 30);
});

test("the service's record precedes the page's readings, in one line", () => {
  const history = new History();
  history.record(recorded(980, 990, 1_000), 1_001);
  history.add(answered(after(10)), 1_001);
  history.add(answered(after(15)), 1_002);
  assert.deepEqual(checksOf(history), [10, 10, 10, 5]);
});

test("a record taken over again fills the time without a reading, and loses nothing that it has not", () => {
  const history = new History();
  history.record(recorded(970, 980), 981);
  history.interrupt(982);
  history.record(recorded(1_990, 2_000), 2_001);
  history.add(answered(after(1)), 2_001);
  history.add(answered(after(8)), 2_002);
  assert.deepEqual(checksOf(history), [10, 10, null, 10, 10, 7]);
});

test("a record fills a short time without a reading, too", () => {
  const history = new History();
  history.record(recorded(990, 1_000), 1_001);
  for (const [at, checks] of [
    [1_001, 10],
    [1_002, 15],
  ] as const)
    history.add(answered(after(checks)), at);
  history.interrupt(1_003);
  history.record(recorded(1_010, 1_020, 1_030), 1_031);
  assert.deepEqual(checksOf(history), [10, 10, 5, 10, 10, 10]);
});

test("points on both sides of a gap are not joined", () => {
  const history = new History();
  history.add(answered(after(10)), 1_000);
  history.add(answered(after(20)), 1_001);
  history.interrupt(1_002);
  history.interrupt(1_003);
  history.add(answered(after(5_000)), 1_005);
  history.add(answered(after(5_007)), 1_006);
  assert.deepEqual(checksOf(history), [10, null, 7]);
});

test("a restart, data that is loaded or refused, a replaced worker and refusals leave marks", () => {
  const history = new History();
  const marks = () => history.marksOf(undefined).map(({ kind, at }) => [kind, at]);
  history.add(answered(after(10)), 1_000);
  const changed = reading({
    requests: { checks: 20, refused: 3 },
    data: { loads: 2, refusals: 1 },
    pool: { restarts: 1 },
  });
  history.add(answered(changed), 1_001);
  const again = reading({ requests: { refused: 9 }, data: { loads: 2, refusals: 1 }, pool: { restarts: 1 } });
  history.add(answered(again), 1_002);
  assert.deepEqual(marks(), [
    ["dataLoaded", 1_001],
    ["dataRefused", 1_001],
    ["workerReplaced", 1_001],
    ["refusals", 1_001],
  ]);
  history.add(answered(reading({ process: { id: 2, uptime_seconds: 4 } })), 1_010);
  assert.deepEqual(marks().at(-1), ["started", 1_006]);
});

test("after a restart the counters start from zero", () => {
  const history = new History();
  history.add(answered(after(1_000)), 1_000);
  const started = (checks: number) =>
    reading({ process: { id: 2, uptime_seconds: 3 }, requests: { checks } });
  history.add(answered(started(6)), 1_004);
  history.add(answered(started(11)), 1_005);
  assert.deepEqual(checksOf(history), [2, 5]);
});

test("no more than the last hour is kept", () => {
  const history = new History();
  history.record(recorded(), 1_000);
  assert.equal(history.isRecordDue, false);
  for (let second = 0; second < keptSeconds + 100; second++) {
    history.add(answered(after(second)), 1_000 + second);
  }
  assert.equal(checksOf(history).length, keptSeconds);
  assert.ok(history.isRecordDue, "the record of the service is to take over");
  history.record(recorded(...Array.from({ length: 360 }, (_, period) => 1_100 + 10 * period)), 4_700);
  assert.ok(checksOf(history).length < 700);
});

test("a clock that is set back leaves no time that runs backwards", () => {
  const history = new History();
  for (const [at, checks] of [
    [1_000, 10],
    [1_001, 20],
    [900, 30],
    [901, 45],
  ] as const)
    history.add(answered(after(checks)), at);
  assert.deepEqual(pluck(history.momentsOf(undefined), "at"), [901]);
  assert.deepEqual(checksOf(history), [15]);
});
