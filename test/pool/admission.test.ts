import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Admission } from "../../src/pool/admission.ts";

test("as many are let in as work and wait, and the next when one has left", () => {
  const admission = new Admission(2, 3);
  assert.equal(admission.ceiling, 5);
  for (let inside = 0; inside < 5; inside++) {
    assert.equal(admission.full, false);
    assert.equal(admission.inside, inside);
    assert.equal(admission.enter(), true);
  }
  assert.equal(admission.full, true);
  assert.equal(admission.enter(), false);
  assert.equal(admission.inside, 5, "who is refused is not counted");
  admission.leave();
  assert.equal(admission.full, false);
  assert.equal(admission.enter(), true);
  assert.equal(admission.enter(), false);
});

test("a queue may be empty", () => {
  const admission = new Admission(1, 0);
  assert.equal(admission.enter(), true);
  assert.equal(admission.enter(), false);
});

test("whatever comes and goes, never more are inside than the ceiling", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.nat(64),
      fc.array(fc.boolean()),
      (running, waiting, moves) => {
        const admission = new Admission(running, waiting);
        let inside = 0;
        for (const comes of moves) {
          if (comes) {
            const entered = admission.enter();
            assert.equal(entered, inside < running + waiting);
            if (entered) inside++;
          } else if (inside > 0) {
            admission.leave();
            inside--;
          }
          assert.equal(admission.inside, inside);
          assert.equal(admission.full, inside === running + waiting);
        }
      },
    ),
  );
});
