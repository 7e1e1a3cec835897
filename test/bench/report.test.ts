import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Figures, tablesOf } from "../../bench/figures.ts";
import { type ScenarioRow, scenarioLoads } from "../../bench/ratios.ts";
import { comparisonCells, comparisonNotes } from "../../bench/report/compare.ts";
import { batchSizeChart } from "../../bench/report/curves.ts";
import { doubtsAbout, limitOf } from "../../bench/report/limit.ts";
import { aligned, type Result, readResult, writeReport } from "../../bench/report/report.ts";
import { loadsOf } from "../../bench/rounds.ts";
import { againstScenarios, type Scenario, scenariosWith } from "../../bench/scenarios.ts";
import type { ServerName } from "../../bench/servers.ts";
import { recommend } from "../../bench/tune/recommend.ts";
import { settingsLines, type Trial, type Tuning, tuneSections } from "../../bench/tune/report.ts";
import type { Setting, TuneRow } from "../../bench/tune/sweep.ts";
import { newFolder } from "../support/folders.ts";
import { tuneRows } from "./tune-rows.ts";

const machine = { processor: "P<x>", cores: 2, memoryGb: 8, node: "v20.20.2", generator: "wrk" };
const levels = [0.5, 0.75, 1, 2];
const capacity = { singles: 10_000, batches: 1_000, mix: 4_000 };

/** What no load of these tests changes. */
const idle: Figures = {
  failures: 0,
  p50: 1,
  late: 0.2,
  serviceCores: 1,
  generatorCores: 0.5,
  foreignCores: 0.1,
  mainDelay: 0.02,
  workersDelay: 0.3,
  generatorDelay: 0.04,
};

/** A value that answers what is offered up to `most` of the capacity, and refuses the rest. */
function swept(value: number, most: number, p99: number, part: Figures = {}, at = levels): TuneRow[] {
  return tuneRows(value, at, (kind, level) => {
    const offered = capacity[kind] * level;
    const goodput = Math.min(level, most) * capacity[kind];
    const round = { ...idle, offered, sent: offered, refused: 1 - goodput / offered, ...part };
    const slowest = level < 1 ? p99 : p99 * 10;
    return [1, 0.9, 1.1].map((factor) => ({ ...round, goodput: goodput * factor, p99: slowest }));
  });
}

const sizes = [swept(1, 0.7, 2), swept(2, 1, 2), swept(3, 1.02, 2)].flat();
const queues = [8, 16, 64].flatMap((value) =>
  swept(value, value === 8 ? 0.7 : 1, value / 8, {}, [0.75, 1, 2]),
);
const trialOf = (setting: Setting, rows: TuneRow[]): Trial => {
  return { setting, beside: "", rows, recommendation: recommend(setting, rows, 3) };
};
const tuningOf = (...trials: readonly Trial[]): Tuning => ({ machine, capacity, trials });
const both = tuningOf(trialOf("POOL_SIZE", sizes), trialOf("POOL_QUEUE", queues));
const loadsOfSizes = (rows: TuneRow[]) => loadsOf(rows, (value) => `POOL_SIZE=${value}`);

test("a setting that does not keep its rule, or was measured on a busy machine, says so in a comment", () => {
  const trial = trialOf("POOL_SIZE", sizes);
  const without = { ...trial, recommendation: { ...trial.recommendation!, keepsRule: false } };
  const lines = settingsLines(tuningOf(without));
  assert.match(lines, /^# POOL_SIZE: no value kept the rule, this one came nearest\. [^\n]+\nPOOL_SIZE=2$/);
  const busy = tuningOf(trialOf("POOL_SIZE", swept(1, 1, 2, { foreignCores: 0.9 })));
  assert.match(settingsLines(busy), /^# Other processes took 45 %[^\n]*\nPOOL_SIZE=1$/);
});

test("what speaks against relying on figures, or set their limit, is said in sentences with its figures", () => {
  const cases: readonly (readonly [part: Figures, sentences: RegExp])[] = [
    [{ foreignCores: 1 }, /^Other processes took 50 % of the machine[^.]*\.$/],
    [
      { generatorCores: 0.97, sent: 10, failures: 1 },
      /^The generator filled its core in 12 of 12 loads\. In 12 of 12 loads less than 95 % of the offered requests .* 36 /,
    ],
    [
      { mainDelay: 0.12, generatorDelay: 0.2 },
      /^The machine was 80 % busy: the main thread waited 12 % of the time for a processor, the generator 20 %/,
    ],
    [
      { mainDelay: 0.12, offered: 7_500, sent: 2_000 },
      /^In 12 of 12 loads less than 95 % of the offered requests .* The machine was 80 % busy/,
    ],
    [{ foreignCores: Number.NaN }, /^This system does not say what takes its processors/],
    [{}, /this is the limit of the service on this machine/],
  ];
  for (const [part, sentences] of cases)
    assert.match(limitOf(loadsOfSizes(swept(2, 1, 25, part)), 2), sentences);
  assert.deepEqual(doubtsAbout(loadsOfSizes(sizes), 2), []);
  assert.deepEqual(doubtsAbout([{ goodput: 100, lowest: 50, highest: 150, foreignCores: 0 }], 2), [
    "Goodput spread by ± 50 % between the rounds: smaller differences are noise.",
  ]);
});

const result = (part: Partial<Result>): Result => ({
  tool: "tune",
  at: "2026-11-23T12:00:00.000Z",
  machine,
  settings: { rounds: 3 },
  ended: null,
  service: { version: "1.0.0", edition: "2026-09-07" },
  loads: loadsOfSizes(sizes),
  findings: {},
  ...part,
});

test("a report is one HTML file that asks nothing of other hosts, with its figures as JSON beside it", () => {
  const file = join(newFolder(), "tune.html");
  const begun = Date.now();
  writeReport(file, result({ ended: "It was stopped." }), tuneSections(both));
  const page = readFileSync(file, "utf8");
  assert.match(page, /<p class="hint">It was stopped\.<\/p>/);
  assert.match(page, /<pre[^>]*>POOL_SIZE=2\nPOOL_QUEUE=16<\/pre>/);
  assert.match(page, /--ground:\s*light-dark\(/, "the console's variables");
  assert.equal(page.match(/<svg /g)?.length, 2 * 3 * 3);
  assert.doesNotMatch(page, /NaN|Infinity|undefined/);
  const shown = page.replaceAll('xmlns="http://www.w3.org/2000/svg"', "");
  assert.doesNotMatch(shown, /https?:|<script|<link|<img|url\(|@import/);
  const { tool, at, loads, ended } = readResult(file.replace("html", "json"));
  assert.equal(new Date(at).toISOString(), at);
  assert.ok(Date.parse(at) >= begun && Date.parse(at) <= Date.now(), at);
  assert.ok(page.includes(`${at.slice(0, 10)}; 2 cores (P&lt;x&gt;)`));
  assert.deepEqual([tool, ended, loads.length], ["tune", "It was stopped.", 3 * 3 * 4]);
  const { load, server, goodput, lowest, highest } = loads[0]!;
  assert.deepEqual([load, server], ["Single checks, 0.5 of the capacity", "POOL_SIZE=1"]);
  assert.deepEqual([goodput, lowest, highest], [5_000, 4_500, 5_500]);
});

test("a sweep in which nothing was answered, and one that has only begun, are reported whole", () => {
  const nothing = swept(1, 0, Number.NaN, { p50: Number.NaN, late: Number.NaN });
  const begun = tuningOf({ setting: "POOL_SIZE", beside: "", rows: [] });
  for (const tuning of [tuningOf(trialOf("POOL_SIZE", nothing)), begun]) {
    const file = join(newFolder(), "tune.html");
    writeReport(file, result({ loads: loadsOfSizes(nothing) }), tuneSections(tuning));
    assert.doesNotMatch(readFileSync(file, "utf8"), /NaN|Infinity|undefined/);
  }
});

test("two results are compared load by load, and what makes that hard is said", () => {
  const batch = { load: "batch", server: "one", goodput: 100, p99: 2, refused: 0.1 };
  const before = result({ loads: [batch, { load: "gone" }] });
  const now = result({
    loads: [{ ...batch, goodput: 150, p99: 1 }, { load: "new" }],
    machine: { ...machine, node: "v22.1.0" },
    service: { version: "1.0.0", edition: null },
    settings: { rounds: 5 },
    ended: "Stopped.",
  });
  const [head, ...rows] = comparisonCells(before.loads, now.loads);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]![0], "batch, one");
  const compared = ["200/s", "p99 ms", "503 %", "main µs"].map((name) => rows[0]![head!.indexOf(name)]);
  assert.deepEqual(compared, ["100 → 150 (+50 %)", "2 → 1 (-50 %)", "10 → 10 (+0 %)", "–"]);
  assert.deepEqual(comparisonNotes(before, now), [
    'node: "v20.20.2" before, "v22.1.0" now.',
    'edition: "2026-09-07" before, null now.',
    "rounds: 3 before, 5 now.",
    "A run ended early: Stopped.",
  ]);
});

const scenarios = scenariosWith({ send: () => Promise.reject() }, 1_000);
const goodputs: Readonly<Partial<Record<ServerName, number>>> = { fastify: 500, uws: 16_000, before: 4_000 };
const rowsOf = (load: Scenario): readonly ScenarioRow[] =>
  load.servers.map((server) => ({
    load,
    server,
    // The machine is half as fast in the second round, for all of them.
    rounds: [1, 0.5, 1].map((speed) => ({
      goodput: (goodputs[server] ?? 8_000) * speed,
      mainMicroseconds: server === "before" ? 120 : 60,
    })),
  }));

test("each server is compared with the baselines of the same rounds, and with another checkout", () => {
  const [own] = scenarioLoads(rowsOf(scenarios[0]!));
  const figures = [own!.server, own!.goodput, own!.lowest, own!.timesUws, own!.timesFastify];
  assert.deepEqual(figures, ["bankcheck, 2 workers", 8_000, 4_000, 0.5, 16]);
  assert.ok(!("timesBefore" in own!));
  const [before, now] = scenarioLoads(rowsOf(againstScenarios(scenarios)[0]!));
  assert.deepEqual([before!.timesBefore, now!.timesBefore, now!.mainTimesBefore], [1, 2, 0.5]);
});

test("every scenario has its own id and title, and streams and files are measured only when they are named", () => {
  for (const key of ["id", "title"] as const)
    assert.equal(new Set(scenarios.map((scenario) => scenario[key])).size, scenarios.length);
  const extra = scenarios.filter(({ isExtra }) => isExtra).map(({ id }) => id.split("-")[0]);
  assert.deepEqual([...new Set(extra)], ["stream", "file", "beside"]);
  assert.ok(againstScenarios(scenarios).some(({ id }) => id === "stream-ibans.csv-all"));
});

test("a whole run has a picture over the size of a batch", () => {
  const picture = batchSizeChart(scenarios.flatMap(rowsOf));
  assert.match(picture, /bankcheck: from 8,000 at 1 to 4,000,000 at 500/);
  assert.equal(picture.match(/<circle/g)?.length, 2 * 5);
});

test("figures that no load has take no column, details none in a terminal, and columns are aligned", () => {
  const loads = [
    { load: "a", goodput: 1_234.5, refused: 0.256, late: 1 },
    { load: "long name", goodput: 1 },
  ];
  const cells = tablesOf(loads, false).get("Loads")!;
  assert.equal(aligned(cells), "           200/s  503 %\na          1,235   25.6\nlong name      1      –");
  assert.deepEqual(tablesOf(loads, true).get("Loads")![0], ["", "200/s", "503 %", "late p99 ms"]);
  const compared = tablesOf([{ load: "a", server: "one", goodput: 1 }], false);
  assert.equal(aligned(compared.get("a")!), "     200/s\none      1");
});
