import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RequestError } from "../../src/contract/errors.ts";
import { Admission, type GiveWay, type RequestWeight, rememberedMs } from "../../src/pool/admission.ts";
import { Share } from "../../src/pool/share.ts";

/** An admission and its clock; where nothing else is said nobody gives way. */
function setUp(running: number, waiting: number, giveWay: GiveWay = () => false) {
  const clock = { now: 1 };
  return { clock, admission: new Admission(running, waiting, () => clock.now, giveWay) };
}

/** Whether a request got a place; a refusal must be server_busy, counted and without effect on what is inside. */
function enter(admission: Admission, weight: RequestWeight, share: Share): boolean {
  const { inside } = admission;
  const refused = admission.refused.queue_full;
  try {
    admission.enter(weight, share);
  } catch (error) {
    assert.ok(error instanceof RequestError && error.code === "server_busy");
    assert.equal(admission.refused.queue_full, refused + 1);
    assert.equal(admission.inside, inside);
    return false;
  }
  assert.equal(admission.refused.queue_full, refused);
  assert.equal(admission.inside, inside + 1);
  return true;
}

/** Whether a request would get a place. */
function isAdmitted(admission: Admission, weight: RequestWeight, share: Share): boolean {
  try {
    admission.admit(weight, share);
    return true;
  } catch {
    return false;
  }
}

/** Lets in as many as there is room for and says how many. */
function fill(admission: Admission, weight: RequestWeight, share: Share): number {
  let entered = 0;
  while (enter(admission, weight, share)) entered++;
  return entered;
}

test("as many are let in as work and wait, and the next when one has left", () => {
  const share = new Share({});
  for (const weight of ["light", "heavy"] as const) {
    const { admission } = setUp(2, 8);
    assert.equal(admission.ceiling, 10);
    for (let inside = 0; inside < 10; inside++) {
      assert.equal(isAdmitted(admission, weight, share), true);
      assert.equal(admission.inside, inside);
      assert.equal(enter(admission, weight, share), true);
    }
    assert.equal(isAdmitted(admission, weight, share), false);
    assert.equal(enter(admission, weight, share), false);
    assert.equal(admission.inside, 10);
    admission.leave(weight, share);
    assert.equal(isAdmitted(admission, weight, share), true);
    assert.equal(enter(admission, weight, share), true);
    assert.equal(enter(admission, weight, share), false);
  }
});

test("a queue may be empty", () => {
  const share = new Share({});
  const { admission } = setUp(1, 0);
  assert.equal(enter(admission, "light", share), true);
  assert.equal(enter(admission, "heavy", share), false);
});

test("while both weights come, a flood of one leaves a quarter of the queue to the other", () => {
  const share = new Share({});
  for (const [flood, other] of [
    ["heavy", "light"],
    ["light", "heavy"],
  ] as const) {
    const { admission } = setUp(2, 16);
    assert.equal(enter(admission, other, share), true);
    admission.leave(other, share);
    assert.equal(fill(admission, flood, share), 14);
    assert.equal(fill(admission, other, share), 4);
    assert.equal(admission.inside, admission.ceiling);
  }
});

test("a weight that was refused is remembered for longer than it is told to wait, then forgotten", () => {
  const share = new Share({});
  const { admission, clock } = setUp(2, 16);
  assert.equal(fill(admission, "heavy", share), 18);
  assert.equal(enter(admission, "light", share), false);
  admission.leave("heavy", share);
  assert.equal(enter(admission, "heavy", share), false, "the place is kept for who comes again");
  clock.now += rememberedMs - 1;
  assert.equal(enter(admission, "heavy", share), false);
  clock.now += 1;
  assert.equal(enter(admission, "heavy", share), true);
  assert.equal(admission.inside, 18);
});

test("whatever comes and goes, never more are inside than the ceiling, and what leaves makes room", () => {
  const weight = fc.constantFrom<RequestWeight>("light", "heavy");
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.nat(64),
      fc.array(fc.record({ comes: fc.boolean(), weight, later: fc.nat(rememberedMs) })),
      (running, waiting, moves) => {
        const share = new Share({});
        const { admission, clock } = setUp(running, waiting);
        const inside = { light: 0, heavy: 0 };
        for (const { comes, weight, later } of moves) {
          clock.now += later;
          if (comes && enter(admission, weight, share)) inside[weight]++;
          else if (!comes && inside[weight] > 0) {
            admission.leave(weight, share);
            inside[weight]--;
          }
          const all = inside.light + inside.heavy;
          assert.equal(admission.inside, all);
          assert.ok(all <= running + waiting);
          const kept = Math.floor(waiting / 4);
          if (inside[weight] < running + waiting - kept && all < running + waiting) {
            assert.equal(isAdmitted(admission, weight, share), true);
          }
        }
      },
    ),
  );
});

test("what is refused for another reason is counted under it and changes nothing else", () => {
  const { admission } = setUp(1, 1);
  assert.throws(() => admission.refuse("body_memory"), { code: "server_busy" });
  assert.deepEqual(admission.refused, {
    ...{ queue_full: 0, gave_way: 0, key_concurrency: 0, key_rate: 0, streams: 0 },
    body_memory: 1,
  });
  assert.equal(admission.inside, 0);
});

/** Shares whose requests all wait, so that they can give way. */
function setUpWaiting(ceiling: number) {
  const { admission } = setUp(1, ceiling - 1, (crowded, weight) => {
    admission.leave(weight ?? (crowded.inside.light > 0 ? "light" : "heavy"), crowded);
    return true;
  });
  return admission;
}

test("a key alone has all places; when others ask it gives way until all have as many", () => {
  const admission = setUpWaiting(12);
  const [flood, second, third] = [new Share({}), new Share({}), new Share({})];
  const totals = () => [flood, second, third].map(({ total }) => total);
  assert.equal(fill(admission, "light", flood), 12);
  for (let request = 0; request < 20; request++) {
    try {
      admission.enter("light", second);
    } catch {
      // It has its part.
    }
  }
  assert.deepEqual(totals(), [6, 6, 0]);
  assert.equal(isAdmitted(admission, "light", flood), false, "nobody has more than it");
  for (let request = 0; request < 4; request++) admission.enter("light", third);
  assert.deepEqual(totals(), [4, 4, 4]);
  assert.equal(admission.inside, 12);
  assert.equal(admission.refused.gave_way, 10);
});

test("where nothing of the crowd waits any more, a newcomer is refused", () => {
  const { admission } = setUp(4, 0);
  const flood = new Share({});
  fill(admission, "light", flood);
  const newcomer = new Share({});
  assert.equal(isAdmitted(admission, "light", newcomer), true, "the question cannot know");
  assert.equal(enter(admission, "light", newcomer), false);
  assert.equal(admission.refused.gave_way, 0);
});

test("a key has no more requests inside than its limit", () => {
  const { admission } = setUp(2, 8);
  const limited = new Share({ limits: { maxConcurrent: 3 } });
  for (let request = 0; request < 3; request++) admission.enter("light", limited);
  assert.throws(() => admission.enter("heavy", limited), { code: "server_busy" });
  assert.equal(admission.refused.key_concurrency, 1);
  assert.equal(enter(admission, "light", new Share({})), true);
  admission.leave("light", limited);
  admission.enter("heavy", limited);
});

test("a key does no more checks per second than its limit, those of a batch included", () => {
  const { admission } = setUp(100, 100);
  const clock = { now: 5_000 };
  const limited = new Share({ limits: { maxPerSecond: 10 } }, () => clock.now);
  const enterUpTo = (most: number) => {
    let entered = 0;
    while (entered < most && isAdmitted(admission, "light", limited)) {
      admission.enter("light", limited);
      entered++;
    }
    return entered;
  };
  assert.equal(enterUpTo(50), 10, "those of one second at once");
  clock.now += 300;
  assert.equal(enterUpTo(50), 3);
  clock.now += 60_000;
  assert.equal(enterUpTo(50), 10, "no more are saved up");
  clock.now += 1_000;
  admission.enter("heavy", limited);
  limited.spend(29);
  clock.now += 1_900;
  assert.equal(enterUpTo(50), 0, "a batch of 30 is paid for in three seconds");
  clock.now += 200;
  assert.equal(enterUpTo(50), 1);
  assert.ok(admission.refused.key_rate > 0);
});
