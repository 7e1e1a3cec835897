import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { missedBounds } from "../../bench/bounds.ts";
import type { Figures, LoadFigures } from "../../bench/figures.ts";
import { capacityOf } from "../../bench/load/loads.ts";
import type { StreamResult } from "../../bench/load/open-loop.ts";
import { targetCaveats, targetNotes } from "../../bench/target/notes.ts";
import { openPlan, singleLoad } from "../../bench/target/plan.ts";
import { findService } from "../../bench/target/reach.ts";
import { runTarget, type TargetOptions, type TargetStep } from "../../bench/target/run-target.ts";
import { freePort } from "../free-port.ts";
import type { IbanMix } from "../support/iban-mix.ts";
import { closed, listen } from "../support/listen.ts";
import { shippedMix } from "../support/shipped-directory.ts";

const key = "target-key-0123456789";
const received: { readonly kind: string; readonly key: unknown; readonly host: unknown }[] = [];
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const { authorization = `Bearer ${request.headers["x-api-key"]}` } = request.headers;
    const isKnown = authorization === `Bearer ${key}` && !isRevoked;
    const kind = request.url?.endsWith("/v1/ping") ? "ping" : request.method === "GET" ? "single" : "batch";
    received.push({ kind, key: request.headers["x-api-key"], host: request.headers.host });
    const isRefused = kind !== "ping" && request.url!.startsWith("/full/");
    const status = Number(/^\/status-(\d+)/.exec(request.url!)?.[1] ?? (isRefused ? 503 : 200));
    response
      .writeHead(isKnown ? status : 401, { Location: "https://elsewhere.example/" })
      .end(request.url!.startsWith("/other/") ? "<p>" : '{"status":1,"message":"Pong"}');
  });
});
let isRevoked = false;
let options: TargetOptions;
let mix: IbanMix;
before(async () => {
  const url = new URL(`http://127.0.0.1:${await listen(server)}`);
  mix = await shippedMix();
  options = { url, key, limits: { singles: 120, batches: 10 }, seconds: 4, measured: () => {} };
});
after(() => closed(server));

/** The loads of a test that runs to its end. */
async function stepsOf(part: Partial<TargetOptions>): Promise<readonly TargetStep[]> {
  received.length = 0;
  const steps: TargetStep[] = [];
  await runTarget({ ...options, ...part, measured: (step) => steps.push(step) }, mix);
  return steps;
}

test("a service elsewhere gets every kind of load with its key, never faster than allowed", async () => {
  const begin = performance.now();
  const steps = await stepsOf({});
  const seconds = (performance.now() - begin) / 1_000;
  assert.ok(steps.some(({ load }) => /closed loop, 64 connections/.test(load.title)));
  assert.equal(steps.length, 17);
  assert.ok(received.every((request) => request.key === key && request.host === options.url.host));
  const { singles, batches } = options.limits;
  for (const [kind, limit] of Object.entries({ single: singles, batch: batches })) {
    const count = received.filter((request) => request.kind === kind).length;
    assert.ok(count > 0 && count <= limit * seconds * 1.3, `${count} of ${kind}`);
  }
});

test("one load has the rate, the connections and the duration that are asked for", async () => {
  const only = singleLoad("batches", 20, 3);
  const steps = await stepsOf({ limits: { singles: 1, batches: 20 }, only, seconds: 1.5 });
  const [step] = steps;
  assert.deepEqual([steps.length, step!.load.connections, step!.figures.offered], [1, 3, 20]);
  assert.ok(received.length > 5 && received.every(({ kind }) => kind === "batch"), `${received.length}`);
  assert.ok(step!.figures.p999! >= step!.figures.p90! && step!.figures.max! >= step!.figures.p999!);
  assert.equal(singleLoad("singles", undefined, 7).perSecond, "closed");
});

const times = { p50: 1, p90: 1.5, p99: 2, p999: 2.5, max: 3 };
const answered = (count: number, retryAfter = 0) => ({ count, retryAfter, ...times });
const asDue = { due: 100, sent: 100, tooLate: 0, aboveLimit: 0, lateP99: 0.5, reopened: 0, lost: 0 };
const stream: StreamResult = { name: "singles", ...asDue, statuses: { 200: answered(100) } };
const step = (part: Partial<TargetStep>): TargetStep => ({
  load: { title: "Single checks, 0.5 ×", kind: "singles", connections: 8, perSecond: 50 },
  figures: { load: "Single checks, 0.5 ×", goodput: 50, refused: 0.02, p99: 2 },
  streams: [stream],
  ...part,
});

test("what failed in a load, and why requests were not sent, is named", () => {
  assert.deepEqual(targetNotes([step({})]), []);
  const notesOf = (part: Partial<StreamResult>) =>
    targetNotes([step({ streams: [{ ...stream, ...part }] })])[0];
  const statuses = { 200: answered(80), 429: answered(12), 503: answered(5, 4) };
  assert.equal(
    notesOf({ statuses, lost: 2 }),
    "Single checks, 0.5 ×, requests: 12 answered with 429; 1 refused without Retry-After: 2; 3 not answered; " +
      "2 lost with their connection.",
  );
  const due = 200;
  assert.match(notesOf({ due, tooLate: 100 })!, / 100 not sent, since this machine was too busy/);
  assert.equal(notesOf({ due, aboveLimit: 100 }), undefined, "as the limit is meant to do");
  assert.match(notesOf({ due })!, / 100 not sent, since all connections waited for answers/);
  const closed = { ...step({}).load, perSecond: "closed" } as const;
  assert.deepEqual(targetNotes([step({ load: closed, streams: [{ ...stream, due }] })]), []);
});

test("open loads are multiples of what closed loops reached, within the limits, which are named where they held one down", () => {
  const plan = openPlan(capacityOf(500, 20), { singles: 1_000, batches: 25 });
  assert.equal(plan.length, 12);
  const of = (title: RegExp) => plan.find((load) => title.test(load.title))?.perSecond;
  assert.equal(of(/^Single checks, 1\.5 × what the closed loop reached$/), 750);
  assert.equal(of(/^Batches of 500, 1\.25 ×/), 25, "at the limit");
  const cut = step({
    load: { ...step({}).load, perSecond: "closed" },
    figures: { load: "", goodput: 109 },
    streams: [{ ...stream, aboveLimit: 31, reopened: 7 }],
  });
  const caveats = targetCaveats([cut], options.limits).join("\n");
  assert.match(caveats, /^At most 120 single checks and 10 batches a second.*; 31 requests that were due/);
  assert.match(caveats, /opening of connections; 7 were closed between two requests and opened again\./);
  assert.match(caveats, /Single checks: this limit held the closed loop down/);
  assert.doesNotMatch(caveats, /Batches of 500: this limit/);
});

test("a load that misses a bound is named with its figure; a load without answers misses every p99", () => {
  const { figures } = step({});
  const missed = (bounds: Figures, load: LoadFigures = figures) => missedBounds(load, bounds);
  assert.deepEqual(missed({}), []);
  assert.deepEqual(missed({ p99: 2, refused: 0.02 }), []);
  assert.deepEqual(missed({ p99: 1.9, refused: 0.01 }), [
    "Single checks, 0.5 ×: p99 ms is 2, at most 1.9 is allowed.",
    "Single checks, 0.5 ×: 503 % is 2, at most 1 is allowed.",
  ]);
  assert.equal(missed({ p99: 50 }, { load: "", goodput: 0, refused: 1, p99: Number.NaN }).length, 1);
  assert.deepEqual(missed({ refusalP99: 1 }), [], "nothing was refused");
});

test("a load test whose key is revoked in the middle ends, and says after which load", async () => {
  const steps: TargetStep[] = [];
  const measured = (step: TargetStep) => {
    if (steps.push(step) === 2) isRevoked = true;
  };
  await assert.rejects(
    runTarget({ ...options, measured }, mix),
    /answered none of \d+ requests with 200 \(.+ 64 connections: \d+ with 401\): the run ends after 2 of 17 loads\.$/,
  );
  isRevoked = false;
  assert.equal(steps.length, 3);
});

test("an address at which no load test makes sense is reported in one sentence", async () => {
  const found = (address: string, given = key) => findService(new URL(address, options.url), given);
  for (const [address, expected] of [
    [`http://127.0.0.1:${await freePort()}`, /reached|refuse/],
    ["http://bankcheck.invalid", /bankcheck\.invalid/],
    ["/other/", /./],
    ["/status-301", /./],
    ["/status-503", /./],
    [`https${options.url.href.slice(4)}`, /TLS|https/],
  ] as const)
    await assert.rejects(found(address), expected, address);
  await assert.rejects(found("", "wrong"));
  assert.equal((await found("/behind/it/")).url, `${options.url.origin}/behind/it`);
  const full = { ...options, url: new URL("/full", options.url) };
  await assert.rejects(
    runTarget(full, mix),
    /none of \d+ requests with 200 \(Single checks, closed loop, 1 connection: \d+ with 503\): there is nothing/,
  );
});

test("of a service that is gone in the middle, the loads before are reported, and the reason in one sentence", async () => {
  const dying = createServer((_, response) => void response.end('{"message":"Pong"}'));
  const url = new URL(`http://127.0.0.1:${await listen(dying)}`);
  const steps: TargetStep[] = [];
  const measured = (step: TargetStep) => {
    steps.push(step);
    void closed(dying);
  };
  await assert.rejects(
    runTarget({ ...options, url, measured }, mix),
    /cannot be reached any longer, after 1 of 17 loads \(connect ECONNREFUSED [^)]+\)\.$/,
  );
  assert.equal(steps.length, 1);
});
