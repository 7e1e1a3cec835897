import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { RequestAges } from "../../src/pool/request-ages.ts";
import { SlotMemory } from "../../src/pool/slots.ts";
import { AcceptedRequest } from "../../src/pool/tenant.ts";
import { until } from "../faults/gate.ts";
import { allocateSlots } from "../support/slots.ts";

beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
afterEach(() => mock.timers.reset());

function setUp(lateAfter: number, stuckAfter: number) {
  const reported: string[] = [];
  const { slots } = new SlotMemory(allocateSlots(3, 0));
  const requests = slots.map((slot) => new AcceptedRequest(slot));
  const ages = new RequestAges(requests, {
    lateAfter,
    stuckAfter,
    late: ({ slot }) => reported.push(`${slot.number} late`),
    stuck: ({ slot }) => reported.push(`${slot.number} stuck`),
  });
  return { ages, reported, requests };
}

test("a request is late and stuck once each, never before its time and at most two ticks after it", () => {
  const { ages, reported, requests } = setUp(1_000, 3_000);
  ages.begin(requests[1]!);
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
  const { ages, reported, requests } = setUp(1_000, 3_000);
  for (const request of requests) ages.begin(request);
  mock.timers.tick(900);
  requests[0]!.since = 0;
  mock.timers.tick(500);
  ages.begin(requests[0]!);
  mock.timers.tick(1_000);
  assert.deepEqual(reported, ["1 late", "2 late"]);
  ages.close();
});

test("after a while with nothing inside what comes is reported as before", async () => {
  mock.timers.reset();
  const { ages, reported, requests } = setUp(20, 40);
  ages.begin(requests[0]!);
  requests[0]!.since = 0;
  await delay(100);
  assert.deepEqual(reported, []);
  ages.begin(requests[0]!);
  await until(() => reported.length === 2);
  assert.deepEqual(reported, ["0 late", "0 stuck"]);
  ages.close();
});

test("even where both limits are equal, a request is reported late before it is reported stuck", () => {
  const { ages, reported, requests } = setUp(200, 200);
  ages.begin(requests[2]!);
  mock.timers.tick(10_000);
  assert.deepEqual(reported, ["2 late", "2 stuck"]);
  ages.close();
});

test("nothing is reported after the end", () => {
  const { ages, reported, requests } = setUp(100, 300);
  ages.begin(requests[0]!);
  ages.close();
  mock.timers.tick(10_000);
  assert.deepEqual(reported, []);
});
