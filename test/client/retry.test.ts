import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ConcurrencyLimit } from "../../src/client/concurrency-limit.ts";
import { BankcheckError } from "../../src/client/errors.ts";
import { retryAfterOf } from "../../src/client/fetch-answer.ts";
import { defaults, retryDelay } from "../../src/client/options.ts";
import { RequestSender } from "../../src/client/sender.ts";

const failure = (code: BankcheckError["code"], retryAfter?: number) =>
  new BankcheckError(code, "x", { retryAfter });

test("each retry waits twice as long, up to the longest wait, and chance adds at most a quarter", () => {
  const waits = Array.from({ length: 8 }, (_, retry) =>
    retryDelay(failure("unreachable"), retry, defaults, 0, 0),
  );
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  assert.equal(retryDelay(failure("unreachable"), 1, defaults, 0, 1), 625);
  assert.equal(retryDelay(failure("unreachable"), 8, defaults, 0, 0), undefined);
});

/** A failure, the number of its retry, milliseconds since the call began, and the wait; undefined where it is given up. */
const waits: readonly (readonly [error: Error, retry: number, elapsed: number, wait: number | undefined])[] =
  [
    // Never earlier than the service asks, and no retry begins later than allowed.
    [failure("rate_limited", 900), 0, 0, 900],
    [failure("server_busy", 2_000), 0, 0, undefined],
    [failure("unreachable"), 1, 500, 500],
    [failure("unreachable"), 1, 501, undefined],
    ...(["server_busy", "internal_error", "checker_failed", "timed_out"] as const).map(
      (code) => [failure(code), 0, 0, 250] as const,
    ),
    ...(["configuration_error", "invalid_key", "invalid_iban", "invalid_answer"] as const).map(
      (code) => [failure(code), 0, 0, undefined] as const,
    ),
    [new Error("x"), 0, 0, undefined],
  ];

test("only what may pass is sent again, as late as the service asks and as early as the caller allows", () => {
  for (const [error, retry, elapsed, wait] of waits) {
    const rules = { ...defaults, giveUpAfter: 1_000 };
    assert.equal(retryDelay(error, retry, rules, elapsed, 0), wait, `${error} after ${elapsed} ms`);
  }
  // A host that is not known is asked for ten seconds at most.
  assert.equal(retryDelay(failure("unknown_host"), 4, defaults, 6_000, 0), 4_000);
  assert.equal(retryDelay(failure("unknown_host"), 4, defaults, 6_001, 0), undefined);
});

test("one round of refusals halves the limit once, and successes regain it one by one", async () => {
  const limit = new ConcurrencyLimit(8);
  const tickets = await Promise.all(Array.from({ length: 8 }, () => limit.enter()));
  assert.equal(limit.hasRoom, false);
  for (const ticket of tickets) limit.refused(ticket, 1);
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
  for (let round = 0; round < 3; round++) limit.refused(await limit.enter(), 1);
  assert.equal(limit.current, 1);
});

/** Lets timers run for some time, and whether a promise is settled then. */
async function isSettledIn(milliseconds: number, promise: Promise<unknown>, { mock }: TestContext) {
  mock.timers.tick(milliseconds);
  const turn = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([promise.then(() => true), turn]);
}

test("where even the only request is refused, none is let in until the wait is over", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const limit = new ConcurrencyLimit(2);
  assert.equal(limit.refused(await limit.enter(), 1), false, "one of two in flight");
  assert.equal(limit.refused(await limit.enter(), 60), true);
  for (let round = 0; round < 3; round++) {
    assert.equal(limit.current, 0);
    const waiting = limit.enter();
    assert.equal(await isSettledIn(59, waiting, context), false);
    assert.equal(await isSettledIn(1, waiting, context), true);
    limit.refused(await waiting, 60);
  }
  context.mock.timers.tick(60);
  await limit.enter();
  limit.succeeded();
  assert.equal(limit.current, 2);
});

test("one failure holds nothing up; two in a row pause all requests, and then one tries alone", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const limit = new ConcurrencyLimit(4);
  const tickets = 4;
  for (let number = 0; number < tickets; number++) await limit.enter();
  assert.equal(limit.failed(40), false);
  assert.equal(limit.current, 4);
  for (let number = 1; number < tickets; number++) assert.equal(limit.failed(40), true);
  assert.equal(limit.current, 0);
  const waiting = Array.from({ length: 3 }, () => limit.enter());
  assert.equal(await isSettledIn(39, waiting[0]!, context), false);
  assert.equal(await isSettledIn(1, waiting[0]!, context), true);
  assert.equal(await isSettledIn(100, waiting[1]!, context), false, "one alone");
  limit.succeeded();
  await Promise.all(waiting);
});

test("during a pause a refused request that is to wait longer does so alone", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const limit = new ConcurrencyLimit(4);
  const tickets = await Promise.all(Array.from({ length: 4 }, () => limit.enter()));
  assert.equal(limit.failed(40) || limit.failed(40), true);
  assert.equal(limit.refused(tickets[2]!, 60_000), true);
  assert.equal(limit.refused(tickets[3]!, 90_000), false);
});

test("the oldest request goes first, and an answer in between makes a failure one of its own again", async () => {
  const limit = new ConcurrencyLimit(1);
  await limit.enter();
  const order: number[] = [];
  const waiting = [7, 3, 5].map(async (number) => {
    await limit.enter(undefined, { order: number, hasFailed: false });
    order.push(number);
    limit.succeeded();
  });
  assert.equal(limit.failed(1), false);
  await Promise.all(waiting);
  assert.deepEqual(order, [3, 5, 7]);
  await limit.enter();
  assert.equal(limit.failed(1), false);
});

test("a request that is given up takes with it those that failed with it, not those that were never sent", async () => {
  const limit = new ConcurrencyLimit(2);
  await limit.enter();
  await limit.enter();
  limit.failed(1);
  limit.failed(1);
  const [failed, fresh] = [true, false].map((hasFailed, order) =>
    limit.enter(undefined, { order, hasFailed }),
  );
  const probe = limit.enter(undefined, { order: -1, hasFailed: true });
  await probe;
  const gone = assert.rejects(failed!, /away/);
  limit.gaveUp(new Error("away"));
  await gone;
  await fresh;
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
  limit.answered();
  await staying;
});

test("Retry-After is read as seconds and as a date", () => {
  const now = Date.parse("Mon, 07 Dec 2026 12:00:00 GMT");
  assert.equal(retryAfterOf("2", now), 2_000);
  assert.equal(retryAfterOf("Mon, 07 Dec 2026 12:00:05 GMT", now), 5_000);
  assert.equal(retryAfterOf("Mon, 07 Dec 2026 11:00:00 GMT", now), 0);
  for (const header of [null, "", "soon", "-1", "1.5"]) assert.equal(retryAfterOf(header, now), undefined);
});

test("callers that have given up receive no notice of a retry, and leave their places to others", async () => {
  let caller = new AbortController();
  const notices: unknown[] = [];
  const sender = new RequestSender({
    baseUrl: "http://127.0.0.1",
    apiKey: "key",
    concurrency: 2,
    onRetry: (notice) => notices.push(notice),
    fetch: async () => {
      caller.abort(new Error("enough"));
      const text = async () => '{"error":{"code":"checker_failed","message":"x","http_status":500}}';
      return { ok: false, status: 500, headers: { get: () => null }, text };
    },
  });
  // The third would wait for ever for a place that one of the first two had kept.
  for (let round = 0; round < 3; round++) {
    caller = new AbortController();
    const sent = sender.send({
      path: "/v1/iban",
      body: "{}",
      signal: caller.signal,
      read: (answer) => answer,
    });
    await assert.rejects(sent, /enough/);
  }
  assert.deepEqual(notices, []);
});
