import assert from "node:assert/strict";
import { test } from "node:test";
import { AdaptiveSpin, MainSpin } from "../../src/pool/adaptive-spin.ts";
import { stampOf } from "../../src/pool/clock.ts";

/** Lets a number of waits of `ms` milliseconds pass. */
function wait(spin: MainSpin, count: number, ms: number): void {
  for (let index = 0; index < count; index++) spin.waited(stampOf(5), stampOf(5 + ms));
}

test("a thread stays awake only where the last waits were shorter than what sleeping costs", () => {
  const spin = new MainSpin();
  assert.equal(spin.ms, 0, "nothing is known yet");
  wait(spin, 20, 0.03);
  assert.equal(spin.ms, 0.1);
  wait(spin, 1, 4);
  assert.equal(spin.ms, 0.1, "a single long wait changes nothing");
  wait(spin, 5, 4);
  assert.equal(spin.ms, 0);
  wait(spin, 10, 0.02);
  assert.equal(spin.ms, 0.1, "and many short ones do");
});

/** Rounds of a client that sends one request after the other, each this long after the last answer, in milliseconds. */
class Client {
  readonly spin = new AdaptiveSpin();
  /** How long the worker has spun in all. */
  spunMs = 0;
  time = 0;

  /** Lets a number of tasks come; returns how many of them the worker found while it spun. */
  send(count: number, { gapMs = 0.025, taken = 1, lostMs = 0 } = {}): number {
    let found = 0;
    for (let index = 0; index < count; index++) {
      const spinMs = this.spin.spinMs(taken);
      const took = Math.min(gapMs + lostMs, spinMs);
      const hasFound = gapMs + lostMs < spinMs;
      if (spinMs > 0) this.spin.spun(hasFound, took, Math.min(lostMs, took));
      if (hasFound) found++;
      else this.spin.slept(gapMs);
      this.spunMs += took;
      this.time += gapMs + (spinMs > 0 ? lostMs : 0);
    }
    return found;
  }

  /** Part of its time that the worker spins while such tasks come. */
  shareOf(count: number, tasks: { readonly gapMs: number; readonly lostMs?: number }): number {
    const before = { spun: this.spunMs, time: this.time };
    this.send(count, tasks);
    return (this.spunMs - before.spun) / (this.time - before.time);
  }
}

test("a worker spins for the next task if each arrives soon after the last answer", () => {
  const client = new Client();
  assert.equal(client.send(10_000), 10_000);
});

test("a worker stops spinning if tasks are rare", () => {
  const client = new Client();
  client.send(1_000);
  client.send(20, { gapMs: 5 });
  assert.equal(client.shareOf(100_000, { gapMs: 5 }), 0);
  assert.equal(client.shareOf(100_000, { gapMs: 0.2 }), 0);
});

test("a worker makes a trial after a thousand short idle times, and spins on where it pays", () => {
  const client = new Client();
  client.send(20, { gapMs: 5 });
  assert.equal(client.send(1_023), 0);
  assert.ok(client.send(1_000) >= 999);
});

test("a worker spins seldom where a find spares less than the spin costs", () => {
  const client = new Client();
  client.send(20_000, { gapMs: 0.12 });
  assert.ok(client.shareOf(100_000, { gapMs: 0.12 }) < 0.02);
});

test("a worker does not spin if several requests arrive together", () => {
  const client = new Client();
  client.send(16, { taken: 4 });
  client.spunMs = 0;
  client.send(10_000, { taken: 4 });
  assert.equal(client.spunMs, 0);
  assert.ok(client.send(1_000) > 980, "until they come one by one again");
});

test("a moment without the processor does not end the spinning that has paid", () => {
  const client = new Client();
  client.send(2_000);
  client.send(1, { lostMs: 4 });
  assert.equal(client.send(100), 100);
});

test("a worker that keeps losing the processor while it spins makes trials of it less and less often", () => {
  const client = new Client();
  const shares = [2_000, 8_000, 32_000, 128_000].map((count) =>
    client.shareOf(count, { gapMs: 0.05, lostMs: 3 }),
  );
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => b - a),
  );
  assert.ok(shares.at(-1)! < 0.01, `${shares}`);
});
