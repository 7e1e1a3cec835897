import assert from "node:assert/strict";
import { test } from "node:test";
import { AdaptiveSpin } from "../../src/pool/adaptive-spin.ts";

/** Lets tasks come, each `gapMs` after the last; returns how many the worker found, and how long it looked for them. */
function send(spin: AdaptiveSpin, count: number, gapMs: number, taken = 1) {
  let found = 0;
  let lookedMs = 0;
  for (let index = 0; index < count; index++) {
    const limitMs = spin.limitMs(taken);
    if (limitMs === 0) continue;
    const tookMs = Math.min(gapMs, limitMs);
    spin.looked(gapMs < limitMs, tookMs);
    lookedMs += tookMs;
    if (gapMs < limitMs) found++;
  }
  return { found, lookedMs };
}

test("a worker looks for the next task as long as each arrives soon after the last answer", () => {
  assert.equal(send(new AdaptiveSpin(), 100_000, 0.025).found, 100_000);
});

test("a worker does not look after several tasks at once", () => {
  const spin = new AdaptiveSpin();
  assert.equal(send(spin, 100_000, 0.025, 2).lookedMs, 0);
  assert.equal(send(spin, 1, 0.025).found, 1);
});

test("where looks do not pay, a worker looks for less than a hundredth of the time", () => {
  for (const gapMs of [0.1, 0.5, 5]) {
    const spin = new AdaptiveSpin();
    send(spin, 100_000, gapMs);
    const { lookedMs } = send(spin, 100_000, gapMs);
    assert.ok(lookedMs > 0 && lookedMs < 100_000 * gapMs * 0.01, `${gapMs}: ${lookedMs}`);
  }
});

test("a worker that looks no longer tries again, and continues where that pays", () => {
  const spin = new AdaptiveSpin();
  send(spin, 1_000, 5);
  send(spin, 2_000, 0.025);
  assert.equal(send(spin, 1_000, 0.025).found, 1_000);
});

test("a moment without the processor does not end the looking that pays", () => {
  const spin = new AdaptiveSpin();
  send(spin, 2_000, 0.025);
  send(spin, 1, 4);
  assert.equal(send(spin, 100, 0.025).found, 100);
});
