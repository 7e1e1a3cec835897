import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type ScenarioResult, scenarioCells, loadsOf as scenarioLoads } from "../../bench/end-to-end.ts";
import { cellsOf, type Figures, mediansOf } from "../../bench/figures.ts";
import { comparisonCells, comparisonNotes } from "../../bench/report/compare.ts";
import { aligned, type Result, readResult, writeReport } from "../../bench/report/report.ts";
import { curves } from "../../bench/scenario-charts.ts";
import { againstScenarios, type Scenario, type ServerName, scenarios } from "../../bench/scenarios.ts";
import { limitOf } from "../../bench/tune/limit.ts";
import type { LoadKind } from "../../bench/tune/loads.ts";
import { allSteps, recommend } from "../../bench/tune/recommend.ts";
import {
  limits,
  loadsOf,
  missedBounds,
  settingsLines,
  type Tuning,
  tuneSections,
  warnings,
} from "../../bench/tune/report.ts";
import type { Swept } from "../../bench/tune/sweep.ts";
import { newFolder } from "../support/folders.ts";

const machine = { processor: "P<x>", cores: 2, memoryGb: 8, node: "v20.20.2", generator: "wrk" };
const levels = [0.5, 0.75, 1, 2];
const capacity = { singles: 10_000, batches: 1_000, mix: 4_000 };

/** A value that answers what is offered up to `most` of the capacity, and refuses the rest. */
function swept(value: number, most: number, p99: number, part: Figures = {}, at = levels): Swept {
  const stepsOf = (kind: LoadKind) =>
    at.map((level): Figures => {
      const offered = capacity[kind] * level;
      const goodput = Math.min(level, most) * capacity[kind];
      return {
        ...{ offered, sent: offered, goodput, lowest: goodput * 0.9, highest: goodput * 1.1 },
        ...{
          p50: 1,
          late: 0.2,
          refused: 1 - goodput / offered,
          p99: level < 1 ? p99 : p99 * 10,
          failures: 0,
        },
        ...{ serviceCores: 1, generatorCores: 0.5, foreignCores: 0.1 },
        ...{ mainDelay: 0.02, workersDelay: 0.3, generatorDelay: 0.04, ...part },
      };
    });
  return { value, steps: { singles: stepsOf("singles"), batches: stepsOf("batches"), mix: stepsOf("mix") } };
}

const plan = { sizes: [1, 2, 3], queues: [4, 8, 32], levels, rounds: 3, seconds: 2 };
const sizes = [swept(1, 0.7, 2), swept(2, 1, 2), swept(3, 1.02, 2)];
const ofSizes = (values: readonly Swept[], part: Partial<Tuning> = {}): Tuning => ({
  ...{ machine, plan, capacity, closed: { singles: 12_500, batches: 1_000, mix: 5_000 } },
  trials: [
    {
      setting: "POOL_SIZE",
      beside: "POOL_QUEUE=24",
      swept: values,
      recommendation: recommend("POOL_SIZE", values, plan),
    },
  ],
  ...part,
});
const queueLevels = [0.75, 1, 2];
const queues = [8, 16, 64].map((value) => swept(value, value === 8 ? 0.7 : 1, value / 8, {}, queueLevels));
const both = ofSizes(sizes, {
  trials: [
    ...ofSizes(sizes).trials,
    {
      ...{ setting: "POOL_QUEUE", beside: "POOL_SIZE=2", swept: queues },
      recommendation: recommend("POOL_QUEUE", queues, { ...plan, levels: queueLevels }),
    },
  ],
});

test("the smallest size and the smallest queue that keep their rules become the settings to paste", () => {
  assert.equal(settingsLines(both), "POOL_SIZE=2\nPOOL_QUEUE=16");
});

test("a setting that does not keep its rule, or was measured on a busy machine, says so in a comment", () => {
  const [trial] = ofSizes(sizes).trials;
  const missed = { ...trial!, recommendation: { ...trial!.recommendation!, keepsRule: false } };
  const lines = settingsLines(ofSizes(sizes, { trials: [missed] }));
  assert.match(lines, /^# POOL_SIZE: no value kept the rule, this one came nearest\. [^\n]+\nPOOL_SIZE=2$/);
  const busy = ofSizes([swept(1, 1, 2, { foreignCores: 0.9 })]);
  assert.match(settingsLines(busy), /^# Other processes took 45 %[^\n]*\nPOOL_SIZE=1$/);
  const full = ofSizes([swept(1, 1, 2, { generatorCores: 0.97, sent: 10 })]);
  assert.match(warnings(full).join(), /generator filled its core in 12 of 12 steps/);
  assert.deepEqual(warnings(both), []);
});

test("bounds that the settings miss are reported with what set the limit", () => {
  assert.deepEqual(missedBounds(ofSizes(sizes)), []);
  const missedWith = (part: Figures) => missedBounds(ofSizes([swept(2, 1, 25, part)])).slice(1);
  assert.deepEqual(missedWith({})[1], [
    ...["Single checks, 0.75 of the capacity", "POOL_SIZE=2", "25", "20", "0", "0.5", "the service"],
  ]);
  assert.deepEqual(missedWith({ refused: 0.01 })[0]?.slice(4), ["1", "0", "the service"]);
  assert.deepEqual(missedWith({}).at(-1)?.slice(2, 4), ["250", "50"], "beyond the capacity");
});

test("what set a limit is said in a word and in a sentence with its figures", () => {
  const limitWith = (part: Figures) => limitOf(allSteps([swept(2, 1, 25, part)]), 2);
  const cases: readonly (readonly [part: Figures, cause: string, sentence: RegExp])[] = [
    [{ foreignCores: 1 }, "other processes", /Other processes took 50 % of the machine/],
    [{ sent: 1, generatorCores: 0.95 }, "the generator", /The generator filled its core/],
    [
      { mainDelay: 0.12, generatorDelay: 0.2 },
      "the machine",
      /^The machine was 80 % busy: the main thread waited 12 % of the time for a processor, the generator 20 %/,
    ],
    [
      { mainDelay: 0.12, offered: 7_500, sent: 2_000 },
      "the machine",
      /Only 26\.7 % of the load offered could be sent/,
    ],
    [{ lowest: 1, highest: 1e6 }, "noise", /Goodput spread/],
    [{ foreignCores: Number.NaN }, "unknown", /What set the limit is unknown/],
    [{}, "the service", /this is the limit of the service on this machine/],
  ];
  for (const [part, cause, sentence] of cases) {
    assert.equal(limitWith(part).cause, cause);
    assert.match(limitWith(part).sentence, sentence);
  }
});

test("a sweep states how far to trust it, with the figures measured", () => {
  const text = limits(both).join("\n");
  assert.match(text, /took of it 25 % \(median\), 25 % at most; other processes 5 %/);
  assert.match(text, /no processor for 2 % \(median\), 2 % at most of the time, the generator for 4 %/);
  assert.match(text, /± 10 %/);
  assert.match(text, /All offered requests could be sent/);
  const bad = ofSizes([swept(1, 1, 2, { sent: 10, failures: 1 })], { plan: { ...plan, rounds: 1 } });
  assert.match(
    limits(bad).join("\n"),
    /only one round.*\nIn 12 of 12 steps less than 95 %.*\n.*\n12 answers were neither/s,
  );
});

const result = (part: Partial<Result>): Result => ({
  ...{ tool: "tune", at: "2026-11-23T12:00:00.000Z", machine, settings: { ...plan }, ended: null },
  ...{ service: { version: "1.0.0", edition: "2026-09-07" }, loads: loadsOf(both), findings: {} },
  ...part,
});

test("a report is one HTML file that asks nothing of other hosts, with its figures as JSON beside it", () => {
  const file = join(newFolder(), "tune.html");
  const begun = Date.now();
  writeReport(file, "pool tuning", result({ ended: "It was stopped." }), tuneSections(both));
  const page = readFileSync(file, "utf8");
  assert.match(page, /<p class="soft">It was stopped\.<\/p>/);
  assert.match(page, /<pre[^>]*>POOL_SIZE=2\nPOOL_QUEUE=16<\/pre>/);
  assert.match(page, /--ground:\s*light-dark\(/, "the console's variables");
  assert.equal(page.match(/<svg /g)?.length, 2 * 3 * 3);
  assert.doesNotMatch(page, /NaN|Infinity|undefined/);
  assert.doesNotMatch(
    page.replaceAll('xmlns="http://www.w3.org/2000/svg"', ""),
    /https?:|<script|<link|<img|url\(|@import/,
  );
  const { tool, at, loads, ended } = readResult(file.replace("html", "json"));
  assert.equal(new Date(at).toISOString(), at);
  assert.ok(Date.parse(at) >= begun && Date.parse(at) <= Date.now(), at);
  assert.ok(page.includes(`${at.slice(0, 10)}; 2 cores (P&lt;x&gt;)`));
  assert.deepEqual([tool, ended, loads.length], ["tune", "It was stopped.", 3 * (3 * 4 + 3 * 3)]);
  assert.deepEqual(loads[0], { load: "Single checks", server: "POOL_SIZE=1", ...sizes[0]!.steps.singles[0] });
});

test("a sweep in which nothing was answered, and one that has only begun, are reported whole", () => {
  const nothing = [swept(1, 0, Number.NaN, { p50: Number.NaN, late: Number.NaN })];
  const begun = ofSizes(nothing, { trials: [{ setting: "POOL_SIZE", beside: "", swept: [] }] });
  for (const tuning of [ofSizes(nothing), begun]) {
    const file = join(newFolder(), "tune.html");
    writeReport(file, "pool tuning", result({ loads: loadsOf(tuning) }), tuneSections(tuning));
    assert.doesNotMatch(readFileSync(file, "utf8"), /NaN|Infinity|undefined/);
  }
});

test("two results are compared load by load, and what makes that hard is said", () => {
  const before = result({
    loads: [{ load: "batch", server: "one", goodput: 100, p99: 2, refused: 0.1 }, { load: "gone" }],
  });
  const now = result({
    loads: [
      { load: "batch", server: "one", goodput: 150, p99: 1, refused: 0.1 },
      { load: "new", goodput: 1 },
    ],
    ...{ settings: { ...plan, rounds: 5 }, ended: "Stopped." },
  });
  const [head, ...rows] = comparisonCells(before, now);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]![0], "batch, one");
  assert.equal(rows[0]![head!.indexOf("200/s")], "100 → 150 (+50 %)");
  assert.equal(rows[0]![head!.indexOf("p99 ms")], "2 → 1 (-50 %)");
  assert.equal(rows[0]![head!.indexOf("503 %")], "10 → 10 (+0 %)");
  assert.equal(rows[0]![head!.indexOf("main µs")], "–");
  assert.deepEqual(comparisonNotes(before, now), [
    "Setting rounds: 3 before, 5 now.",
    "A run ended early: Stopped.",
  ]);
});

test("a file that is not a result is refused in one sentence", ({ mock }) => {
  const write = mock.method(process.stderr, "write", () => true);
  mock.method(process, "exit", (code: number) => {
    throw new Error(`exit ${code}`);
  });
  const folder = newFolder();
  for (const [name, text] of [
    ["empty.json", ""],
    ["other.json", "{}"],
  ] as const) {
    writeFileSync(join(folder, name), text);
    assert.throws(() => readResult(join(folder, name)), /^Error: exit 1$/);
  }
  mock.restoreAll();
  const said = write.mock.calls.map(({ arguments: [text] }) => String(text));
  assert.match(said[1]!, /other\.json is not the JSON result of a run: it has no loads\.\n$/);
});

const goodputs: Readonly<Partial<Record<ServerName, number>>> = { fastify: 500, uws: 16_000, before: 4_000 };
const resultOf = (scenario: Scenario): ScenarioResult => ({
  scenario,
  rows: scenario.servers.map((server) => {
    // The machine is half as fast in the second round, for all of them.
    const rounds = [1, 0.5, 1].map((speed) => ({
      goodput: (goodputs[server] ?? 8_000) * speed,
      ...{
        p50: 1 / speed,
        p99: 2,
        refused: 0,
        failures: 0,
        mainMicroseconds: server === "before" ? 120 : 60,
      },
    }));
    return { server, rounds, medians: mediansOf(rounds) };
  }),
});

test("each server is compared with the baselines of the same rounds, and with another checkout", () => {
  const [head, own] = scenarioCells(resultOf(scenarios[0]!));
  const of = (name: string) => own![head!.indexOf(name)];
  assert.deepEqual(
    [of("200/s"), of("lowest"), of("× uWS"), of("× fastify")],
    ["8,000", "4,000", "0.5", "16"],
  );
  assert.ok(!head!.includes("× before"));
  const [against, , now] = scenarioCells(resultOf(againstScenarios[0]!));
  assert.equal(now![against!.indexOf("× before")], "2");
  assert.equal(now![against!.indexOf("main µs × before")], "0.5");
  assert.equal(scenarioLoads([resultOf(scenarios[0]!)])[0]!.server, "bankcheck, 2 workers");
});

test("a whole run has pictures over the size of a batch and of the pool", () => {
  const pictures = curves(scenarios.map(resultOf));
  assert.deepEqual(Object.keys(pictures), ["batch-size.svg", "pool-size.svg"]);
  assert.match(pictures["batch-size.svg"]!, /bankcheck: from 8,000 at 1 to 4,000,000 at 500/);
  assert.equal(pictures["pool-size.svg"]!.match(/<circle/g)?.length, 4);
});

test("figures that no load has take no column, and columns are aligned", () => {
  const cells = cellsOf(
    [
      { load: "a", goodput: 1_234.5, refused: 0.256 },
      { load: "long name", goodput: 1 },
    ],
    ["goodput", "refused", "p99"],
  );
  assert.deepEqual(cells, [
    ["load", "200/s", "503 %"],
    ["a", "1,235", "25.6"],
    ["long name", "1", "–"],
  ]);
  assert.equal(aligned(cells), "load       200/s  503 %\na          1,235   25.6\nlong name      1      –");
});
