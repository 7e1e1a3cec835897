import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf } from "../../src/usage/usage-store.ts";
import { until } from "../faults/gate.ts";
import { startQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { runHere } from "../support/run-here.ts";
import { expectEnd } from "./expect-end.ts";
import { rowsOf } from "./printed.ts";

const checks = { anna: 3, berta: 1, carl: 0 };
const keyOf = (name: string) => `${name}-key-0123456789`;

/** Whether what is counted for three holders is printed as it should; false where midnight in UTC came in between. */
async function printsUsage(): Promise<boolean> {
  const stateDir = newFolder();
  const day = dayOf(Date.now());
  const keys = Object.keys(checks).map((name) => `${name}:${keyOf(name)}`);
  const service = await startQuickService({ STATE_DIR: stateDir, API_KEYS: keys.join() });
  for (const [name, count] of Object.entries(checks)) {
    const headers = { "X-API-Key": keyOf(name) };
    for (let check = 0; check < count; check++) {
      await (await service.request("/v1/search?name=x", { headers })).text();
    }
    // What was used until now is written before it is answered.
    await (await service.request("/service/usage", { headers })).text();
  }
  const usage = (...args: readonly string[]) => runHere(["usage", ...args], { STATE_DIR: stateDir });
  const run = async (...args: readonly string[]) => rowsOf((await expectEnd(usage(...args), 0)).stdout);
  const all = await run();
  const ofMonth = await run("berta", "--month", "2001-01");
  await runHere(["keys", "create", "carl"], { STATE_DIR: stateDir });
  const ofCarl = await run("carl");
  const ofEmil = await expectEnd(usage("emil"), 1, /^There is no name "emil": [^\n]*\.\n$/);
  assert.equal(ofEmil.stdout, "");
  assert.equal(await service.stop(), 0);
  const afterStop = await run();
  if (dayOf(Date.now()) !== day) return false;
  const [head, ...rows] = all;
  assert.deepEqual(head, ["NAME", "KEY", day, day.slice(0, 7), "TOTAL"]);
  const used = rows.map(([name, , ...figures]) => [name, ...figures].join(" "));
  assert.deepEqual(used, ["anna 3 3 3", "berta 1 1 1"]);
  assert.deepEqual(ofMonth.slice(1), [["berta", rows[1]?.[1], "1", "0", "1"]]);
  assert.deepEqual(ofCarl.slice(1), []);
  assert.deepEqual(afterStop, all);
  return true;
}

test("usage is printed by key while the service runs, for a month, and for one name", () =>
  until(printsUsage));

test("a month, a store and a folder of state that are none are refused in one line", async () => {
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [["--month", "2026-13"], /It must be a month, as in 2026-11/],
    [[], /^There is no state folder \/nowhere; name the one/],
    [["--usage-store", "mysql"], /^USAGE_STORE must be lmdb.*, but is not of that form\.\n$/],
  ];
  for (const [args, says] of wrong) {
    const { stdout } = await expectEnd(runHere(["usage", ...args], { STATE_DIR: "/nowhere" }), 1, says);
    assert.equal(stdout, "");
  }
});
