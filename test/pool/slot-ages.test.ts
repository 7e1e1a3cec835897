import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { SlotAges } from "../../src/pool/slot-ages.ts";
import { until } from "../faults/gate.ts";

beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
afterEach(() => mock.timers.reset());

function setUp(lateAfter: number, stuckAfter: number) {
  const told: string[] = [];
  const ages = new SlotAges(3, {
    lateAfter,
    stuckAfter,
    late: (slot) => told.push(`${slot} late`),
    stuck: (slot) => told.push(`${slot} stuck`),
  });
  return { ages, told };
}

test("a request is late and stuck once each, never before its time and at most two ticks after it", () => {
  const { ages, told } = setUp(1_000, 3_000);
  ages.begin(1);
  mock.timers.tick(1_000);
  assert.deepEqual(told, []);
  mock.timers.tick(200);
  assert.deepEqual(told, ["1 late"]);
  mock.timers.tick(1_800);
  assert.deepEqual(told, ["1 late"]);
  mock.timers.tick(200);
  assert.deepEqual(told, ["1 late", "1 stuck"]);
  mock.timers.tick(60_000);
  assert.equal(told.length, 2);
  ages.close();
});

test("a request that left in time is never reported, nor does the next one in its slot inherit its age", () => {
  const { ages, told } = setUp(1_000, 3_000);
  ages.begin(0);
  mock.timers.tick(900);
  ages.end(0);
  mock.timers.tick(500);
  ages.begin(0);
  mock.timers.tick(1_000);
  assert.deepEqual(told, []);
  ages.close();
});

test("time continues while nothing is inside and no timer runs", async () => {
  mock.timers.reset();
  const { ages, told } = setUp(20, 40);
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
  assert.deepEqual(told, []);
  await until(() => told.length === 2);
  assert.deepEqual(told, ["0 late", "0 stuck"]);
  ages.close();
});

test("even where both limits are equal, a request is reported late before it is reported stuck", () => {
  const { ages, told } = setUp(200, 200);
  ages.begin(2);
  mock.timers.tick(10_000);
  assert.deepEqual(told, ["2 late", "2 stuck"]);
  ages.close();
});

test("nothing is reported after the end", () => {
  const { ages, told } = setUp(100, 300);
  ages.begin(0);
  ages.close();
  mock.timers.tick(10_000);
  assert.deepEqual(told, []);
});
