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

/** Returns the service's history: periods of ten seconds, each of 100 checks, that end at these times. */
const recorded = (...ends: number[]) => ({
  bounds_ms: durationBounds,
  processes: [{ number: 0, periods: ends.map((at) => periodBetween(after(0), after(100), at, 10)) }],
});

/** Returns the history after steps such as `read 1000 30`, the time before the checks counted or the ends of what is recorded; a process that has restarted was read three seconds after its start. */
function historyOf(...steps: readonly string[]): History {
  const history = new History();
  for (const [kind, ...numbers] of steps.map((step) => step.split(" "))) {
    const [at = 0, ...values] = numbers.map(Number);
    const requests = { checks: values[0]! };
    if (kind === "missed") history.interrupt(at);
    else if (kind === "recorded") history.record(recorded(...values), at);
    else if (kind === "read") history.add(answered(reading({ requests })), at);
    else history.add(answered(reading({ process: { id: 2, uptime_seconds: 3 }, requests })), at);
  }
  return history;
}

for (const [promise, steps, checks] of [
  [
    "each reading is compared with the one before it",
    ["read 1000 10", "read 1001 30", "read 1003 70"],
    [20, 20],
  ],
  [
    "the service's record precedes the page's readings, in one line",
    ["recorded 1001 980 990 1000", "read 1001 10", "read 1002 15"],
    [10, 10, 10, 5],
  ],
  [
    "a record taken over again fills the time without a reading, and loses nothing that it has not",
    ["recorded 981 970 980", "missed 982", "recorded 2001 1990 2000", "read 2001 1", "read 2002 8"],
    [10, 10, null, 10, 10, 7],
  ],
  [
    "a record fills a short time without a reading, too",
    ["recorded 1001 990 1000", "read 1001 10", "read 1002 15", "missed 1003", "recorded 1031 1010 1020 1030"],
    [10, 10, 5, 10, 10, 10],
  ],
  [
    "points on both sides of a gap are not joined",
    ["read 1000 10", "read 1001 20", "missed 1002", "missed 1003", "read 1005 5000", "read 1006 5007"],
    [10, null, 7],
  ],
  [
    "after a restart the counters start from zero",
    ["read 1000 1000", "restarted 1004 6", "restarted 1005 11"],
    [2, 5],
  ],
] as const)
  test(promise, () => assert.deepEqual(checksOf(historyOf(...steps)), checks));

test("several processes are added up, and each is known alone", () => {
  const history = new History();
  history.add(answered(after(0, 1), after(0, 2)), 1_000);
  history.add(answered(after(10, 1), after(30, 2)), 1_001);
  assert.deepEqual([checksOf(history), checksOf(history, 0), checksOf(history, 1)], [[40], [10], [30]]);
  assert.equal(history.latestOf(1)?.checks, 30);
});

test("a restart, data that is loaded or refused, a replaced worker and refusals leave marks", () => {
  const history = new History();
  const data = { loads: 2, refusals: 1 };
  const pool = { restarts: 1 };
  for (const [at, state] of [
    [1_000, after(10)],
    [1_001, reading({ requests: { checks: 20, refused: 3 }, data, pool })],
    [1_002, reading({ requests: { refused: 9 }, data, pool })],
    [1_010, reading({ process: { id: 2, uptime_seconds: 4 } })],
  ] as const)
    history.add(answered(state), at);
  assert.deepEqual(
    history.marksOf(undefined).map(({ kind, at }) => [kind, at]),
    [
      ["dataLoaded", 1_001],
      ["dataRefused", 1_001],
      ["workerReplaced", 1_001],
      ["refusals", 1_001],
      ["started", 1_006],
    ],
  );
});

test("no more than the last hour is kept", () => {
  const history = new History();
  history.record(recorded(), 1_000);
  assert.equal(history.isRecordDue, false);
  for (let second = 0; second < keptSeconds + 100; second++)
    history.add(answered(after(second)), 1_000 + second);
  assert.equal(checksOf(history).length, keptSeconds);
  assert.ok(history.isRecordDue, "the record of the service is to take over");
  history.record(recorded(...Array.from({ length: 360 }, (_, period) => 1_100 + 10 * period)), 4_700);
  assert.ok(checksOf(history).length < 700);
});

test("a clock that is set back leaves no time that runs backwards", () => {
  const history = historyOf("read 1000 10", "read 1001 20", "read 900 30", "read 901 45");
  assert.deepEqual(pluck(history.momentsOf(undefined), "at"), [901]);
  assert.deepEqual(checksOf(history), [15]);
});
