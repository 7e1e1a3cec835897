import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Ticks } from "../../src/pool/ticks.ts";
import { until } from "../faults/gate.ts";

test("a tick is no longer than the shortest limit", ({ mock }) => {
  mock.timers.enable({ apis: ["setInterval"] });
  const ticks = new Ticks(20, () => true);
  ticks.start();
  const limit = ticks.now + ticks.in(20);
  mock.timers.tick(60);
  assert.ok(ticks.now >= limit);
  ticks.stop();
});

test("where nothing is left it stops, until something comes again", async () => {
  let looks = 0;
  const ticks = new Ticks(5, () => ++looks % 2 === 1);
  for (const expected of [2, 4]) {
    ticks.start();
    await until(() => looks === expected);
    await delay(50);
    assert.equal(looks, expected);
  }
});
