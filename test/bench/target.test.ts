import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import {
  runTarget,
  type TargetOptions,
  type TargetStep,
  targetCells,
  targetReport,
} from "../../bench/target.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { dataFolder } from "../banks/shipped.ts";
import { freePort } from "../free-port.ts";
import { IbanMix } from "../support/iban-mix.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

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
    const isKnown = request.headers["x-api-key"] === key;
    const kind = request.url?.endsWith("/v1/ping") ? "ping" : request.method === "GET" ? "single" : "batch";
    received.push({
      at: performance.now(),
      kind,
      key: request.headers["x-api-key"],
      host: request.headers.host,
    });
    const isRefused = kind !== "ping" && request.url!.startsWith("/full/");
    response
      .writeHead(!isKnown ? 401 : isRefused ? 503 : 200)
      .end(request.url!.startsWith("/other/") ? "<p>" : '{"status":1,"message":"Pong"}');
  });
});
let options: TargetOptions;
let mix: IbanMix;
before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  mix = new IbanMix(new BankDirectory(await loadShippedDirectory(dataFolder)));
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
  assert.ok(steps.some(({ load }) => /overload/.test(load)));
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
});

test("an address at which no load test makes sense is reported in one sentence", async () => {
  const cases: readonly (readonly [part: Partial<TargetOptions>, expected: RegExp])[] = [
    [{ key: "wrong" }, /^Error: \S+ does not know the API key in BANKCHECK_KEY\.$/],
    [{ url: new URL(`http://127.0.0.1:${await freePort()}`) }, /refuses connections/],
    [{ url: new URL("http://bankcheck.invalid") }, /The host bankcheck\.invalid was not found/],
    [{ url: new URL("/other/", options.url) }, /\/other\/v1\/ping is not answered by a bankcheck/],
    [{ url: new URL("/full", options.url) }, /none of \d+ single checks with 200 \(\d+ with 503\)/],
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
  assert.ok(steps[0]!.answered > 0);
});

test("a load test that is interrupted before the service has answered ends, and measures nothing", async () => {
  const silent = createServer(() => interrupted.abort());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const interrupted = new AbortController();
  const url = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
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
  dying.listen(0, "127.0.0.1");
  await once(dying, "listening");
  const url = new URL(`http://127.0.0.1:${(dying.address() as AddressInfo).port}`);
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
