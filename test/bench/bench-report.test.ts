import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../../bench/end-to-end.ts";
import { type BenchRun, benchReport } from "../../bench/report/bench-report.ts";
import { charts } from "../../bench/report/charts.ts";
import { scenarios } from "../../bench/scenarios.ts";

const row = (server: Row["server"], perSecond: number): Row => ({
  ...{
    server,
    perSecond,
    lowest: perSecond * 0.9,
    highest: perSecond * 1.2,
    refusedPerSecond: 0,
    answers: 1_000,
  },
  ...{
    p50: 1,
    p99: 2,
    socketErrors: 0,
    generatorSeconds: 1,
    mainMicroseconds: 60,
    allMicroseconds: 120,
    memoryMb: 150,
  },
});
const results = scenarios.map((scenario) => ({
  scenario,
  rows: scenario.servers.map((server) => row(server, server === "fastify" ? 500 : 8_000)),
}));
const run: BenchRun = {
  machine: { processor: "P<x>", cores: 2, memoryGb: 8, node: "v20.20.2", generator: "wrk" },
  effort: { rounds: 5, seconds: 2 },
  day: "2026-11-21",
  micro: [{ name: "JSON.parse of a batch", nanoseconds: 50 }],
  results,
  idle: {
    alone: { main: 12, others: 34, processorMs: 5 },
    withConsole: { main: 20, others: 41, processorMs: 7 },
    memoryMb: 150,
  },
  baselineNote: "Compared with itself.",
  comparisons: [{ name: "batch-500-64", peer: "fastify", now: 8, before: 16, gain: 0.5, isRegression: true }],
  pictures: Object.values(charts(results)),
};

test("the report holds machine, pictures, ratios of the run and ratios beside the baseline", () => {
  const report = benchReport(run);
  assert.match(report, /2 cores \(P&lt;x&gt;\)/);
  assert.equal(report.match(/<svg /g)?.length, 2);
  assert.match(report, /<td>fastify \+ ibantools<\/td>/);
  assert.match(report, /<td>16<\/td><td>1<\/td>/, "× fastify of 8,000 against 500");
  assert.match(report, /<td>8<\/td><td>16<\/td><td>0.5<\/td><td>slower<\/td>/);
  assert.match(report, /JSON\.parse of a batch/);
  assert.match(report, /<td>wake-ups of the main thread<\/td><td>12<\/td><td>20<\/td>/);
  assert.match(report, /at most 30 % of its median/);
  assert.match(report, /took up to 0.5 cores/);
  assert.match(report, /Every request was answered, and no connection was lost/);
  const [first, ...others] = results;
  const lossy = { ...first!, rows: first!.rows.map((one) => ({ ...one, socketErrors: 2 })) };
  const lost = 2 * first!.rows.length;
  assert.ok(
    benchReport({ ...run, results: [lossy, ...others] }).includes(`${lost} requests were not answered`),
  );
});

test("the report asks nothing of any other host and runs nothing", () => {
  const report = benchReport(run).replaceAll('xmlns="http://www.w3.org/2000/svg"', "");
  assert.doesNotMatch(report, /https?:|<script|<link|<img|url\(|@import/);
  assert.match(report, /--ground:\s*light-dark\(/, "the console's variables");
});

test("a run of a part is reported without the rest", () => {
  const report = benchReport({ ...run, results: [], micro: [], pictures: [], comparisons: [] });
  assert.doesNotMatch(report, /NaN|undefined|Infinity|Micro benches|<svg|Overload|load generator ran/);
  assert.match(report, /has none of the ratios of this run/);
});
