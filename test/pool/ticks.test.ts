import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Ticks } from "../../src/pool/ticks.ts";
import { until } from "../faults/gate.ts";

beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
afterEach(() => mock.timers.reset());

for (const begunAfter of [0, 30, 99]) {
  test(`a limit is met never before its time and at most two ticks after it, ${begunAfter} ms after a tick`, () => {
    let looks = 0;
    const ticks = new Ticks(1_000, () => ++looks < 100);
    ticks.start();
    mock.timers.tick(begunAfter);
    const limit = ticks.now + ticks.in(1_000);
    mock.timers.tick(1_000);
    assert.ok(ticks.now < limit, "too early");
    mock.timers.tick(200);
    assert.ok(ticks.now >= limit, "too late");
    ticks.stop();
  });
}

test("a tick is no longer than the shortest limit", () => {
  const ticks = new Ticks(20, () => true);
  ticks.start();
  const limit = ticks.now + ticks.in(20);
  mock.timers.tick(60);
  assert.ok(ticks.now >= limit);
  ticks.stop();
});

test("where nothing is left it stops, until something comes again", async () => {
  mock.timers.reset();
  let looks = 0;
  const ticks = new Ticks(5, () => ++looks % 2 === 1);
  for (const expected of [2, 4]) {
    ticks.start();
    await until(() => looks === expected);
    await delay(50);
    assert.equal(looks, expected);
  }
});

test("nothing is looked at after the end", () => {
  const ticks = new Ticks(100, () => assert.fail("it looked"));
  ticks.start();
  ticks.stop();
  mock.timers.tick(10_000);
});
