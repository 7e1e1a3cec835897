import assert from "node:assert/strict";
import { test } from "node:test";
import { History, keptSeconds } from "../../../src/console/pool/history.ts";
import { reading } from "./readings.ts";

const after = (checks: number) => reading({ requests: { checks } });
const checksOf = ({ moments }: History) => moments.map(({ rates }) => rates?.checks ?? null);

test("each reading is compared with the one before it", () => {
  const history = new History();
  history.add(after(10), 1_000);
  history.add(after(30), 1_001);
  history.add(after(70), 1_003);
  assert.deepEqual(checksOf(history), [null, 20, 20]);
  assert.equal(history.latest?.at, 1_003);
});

test("what lies on both sides of a gap is not joined", () => {
  const history = new History();
  history.add(after(10), 1_000);
  history.add(after(20), 1_001);
  history.interrupt(1_002);
  assert.equal(history.latest, undefined);
  history.add(after(5_000), 1_060);
  history.add(after(5_007), 1_061);
  assert.deepEqual(checksOf(history), [null, 10, null, null, 7]);
  assert.equal(history.moments[2]?.reading, undefined);
});

test("after a restart the counters begin anew", () => {
  const history = new History();
  history.add(after(1_000), 1_000);
  history.add(reading({ process: { id: 2 }, requests: { checks: 3 } }), 1_001);
  history.add(reading({ process: { id: 2 }, requests: { checks: 8 } }), 1_002);
  assert.deepEqual(checksOf(history), [null, null, 5]);
});

test("no more than the last minutes are kept", () => {
  const history = new History();
  for (let second = 0; second < 2 * keptSeconds; second++) history.add(after(second), 1_000 + second);
  assert.equal(history.moments.length, keptSeconds);
  assert.equal(history.moments[0]?.at, 1_000 + keptSeconds);
});

test("a clock that is set back leaves no time that runs backwards", () => {
  const history = new History();
  for (const [at, checks] of [
    [1_000, 10],
    [1_001, 20],
    [900, 30],
    [901, 45],
  ] as const) {
    history.add(after(checks), at);
  }
  assert.deepEqual(
    history.moments.map(({ at }) => at),
    [900, 901],
  );
  assert.deepEqual(checksOf(history), [null, 15]);
});
