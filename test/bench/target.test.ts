import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import type { StreamResult } from "../../bench/load/open-loop.ts";
import { openTitle, runTarget, type TargetOptions, type TargetStep } from "../../bench/target/run-target.ts";
import { targetCells, targetNotes, targetReport } from "../../bench/target/target-report.ts";
import type { LoadKind } from "../../bench/tune/loads.ts";
import { freePort } from "../free-port.ts";
import type { IbanMix } from "../support/iban-mix.ts";
import { listen } from "../support/listen.ts";
import { shippedMix } from "../support/shipped-directory.ts";

const key = "target-key-0123456789";
const received: {
  readonly at: number;
  readonly kind: string;
  readonly key: unknown;
  readonly host: unknown;
}[] = [];
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const isKnown = request.headers["x-api-key"] === key && !isRevoked;
    const kind = request.url?.endsWith("/v1/ping") ? "ping" : request.method === "GET" ? "single" : "batch";
    received.push({
      at: performance.now(),
      kind,
      key: request.headers["x-api-key"],
      host: request.headers.host,
    });
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
  const port = await listen(server);
  mix = await shippedMix();
  options = {
    ...{ url: new URL(`http://127.0.0.1:${port}`), key, maxSingles: 120, maxBatches: 10, seconds: 4 },
    measured: () => {},
    signal: new AbortController().signal,
  };
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test("a service elsewhere gets every kind of load with its key, never faster than allowed", async () => {
  received.length = 0;
  const begin = performance.now();
  const steps: TargetStep[] = [];
  await runTarget({ ...options, measured: (step) => steps.push(step) }, mix);
  const seconds = (performance.now() - begin) / 1_000;
  assert.ok(steps.some(({ load }) => /closed loop, 64 connections/.test(load)));
  assert.equal(steps.length, 17);
  assert.ok(received.every((request) => request.key === key && request.host === options.url.host));
  const count = (kind: string) => received.filter((request) => request.kind === kind).length;
  assert.ok(
    count("single") > 0 && count("single") <= options.maxSingles * seconds * 1.3,
    `${count("single")}`,
  );
  assert.ok(count("batch") > 0 && count("batch") <= options.maxBatches * seconds * 1.3, `${count("batch")}`);
  const cells = targetCells(steps);
  assert.equal(cells.length, steps.length + 1);
  assert.ok(cells.every((row) => row.length === cells[0]!.length));
  const report = targetReport(steps, options, "2026-11-21");
  assert.ok(report.includes(options.url.origin) && !report.includes(key));
  assert.match(report, /At most 120 single checks and 10 batches a second/);
  assert.match(report, /; 17 of 17 loads\./);
});

const stream: StreamResult = {
  ...{ name: "singles", due: 100, sent: 100, tooLate: 0, aboveLimit: 0, lateP99: 0.5, reopened: 0, lost: 0 },
  statuses: { 200: { count: 100, retryAfter: 0, p50: 1, p99: 2, max: 3 } },
};
const step = (part: Partial<TargetStep>): TargetStep => ({
  ...{ load: "Single checks, 0.5 ×", offered: 50, isHeld: false, sent: 50, goodput: 50, refused: 0 },
  ...{ p50: 1, p99: 2, late: 0.5, streams: [stream] },
  ...part,
});

test("what failed in a load, and why requests were not sent, is named", () => {
  assert.deepEqual(targetNotes([step({})]), []);
  const notesOf = (part: Partial<StreamResult>) =>
    targetNotes([step({ streams: [{ ...stream, ...part }] })])[0];
  const times = { p50: 1, p99: 2, max: 3 };
  const statuses = {
    200: { count: 80, retryAfter: 0, ...times },
    429: { count: 12, retryAfter: 0, ...times },
    503: { count: 5, retryAfter: 4, ...times },
  };
  assert.equal(
    notesOf({ statuses, lost: 2 }),
    "Single checks, 0.5 ×: 12 answers with 429; 1 refusal without Retry-After: 2; 3 requests without an answer; " +
      "2 connections closed with a request on its way.",
  );
  const due = 200;
  assert.match(notesOf({ due, tooLate: 100 })!, /50 % were not sent, since this machine was too busy/);
  assert.equal(notesOf({ due, aboveLimit: 100 }), undefined, "as the limit is meant to do");
  assert.match(notesOf({ due })!, /50 % were not sent, since all connections waited for answers/);
  assert.deepEqual(targetNotes([step({ offered: undefined, streams: [{ ...stream, due }] })]), []);
});

test("only a load beyond what closed loops below their limit reached is an overload", () => {
  const limits = { singles: 1_000, batches: 50 };
  const titleOf = (kind: LoadKind, singles: number) => openTitle(kind, 1.5, { singles, batches: 20 }, limits);
  assert.match(titleOf("singles", 500), /^Single checks, overload, 1.5 × what the closed loop reached$/);
  assert.match(titleOf("singles", 998), /^Single checks, 1.5 ×/);
  assert.match(titleOf("mix", 998), /batch of 500, 1.5 ×/);
  assert.match(openTitle("singles", 1, { singles: 500, batches: 20 }, limits), /^Single checks, 1 ×/);
  const cut = step({ isHeld: true, streams: [{ ...stream, aboveLimit: 31, reopened: 7 }] });
  const report = targetReport([cut], options, "2026-11-21", "The run was interrupted.");
  assert.match(report, /opening of connections; 7 were closed between two requests and opened again\./);
  assert.match(report, /; 31 requests that were due at independent times were left out for it\./);
  assert.match(report, /Single checks: this limit held the closed loop down/);
  assert.doesNotMatch(report, /Batches of 500: this limit/);
  assert.match(report, /1 of 17 loads.*<p class="wrong">The run was interrupted\.<\/p>/s);
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
  const cases: readonly (readonly [part: Partial<TargetOptions>, expected: RegExp])[] = [
    [{ key: "wrong" }, /^Error: \S+ does not know the API key in BANKCHECK_KEY\.$/],
    [{ url: new URL(`http://127.0.0.1:${await freePort()}`) }, /refuses connections/],
    [{ url: new URL("http://bankcheck.invalid") }, /The host bankcheck\.invalid was not found/],
    [{ url: new URL("/other/", options.url) }, /\/other\/v1\/ping is not answered by a bankcheck/],
    [{ url: new URL("/status-301", options.url) }, /answered 301 \(to \S+elsewhere\S+\).+the address of a/],
    [{ url: new URL("/status-403", options.url) }, /answered 403.* instead of 200: is this the address of a/],
    [{ url: new URL("/status-429", options.url) }, /answered 429 instead of 200: the service, or a proxy/],
    [{ url: new URL("/status-503", options.url) }, /answered 503 .* is not available now\.$/],
    [{ url: new URL(`https${options.url.href.slice(4)}`) }, /does not answer in TLS \(\w+\): is it http:/],
    [
      { url: new URL("/full", options.url) },
      /none of \d+ requests with 200 \(Single checks, closed loop, 1 connection: \d+ with 503\): there is nothing/,
    ],
  ];
  for (const [part, expected] of cases)
    await assert.rejects(runTarget({ ...options, ...part }, mix), expected);
});

test("a load test that is interrupted reports what it has measured, and one behind a path finds it", async () => {
  const interrupted = new AbortController();
  const steps: TargetStep[] = [];
  await runTarget(
    {
      ...{ ...options, url: new URL("/behind/it/", options.url), signal: interrupted.signal },
      measured: (step) => {
        steps.push(step);
        interrupted.abort();
      },
    },
    mix,
  );
  assert.equal(steps.length, 1);
  assert.ok(steps[0]!.goodput > 0);
});

test("a load test that is interrupted before the service has answered ends, and measures nothing", async () => {
  const silent = createServer(() => interrupted.abort());
  const interrupted = new AbortController();
  const url = new URL(`http://127.0.0.1:${await listen(silent)}`);
  const measured = () => assert.fail("nothing is measured");
  await runTarget({ ...options, url, signal: interrupted.signal, measured }, mix);
  silent.closeAllConnections();
  silent.close();
});

test("of a service that is gone in the middle, the loads before are reported, and the reason in one sentence", async () => {
  const dying = createServer((request, response) => {
    request.resume();
    response.end('{"message":"Pong"}');
  });
  const url = new URL(`http://127.0.0.1:${await listen(dying)}`);
  const steps: TargetStep[] = [];
  const measured = (step: TargetStep) => {
    steps.push(step);
    dying.closeAllConnections();
    dying.close();
  };
  await assert.rejects(
    runTarget({ ...options, url, measured }, mix),
    /cannot be reached any longer, after 1 of 17 loads \(connect ECONNREFUSED [^)]+\)\.$/,
  );
  assert.equal(steps.length, 1);
});
