import assert from "node:assert/strict";
import { test } from "node:test";
import { AdaptiveSpin } from "../../src/pool/adaptive-spin.ts";

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
      if (spinMs > 0) this.spin.spun(hasFound, took);
      if (hasFound) found++;
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

test("a worker hardly spins if tasks are rare, or a find spares less than the spin costs", () => {
  for (const gapMs of [0.12, 0.2, 5]) {
    const client = new Client();
    client.send(1_000);
    client.send(1_000, { gapMs });
    const share = client.shareOf(200_000, { gapMs });
    assert.ok(share < 0.03, `${gapMs} ms: ${share}`);
  }
});

test("a worker makes a trial after many idle times, and spins on where it pays", () => {
  const client = new Client();
  client.send(20, { gapMs: 5 });
  assert.equal(client.send(16_000), 0);
  client.send(1_000);
  assert.equal(client.send(10_000), 10_000);
});

test("a worker does not spin if several requests arrive together", () => {
  const client = new Client();
  assert.equal(client.send(10_000, { taken: 3 }), 0);
  assert.equal(client.send(1_000), 1_000, "until they come one by one again");
});

test("a moment without the processor does not end the spinning that has paid", () => {
  const client = new Client();
  client.send(4_000);
  client.send(1, { lostMs: 4 });
  assert.equal(client.send(100), 100);
});

test("a worker that keeps losing the processor while it spins hardly spins", () => {
  const client = new Client();
  client.send(2_000, { gapMs: 0.05, lostMs: 3 });
  assert.ok(client.shareOf(200_000, { gapMs: 0.05, lostMs: 3 }) < 0.06);
});
