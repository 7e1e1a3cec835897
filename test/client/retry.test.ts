import assert from "node:assert/strict";
import { test } from "node:test";
import { ConcurrencyLimit } from "../../src/client/concurrency-limit.ts";
import { BankcheckError } from "../../src/client/errors.ts";
import { inOrder } from "../../src/client/in-order.ts";
import { defaultRetryRules, retryDelay } from "../../src/client/retry.ts";
import { collect } from "./collect.ts";

const failure = (code: BankcheckError["code"], retryAfter?: number) =>
  new BankcheckError(code, "x", { retryAfter });

test("each retry waits twice as long, up to the longest wait, and chance adds at most a quarter", () => {
  const waits = Array.from({ length: 8 }, (_, retry) =>
    retryDelay(failure("unreachable"), retry, defaultRetryRules, 0),
  );
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  assert.equal(retryDelay(failure("unreachable"), 1, defaultRetryRules, 1), 625);
  assert.equal(retryDelay(failure("unreachable"), 8, defaultRetryRules, 0), undefined);
});

test("a retry never comes before the service wants it", () => {
  for (const chance of [0, 0.5, 1]) {
    const wait = retryDelay(failure("server_busy", 2_000), 0, defaultRetryRules, chance);
    assert.ok(wait !== undefined && wait >= 2_000 && wait <= 2_500);
  }
});

test("only what may pass is sent again", () => {
  const codes = ["server_busy", "internal_error", "checker_failed", "unreachable", "timed_out"] as const;
  for (const code of codes)
    assert.notEqual(retryDelay(failure(code), 0, defaultRetryRules, 0), undefined, code);
  for (const code of ["configuration_error", "invalid_key", "invalid_iban", "invalid_answer"] as const) {
    assert.equal(retryDelay(failure(code), 0, defaultRetryRules, 0), undefined, code);
  }
  assert.equal(retryDelay(new Error("x"), 0, defaultRetryRules, 0), undefined);
});

test("one round of refusals halves the limit once, and successes regain it one by one", async () => {
  const limit = new ConcurrencyLimit(8);
  const tickets = await Promise.all(Array.from({ length: 8 }, () => limit.enter()));
  assert.equal(limit.hasRoom, false);
  for (const ticket of tickets) limit.refused(ticket);
  assert.equal(limit.current, 4);
  for (let round = 0; round < 6; round++) {
    await limit.enter();
    limit.succeeded();
  }
  assert.equal(limit.current, 5);
  for (let round = 0; round < 100; round++) {
    await limit.enter();
    limit.succeeded();
  }
  assert.equal(limit.current, 8);
  for (let round = 0; round < 3; round++) limit.refused(await limit.enter());
  assert.equal(limit.current, 1);
});

test("where even the only request is refused, none is let in until one has waited", async () => {
  const limit = new ConcurrencyLimit(2);
  for (let refusal = 0; refusal < 2; refusal++) limit.refused(await limit.enter());
  assert.equal(limit.current, 0);
  for (let round = 0; round < 3; round++) {
    const waiting = limit.enter();
    const soon = new Promise((resolve) => setTimeout(() => resolve("not yet"), 20));
    assert.equal(await Promise.race([waiting, soon]), "not yet");
    limit.waited();
    limit.refused(await waiting);
    assert.equal(limit.current, 0);
  }
  limit.waited();
  await limit.enter();
  limit.succeeded();
  assert.equal(limit.current, 2);
});

test("who waits to be let in leaves when its signal is aborted", async () => {
  const limit = new ConcurrencyLimit(1);
  await limit.enter();
  const stop = new AbortController();
  const leaving = limit.enter(stop.signal);
  const staying = limit.enter();
  stop.abort(new Error("enough"));
  await assert.rejects(leaving, /enough/);
  await assert.rejects(limit.enter(stop.signal), /enough/);
  limit.succeeded();
  await staying;
});

test("who waits is let in in turn when somebody leaves", async () => {
  const limit = new ConcurrencyLimit(1);
  await limit.enter();
  const order: number[] = [];
  const waiting = [1, 2].map(async (number) => {
    await limit.enter();
    order.push(number);
    limit.succeeded();
  });
  assert.equal(limit.hasRoom, false);
  limit.failed();
  await Promise.all(waiting);
  await limit.room();
  assert.deepEqual(order, [1, 2]);
});

test("results come in the order of the items, whichever is finished first, and no more are held than allowed", async () => {
  const limit = new ConcurrencyLimit(8);
  const started: (() => void)[] = [];
  const work = async (item: number) => {
    await limit.enter();
    await new Promise<void>((resolve) => started.push(resolve));
    limit.succeeded();
    return item;
  };
  const results = inOrder([0, 1, 2, 3, 4], work, { limit, ahead: 3, signal: undefined });
  const first = results.next();
  while (started.length < 3) await new Promise(setImmediate);
  started[2]?.();
  started[1]?.();
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  assert.equal(started.length, 3, "the fourth waits until the first has been taken");
  started[0]?.();
  assert.equal((await first).value, 0);
  const rest = collect(results);
  while (started.length < 5) await new Promise(setImmediate);
  started[3]?.();
  started[4]?.();
  assert.deepEqual(await rest, [1, 2, 3, 4]);
});

test("a source that fails ends the results with its failure", async () => {
  function* source() {
    yield 1;
    throw new Error("unreadable");
  }
  const limit = new ConcurrencyLimit(2);
  const results = inOrder(source(), async (item) => item, {
    limit,
    ahead: 4,
    signal: undefined,
  });
  await assert.rejects(collect(results), /unreadable/);
});
