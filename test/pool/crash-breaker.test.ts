import assert from "node:assert/strict";
import { test } from "node:test";
import { crashBreaker, pauseMs } from "../../src/pool/crash-breaker.ts";

const kind = 1;
const otherKind = 2;

function setUp() {
  const clock = { now: 0 };
  const breaker = crashBreaker(() => clock.now);
  const crash = (times: number) => {
    for (let crashed = 0; crashed < times; crashed++) breaker.crashed(kind);
  };
  return { clock, breaker, crash };
}

test("eight crashes in a row open the breaker of their kind alone", () => {
  const { breaker, crash } = setUp();
  crash(7);
  assert.equal(breaker.allows(kind), true);
  crash(1);
  assert.deepEqual([breaker.allows(kind), breaker.open, breaker.allows(otherKind)], [false, 1, true]);
});

test("crashes among many answers never open it, and the answers are not saved up", () => {
  const { breaker, crash } = setUp();
  for (let round = 0; round < 1_000; round++) {
    crash(1);
    assert.equal(breaker.allows(kind), true);
    for (let answers = 0; answers < 16; answers++) breaker.returned(kind);
    assert.equal(breaker.allows(kind), true);
  }
  crash(8);
  assert.equal(breaker.allows(kind), false);
});

test("crashes that take turns with answers open it too", () => {
  const { breaker, crash } = setUp();
  for (let round = 0; round < 12 && breaker.allows(kind); round++) {
    crash(1);
    if (breaker.allows(kind)) breaker.returned(kind);
  }
  assert.equal(breaker.open, 1);
});

test("after a pause one trial is let through; when it succeeds the breaker closes", () => {
  const { breaker, clock, crash } = setUp();
  crash(8);
  clock.now = pauseMs - 1;
  assert.deepEqual([breaker.allows(kind), breaker.open], [false, 1]);
  clock.now = pauseMs;
  assert.equal(breaker.open, 0, "its next request is the trial");
  assert.equal(breaker.allows(kind), true);
  assert.equal(breaker.allows(kind), false, "one at a time");
  breaker.returned(kind);
  assert.deepEqual([breaker.allows(kind), breaker.open], [true, 0]);
  crash(7);
  assert.equal(breaker.allows(kind), true, "it begins anew");
});

for (const [outcome, crashes] of [
  ["crashes", 1],
  ["has an outcome that is never reported", 0],
] as const) {
  test(`a trial that ${outcome} is followed by another after the same pause`, () => {
    const { breaker, clock, crash } = setUp();
    crash(8);
    for (let trial = 0; trial < 3; trial++) {
      clock.now += pauseMs - 1;
      assert.equal(breaker.allows(kind), false);
      clock.now += 1;
      assert.equal(breaker.allows(kind), true);
      crash(crashes);
    }
  });
}
