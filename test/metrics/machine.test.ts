import assert from "node:assert/strict";
import { test } from "node:test";
import { machineTime } from "../../src/metrics/machine.ts";

test("the processors that may be used are busy in all columns but idle, iowait and steal; guests are counted already", () => {
  const stat =
    "cpu  1 1 1\ncpu0 100 20 300 5000 4000 6 7 67 900 900\ncpu1 100 0 0 9\ncpu2 50 0 0 9\ncpu10 7 7\n";
  for (const [list, cores, busy_ms, stolen_ms] of [
    ["0", 1, 4_330, 670],
    ["1-2", 2, 1_500, 0],
    ["0,2", 2, 4_830, 670],
  ] as const) {
    const time = machineTime(stat, `Name:\tnode\nCpus_allowed_list:\t${list}\n`);
    assert.deepEqual(time, { cores, busy_ms, stolen_ms });
  }
});

test("where there is no /proc, Node says how long the processors were busy", () => {
  for (const { cores, busy_ms, stolen_ms } of [machineTime(), machineTime("", "")]) {
    assert.ok(cores > 0 && busy_ms > 0);
    assert.ok(stolen_ms >= 0);
  }
});
