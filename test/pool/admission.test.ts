import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RequestError } from "../../src/contract/errors.ts";
import { Admission, type RequestWeight, rememberedMs } from "../../src/pool/admission.ts";

/** An admission and its clock. */
function setUp(running: number, waiting: number) {
  const clock = { now: 1 };
  return { clock, admission: new Admission(running, waiting, () => clock.now) };
}

/** Whether a request got a place; a refusal must be server_busy, counted and without effect on what is inside. */
function enter(admission: Admission, weight: RequestWeight): boolean {
  const { inside } = admission;
  const refused = admission.refused.queue_full;
  try {
    admission.enter(weight);
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
function isAdmitted(admission: Admission, weight: RequestWeight): boolean {
  try {
    admission.admit(weight);
    return true;
  } catch {
    return false;
  }
}

/** Lets in as many as there is room for and says how many. */
function fill(admission: Admission, weight: RequestWeight): number {
  let entered = 0;
  while (enter(admission, weight)) entered++;
  return entered;
}

test("as many are let in as work and wait, and the next when one has left", () => {
  for (const weight of ["light", "heavy"] as const) {
    const { admission } = setUp(2, 8);
    assert.equal(admission.ceiling, 10);
    for (let inside = 0; inside < 10; inside++) {
      assert.equal(isAdmitted(admission, weight), true);
      assert.equal(admission.inside, inside);
      assert.equal(enter(admission, weight), true);
    }
    assert.equal(isAdmitted(admission, weight), false);
    assert.equal(enter(admission, weight), false);
    assert.equal(admission.inside, 10);
    admission.leave(weight);
    assert.equal(isAdmitted(admission, weight), true);
    assert.equal(enter(admission, weight), true);
    assert.equal(enter(admission, weight), false);
  }
});

test("a queue may be empty", () => {
  const { admission } = setUp(1, 0);
  assert.equal(enter(admission, "light"), true);
  assert.equal(enter(admission, "heavy"), false);
});

test("while both weights come, a flood of one leaves a quarter of the queue to the other", () => {
  for (const [flood, other] of [
    ["heavy", "light"],
    ["light", "heavy"],
  ] as const) {
    const { admission } = setUp(2, 16);
    assert.equal(enter(admission, other), true);
    admission.leave(other);
    assert.equal(fill(admission, flood), 14);
    assert.equal(fill(admission, other), 4);
    assert.equal(admission.inside, admission.ceiling);
  }
});

test("a weight that was refused is remembered for longer than it is told to wait, then forgotten", () => {
  const { admission, clock } = setUp(2, 16);
  assert.equal(fill(admission, "heavy"), 18);
  assert.equal(enter(admission, "light"), false);
  admission.leave("heavy");
  assert.equal(enter(admission, "heavy"), false, "the place is kept for who comes again");
  clock.now += rememberedMs - 1;
  assert.equal(enter(admission, "heavy"), false);
  clock.now += 1;
  assert.equal(enter(admission, "heavy"), true);
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
        const { admission, clock } = setUp(running, waiting);
        const inside = { light: 0, heavy: 0 };
        for (const { comes, weight, later } of moves) {
          clock.now += later;
          if (comes && enter(admission, weight)) inside[weight]++;
          else if (!comes && inside[weight] > 0) {
            admission.leave(weight);
            inside[weight]--;
          }
          const all = inside.light + inside.heavy;
          assert.equal(admission.inside, all);
          assert.ok(all <= running + waiting);
          const kept = Math.floor(waiting / 4);
          if (inside[weight] < running + waiting - kept && all < running + waiting) {
            assert.equal(isAdmitted(admission, weight), true);
          }
        }
      },
    ),
  );
});

test("what is refused for another reason is counted under it and changes nothing else", () => {
  const { admission } = setUp(1, 1);
  assert.throws(() => admission.refuse("body_memory"), { code: "server_busy" });
  assert.deepEqual(admission.refused, { queue_full: 0, body_memory: 1 });
  assert.equal(admission.inside, 0);
});
