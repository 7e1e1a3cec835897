import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { SlotAges } from "../../src/pool/slot-ages.ts";
import { until } from "../faults/gate.ts";

beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
afterEach(() => mock.timers.reset());

function setUp(lateAfter: number, stuckAfter: number) {
  const reported: string[] = [];
  const ages = new SlotAges(3, {
    lateAfter,
    stuckAfter,
    late: (slot) => reported.push(`${slot} late`),
    stuck: (slot) => reported.push(`${slot} stuck`),
  });
  return { ages, reported };
}

test("a request is late and stuck once each, never before its time and at most two ticks after it", () => {
  const { ages, reported } = setUp(1_000, 3_000);
  ages.begin(1);
  mock.timers.tick(1_000);
  assert.deepEqual(reported, []);
  mock.timers.tick(200);
  assert.deepEqual(reported, ["1 late"]);
  mock.timers.tick(1_800);
  assert.deepEqual(reported, ["1 late"]);
  mock.timers.tick(200);
  assert.deepEqual(reported, ["1 late", "1 stuck"]);
  mock.timers.tick(60_000);
  assert.equal(reported.length, 2);
  ages.close();
});

test("a request that left in time is never reported, nor does the next one in its slot inherit its age", () => {
  const { ages, reported } = setUp(1_000, 3_000);
  ages.begin(0);
  mock.timers.tick(900);
  ages.end(0);
  mock.timers.tick(500);
  ages.begin(0);
  mock.timers.tick(1_000);
  assert.deepEqual(reported, []);
  ages.close();
});

test("time continues while nothing is inside and no timer runs", async () => {
  mock.timers.reset();
  const { ages, reported } = setUp(20, 40);
  ages.begin(0);
  ages.end(0);
  // Ticks are whole milliseconds: once the timer has stopped the clock is finer.
  await until(() => !Number.isInteger(ages.now));
  const begin = ages.now;
  await delay(100);
  const passed = ages.now - begin;
  assert.ok(passed >= 95, `${passed} ms`);
  ages.begin(0);
  assert.ok(ages.now >= begin + passed, "the clock went back");
  assert.deepEqual(reported, []);
  await until(() => reported.length === 2);
  assert.deepEqual(reported, ["0 late", "0 stuck"]);
  ages.close();
});

test("even where both limits are equal, a request is reported late before it is reported stuck", () => {
  const { ages, reported } = setUp(200, 200);
  ages.begin(2);
  mock.timers.tick(10_000);
  assert.deepEqual(reported, ["2 late", "2 stuck"]);
  ages.close();
});

test("nothing is reported after the end", () => {
  const { ages, reported } = setUp(100, 300);
  ages.begin(0);
  ages.close();
  mock.timers.tick(10_000);
  assert.deepEqual(reported, []);
});
