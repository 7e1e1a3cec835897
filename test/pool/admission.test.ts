import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { RequestError } from "../../src/contract/errors.ts";
import { openAdmission, rememberedMs } from "../../src/pool/admission.ts";
import { RateAllowance } from "../../src/pool/rate-allowance.ts";
import type { SlotSize } from "../../src/pool/slots.ts";
import { type Places, Tenant } from "../../src/pool/tenant.ts";
import { seededRandom } from "../support/random.ts";

/**
 * An admission, its clock, and of which places requests were displaced: by default none is; otherwise one waits, of all places
 * a small one.
 */
function setUp(running: number, waiting: number, { displaces = false } = {}) {
  const clock = { now: 1 };
  const displaced: string[] = [];
  const preempt = (crowded: Tenant, places: Places) => {
    if (!displaces) return false;
    displaced.push(places);
    admission.leave(places === "all" ? "small" : places, crowded);
    return true;
  };
  const admission = openAdmission({ running, waiting, timeoutMs: 10_000 }, preempt, () => clock.now);
  return { clock, admission, displaced };
}

type Admission = ReturnType<typeof openAdmission>;

/** Whether a call returns; a refusal must be server_busy. */
function isAccepted(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    assert.ok(error instanceof RequestError && error.code === "server_busy");
    return false;
  }
}

/** Whether a request got a place; a refusal must be counted and without effect on what is inside. */
function enter(admission: Admission, size: SlotSize, tenant: Tenant): boolean {
  const { inside } = admission;
  const refused = admission.refused.queue_full;
  const isInside = isAccepted(() => admission.enter(size, tenant));
  const expected = isInside ? [refused, inside + 1] : [refused + 1, inside];
  assert.deepEqual([admission.refused.queue_full, admission.inside], expected);
  return isInside;
}

/** Whether a request would get a place, as both ways to ask say; only one of them counts a refusal. */
function isAdmitted(admission: Admission, size: SlotSize, tenant: Tenant): boolean {
  const refused = { ...admission.refused };
  const accepts = admission.accepts(size, tenant);
  assert.deepEqual(admission.refused, refused);
  const isAdmitted = isAccepted(() => admission.admit(size, tenant));
  assert.equal(accepts, isAdmitted);
  return isAdmitted;
}

/** Lets in as many as there is room for and says how many. */
function fill(admission: Admission, size: SlotSize, tenant: Tenant): number {
  let entered = 0;
  while (enter(admission, size, tenant)) entered++;
  return entered;
}

test("while both sizes are asked for, a flood of one leaves a quarter of the queue to the other", () => {
  const tenant = new Tenant({});
  for (const [flood, other] of [
    ["large", "small"],
    ["small", "large"],
  ] as const) {
    const { admission } = setUp(2, 16);
    assert.equal(enter(admission, other, tenant), true);
    admission.leave(other, tenant);
    assert.equal(fill(admission, flood, tenant), 14);
    assert.equal(fill(admission, other, tenant), 4);
    assert.equal(admission.inside, admission.ceiling);
  }
});

test("a queue has 128 places for large slots for each worker, or all while it is shorter; the others are for small ones only", () => {
  for (const [workers, queue, expected] of [
    [1, 0, 0],
    [1, 8, 8],
    [1, 512, 128],
    [2, 1_024, 256],
    [2, 4_096, 256],
    [64, 4_096, 4_096],
  ] as const) {
    const { ceiling, largeCeiling } = setUp(workers, queue).admission;
    const message = `queue ${queue} of ${workers}`;
    assert.deepEqual([ceiling, largeCeiling], [workers + queue, workers + expected], message);
  }
  const tenant = new Tenant({});
  const { admission } = setUp(2, 1_024);
  assert.equal(fill(admission, "large", tenant), 258);
  assert.equal(fill(admission, "small", tenant), 768);
  admission.leave("small", tenant);
  assert.equal(enter(admission, "large", tenant), false, "the place is not for a large slot");
  assert.equal(enter(admission, "small", tenant), true);
});

test("a key that has more waiting than can be done in time is refused, and others are not", () => {
  const [flood, other] = [new Tenant({}), new Tenant({})];
  const { admission } = setUp(2, 1_024);
  flood.waitingCost = 2 * 10_000_000;
  assert.equal(isAdmitted(admission, "small", flood), true);
  flood.waitingCost++;
  assert.equal(isAdmitted(admission, "small", flood), false);
  assert.equal(admission.refused.queue_time, 1);
  assert.equal(isAdmitted(admission, "small", other), true);
});

test("a key that has all large places yields one to a key that needs it, not one that has more small ones, also where all places are taken", () => {
  for (const [queue, larges, smalls] of [
    [512, 129, 200],
    [1_024, 258, 768],
  ] as const) {
    const { admission, displaced } = setUp(larges / 129, queue, { displaces: true });
    const [flood, newcomer] = [new Tenant({}), new Tenant({})];
    const ofSmalls = queue === 512 ? new Tenant({}) : flood;
    for (let place = 0; place < smalls; place++) admission.enter("small", ofSmalls);
    assert.equal(fill(admission, "large", flood), larges);
    assert.deepEqual(displaced, []);
    const { inside } = admission;
    admission.enter("large", newcomer);
    assert.deepEqual(displaced, ["large"]);
    assert.equal(flood.inside.large, larges - 1);
    assert.deepEqual([admission.inside, admission.refused.gave_way], [inside, 1]);
  }
});

test("a refused size is remembered for longer than its Retry-After, then forgotten", () => {
  const tenant = new Tenant({});
  const { admission, clock } = setUp(2, 16);
  assert.equal(fill(admission, "large", tenant), 18);
  assert.equal(enter(admission, "small", tenant), false);
  admission.leave("large", tenant);
  assert.equal(enter(admission, "large", tenant), false, "the place is kept for who comes again");
  clock.now += rememberedMs - 1;
  assert.equal(enter(admission, "large", tenant), false);
  clock.now += 1;
  assert.equal(enter(admission, "large", tenant), true);
  assert.equal(admission.inside, 18);
});

test("through any sequence, never more are inside than the ceilings, and those that leave make room", () => {
  const size = fc.constantFrom<SlotSize>("small", "large");
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.oneof(fc.nat(64), fc.nat(4_096)),
      fc.array(fc.record({ comes: fc.nat(300), size, later: fc.nat(rememberedMs) })),
      (running, waiting, moves) => {
        const tenant = new Tenant({});
        const { admission, clock } = setUp(running, waiting);
        const { ceiling, largeCeiling } = admission;
        const inside = { small: 0, large: 0 };
        for (const { comes, size, later } of moves) {
          clock.now += later;
          for (let request = 0; request < comes; request++) {
            if (enter(admission, size, tenant)) inside[size]++;
          }
          if (comes === 0 && inside[size] > 0) {
            admission.leave(size, tenant);
            inside[size]--;
          }
          const all = inside.small + inside.large;
          assert.equal(admission.inside, all);
          assert.ok(all <= ceiling && inside.large <= largeCeiling);
          const kept = Math.floor((largeCeiling - running) / 4);
          const hasPlace = all < ceiling && inside[size] < ceiling - kept;
          if (!hasPlace || (size === "large" && inside.large >= largeCeiling)) continue;
          assert.doesNotThrow(() => admission.admit(size, tenant));
        }
      },
    ),
  );
});

test("a refusal for another reason is counted under it, says what a key can do about it, and changes nothing else", () => {
  const { admission } = setUp(1, 1);
  for (const [reason, message] of [
    ["body_memory", /^All processing slots for checks are in use/],
    ["streams", /^All processing slots for checks are in use/],
    ["key_concurrency", /^This API key has reached its limit of concurrent requests/],
    ["key_rate", /^Rate limit of this API key exceeded/],
    ["usage_store", /^The usage store does not answer/],
  ] as const)
    assert.throws(() => admission.refuse(reason), { code: "server_busy", message }, reason);
  const { body_memory, streams, key_concurrency, key_rate, usage_store, ...others } = admission.refused;
  assert.deepEqual([body_memory, streams, key_concurrency, key_rate, usage_store], [1, 1, 1, 1, 1]);
  assert.deepEqual([...new Set(Object.values(others)), admission.inside], [0, 0]);
});

test("a key alone has all places; when others ask it yields places until all have as many", () => {
  const { admission } = setUp(1, 11, { displaces: true });
  const [flood, second, third] = [new Tenant({}), new Tenant({}), new Tenant({})];
  const totals = () => [flood, second, third].map(({ inside }) => inside.all);
  assert.equal(fill(admission, "small", flood), 12);
  for (let request = 0; request < 6; request++) admission.enter("small", second);
  assert.throws(() => admission.enter("small", second), { code: "server_busy" });
  assert.deepEqual(totals(), [6, 6, 0]);
  assert.equal(isAdmitted(admission, "small", flood), false, "no key has more");
  for (let request = 0; request < 4; request++) admission.enter("small", third);
  assert.deepEqual(totals(), [4, 4, 4]);
  assert.equal(admission.inside, 12);
  assert.equal(admission.refused.gave_way, 10);
});

test("a queue may be empty; where nothing of the crowd waits any more, a newcomer is refused", () => {
  const { admission } = setUp(4, 0);
  const flood = new Tenant({});
  assert.equal(fill(admission, "small", flood), 4);
  assert.equal(enter(admission, "large", flood), false);
  const newcomer = new Tenant({});
  assert.equal(isAdmitted(admission, "small", newcomer), true, "the question cannot know");
  assert.equal(enter(admission, "small", newcomer), false);
  assert.equal(admission.refused.gave_way, 0);
});

test("a key has no more requests inside than its limit", () => {
  const { admission } = setUp(2, 8);
  const limited = new Tenant({ limits: { maxConcurrent: 3 } });
  for (let request = 0; request < 3; request++) admission.enter("small", limited);
  assert.throws(() => admission.enter("large", limited), { code: "server_busy" });
  assert.equal(admission.refused.key_concurrency, 1);
  assert.equal(enter(admission, "small", new Tenant({})), true);
  admission.leave("small", limited);
  admission.enter("large", limited);
});

test("a key does no more checks per second than its limit, those of a batch included, and saves none up", () => {
  const { admission } = setUp(100, 100);
  const clock = { now: 5_000 };
  const limited = new Tenant({ limits: { maxPerSecond: 10 } }, () => clock.now);
  const enterUpTo = (most: number) => {
    let entered = 0;
    while (entered < most && isAdmitted(admission, "small", limited)) {
      admission.enter("small", limited);
      entered++;
    }
    return entered;
  };
  assert.equal(enterUpTo(50), 10, "those of one second at once");
  clock.now += 60_000;
  assert.equal(enterUpTo(50), 10);
  clock.now += 1_100;
  admission.enter("large", limited);
  limited.charge(29);
  clock.now += 1_900;
  assert.equal(enterUpTo(50), 0, "a batch of 30 is paid for in three seconds");
  clock.now += 200;
  assert.equal(enterUpTo(50), 1);
  assert.ok(admission.refused.key_rate > 0);
});

test("whenever a key asks, no second has more checks than its limit, and all that it may do are done", () => {
  const perSecond = 100;
  const random = seededRandom(36);
  for (const meanPauseMs of [1, 5, 9, 200]) {
    const allowance = new RateAllowance();
    const done: number[] = [];
    let now = 1_000 * random();
    const begun = now;
    while (now < begun + 20_000) {
      now += -Math.log(1 - random()) * meanPauseMs;
      for (let count = Math.ceil(random() * 30); count > 0 && !allowance.isSpent(perSecond, now); count--) {
        allowance.charge(1, perSecond, now);
        done.push(now);
      }
    }
    for (const [index, at] of done.entries()) {
      const first = done[index - perSecond] ?? Number.NEGATIVE_INFINITY;
      assert.ok(at - first >= 1_000, `${perSecond + 1} checks within ${at - first} ms`);
    }
    if (meanPauseMs < 100) assert.ok(done.length > 0.85 * 20 * perSecond, `${done.length} in 20 s`);
  }
});

test("reports are bounded for each key, count as its requests, and take none of the places", async () => {
  const { admission } = setUp(1, 2);
  const limited = new Tenant({ limits: { maxConcurrent: 3 } });
  const slow = new Tenant({ limits: { maxPerSecond: 2 } }, () => 0);
  const [flood, another] = [new Tenant({}), new Tenant({})];
  let finish = () => {};
  const made = new Promise<void>((resolve) => {
    finish = resolve;
  });
  /** How many of the reports that a key asks for at the same time are refused. */
  const refused = async (tenant: Tenant, count: number, reason: "key_concurrency" | "key_rate") => {
    const before = admission.refused[reason];
    for (let asked = 0; asked < count; asked++) admission.report(tenant, () => made).catch(() => {});
    await nextTurn();
    return admission.refused[reason] - before;
  };
  assert.equal(await refused(flood, 9, "key_concurrency"), 1);
  assert.equal(await refused(another, 1, "key_concurrency"), 0);
  assert.equal(admission.inside, 0);
  assert.ok(enter(admission, "small", limited));
  assert.equal(await refused(limited, 3, "key_concurrency"), 1);
  assert.equal(isAdmitted(admission, "small", limited), false, "reports count as requests of the key");
  assert.equal(await refused(slow, 3, "key_rate"), 1);
  finish();
  await nextTurn();
  await nextTurn();
  assert.equal(await refused(flood, 1, "key_concurrency"), 0);
  // Those that are made at once are bounded in each turn.
  for (let made = 0; made < 8; made++) await admission.report(another, async () => {});
  await assert.rejects(
    admission.report(another, async () => {}),
    { code: "server_busy" },
  );
});
