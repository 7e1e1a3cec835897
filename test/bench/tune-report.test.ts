import assert from "node:assert/strict";
import { test } from "node:test";
import { limitOf, spreadOf } from "../../bench/tune/limit.ts";
import type { LoadKind } from "../../bench/tune/loads.ts";
import type { Step } from "../../bench/tune/step.ts";
import type { Swept } from "../../bench/tune/sweep.ts";
import {
  limits,
  missedBounds,
  settingsLines,
  type Tuning,
  tuneReport,
  warnings,
} from "../../bench/tune/tune-report.ts";
import { queueVerdict, sizeVerdict, stepsOf } from "../../bench/tune/verdict.ts";

const levels = [0.5, 0.75, 1, 2];
const capacity = { singles: 10_000, batches: 1_000, mix: 4_000 };
const closed = { singles: 12_500, batches: 1_000, mix: 5_000 };

/** A value that answers what is offered up to `most` of the capacity, and refuses the rest. */
function swept(value: number, most: number, p99: number, part: Partial<Step> = {}, at = levels): Swept {
  const stepsOf = (kind: LoadKind): Step[] =>
    at.map((level) => {
      const offered = capacity[kind] * level;
      const goodput = Math.min(level, most) * capacity[kind];
      return {
        ...{
          offered,
          sent: offered,
          goodput,
          lowest: goodput * 0.9,
          highest: goodput * 1.1,
          p50: 1,
          late: 0.2,
        },
        ...{ refused: 1 - goodput / offered, p99: level < 1 ? p99 : p99 * 10, failures: 0 },
        ...{ serviceCores: 1, generatorCores: 0.5, foreignCores: 0.1, p99Inside: p99 / 2 },
        ...{ mainDelay: 0.02, workersDelay: 0.3, generatorDelay: 0.04 },
        ...part,
      };
    });
  return {
    value,
    steps: { singles: stepsOf("singles"), batches: stepsOf("batches"), mix: stepsOf("mix") },
  };
}

const sizes = [swept(1, 0.7, 2), swept(2, 1, 2), swept(3, 1.02, 2)];
const queues = [8, 16, 64].map((value) => swept(value, value === 8 ? 0.7 : 1, value / 8, {}, [0.75, 1, 2]));
const plan = { sizes: [1, 2, 3], queues: [4, 8, 32], levels, rounds: 3, seconds: 2 };
const tuning: Tuning = {
  machine: { processor: "P", cores: 2, memoryGb: 8, node: "v20.20.2", generator: "an open loop" },
  day: "2026-11-21",
  ...{ plan, capacity, closed, queue: 24, sizes, queues },
  sizeVerdict: sizeVerdict(sizes, plan),
  queueVerdict: queueVerdict(queues, plan),
};

test("the smallest size and the smallest queue that keep their rules become the settings to paste", () => {
  assert.equal(settingsLines(tuning), "POOL_SIZE=2\nPOOL_QUEUE=16");
});

test("a setting that does not keep its rule, or was measured on a busy machine, says so in a comment", () => {
  const { sizeVerdict: kept } = tuning;
  const missed = { ...kept, recommendation: { ...kept.recommendation, keepsRule: false } };
  const lines = settingsLines({ ...tuning, sizeVerdict: missed });
  assert.match(lines, /^# POOL_SIZE: no value kept the rule, this one came nearest\. [^\n]+\nPOOL_SIZE=2\n/);
  assert.match(lines, /this is the limit of the service on this machine/);
  const busy = [swept(1, 1, 2, { foreignCores: 1 })];
  assert.match(
    settingsLines({ ...tuning, sizes: busy, queues: [] }),
    /^# Other processes took 50 %[^\n]*\nPOOL_SIZE=2\n/,
  );
});

test("bounds that the settings miss are reported with what set the limit", () => {
  assert.deepEqual(missedBounds({ ...tuning, queues: [] }), []);
  const missedWith = (part: Partial<Step>) =>
    missedBounds({ ...tuning, sizes: [swept(2, 1, 25, part)], queues: [] }).slice(1);
  assert.deepEqual(missedWith({})[1], [
    ...["Single checks, 0.75 of the capacity", "24", "25", "20", "0", "0.5", "the service"],
  ]);
  assert.deepEqual(missedWith({ refused: 0.01 })[0]?.slice(4), ["1", "0", "the service"]);
  assert.deepEqual(missedWith({}).at(-1)?.slice(2, 4), ["250", "50"], "beyond the capacity");
  const causes = (part: Partial<Step>) => [...new Set(missedWith(part).map((cells) => cells.at(-1)))].join();
  assert.equal(causes({ foreignCores: 1 }), "other processes");
  assert.equal(causes({ sent: 1, generatorCores: 0.95 }), "the generator");
  assert.equal(causes({ mainDelay: 0.12 }), "the machine");
  assert.equal(causes({ lowest: 1, highest: 1e6 }), "noise");
  assert.equal(causes({ foreignCores: Number.NaN }), "unknown");
  const report = tuneReport({ ...tuning, sizes: [swept(2, 1, 25)], queues: [] });
  assert.match(report, /<td>Single checks, 0.75 of the capacity<\/td><td>24<\/td>/);
});

test("what set a limit is said in a sentence with its figures", () => {
  const sentenceOf = (part: Partial<Step>) => limitOf(stepsOf([swept(2, 1, 25, part)]), 2).sentence;
  assert.match(sentenceOf({ foreignCores: 1 }), /Other processes took 50 % of the machine/);
  assert.match(sentenceOf({ sent: 1, generatorCores: 0.95 }), /The generator filled its core/);
  assert.match(
    sentenceOf({ mainDelay: 0.12, generatorDelay: 0.2 }),
    /^The machine was 80 % busy: the main thread waited 12 % of the time for a processor, the generator 20 %/,
  );
  assert.match(
    sentenceOf({ mainDelay: 0.12, offered: 7_500, sent: 2_000 }),
    /Only 26\.7 % of the load offered could be sent\. The machine was/,
  );
  assert.match(sentenceOf({ lowest: 1, highest: 1e6 }), /Goodput spread/);
  assert.match(sentenceOf({ foreignCores: Number.NaN }), /What set the limit is unknown/);
  assert.match(sentenceOf({}), /this is the limit of the service on this machine/);
});

test("the report holds the settings, the curves of every load and all figures, and asks nothing of other hosts", () => {
  const report = tuneReport(tuning);
  assert.match(report, /<pre[^>]*>POOL_SIZE=2\nPOOL_QUEUE=16<\/pre>/);
  assert.equal(report.match(/<svg /g)?.length, 2 * 3 * 3);
  assert.equal(report.match(/<table>/g)?.length, 2 * 3);
  assert.match(
    report,
    /at independent times: single checks 10,000, .* In a closed loop of the same generator: single checks 12,500, .* are 80, 100, 80 % of it/,
  );
  for (const words of ["Goodput", "Latency", "Refusals", "POOL_SIZE 3", "POOL_QUEUE 64", "Grouping"]) {
    assert.ok(report.includes(words), words);
  }
  assert.doesNotMatch(report, /NaN|Infinity|undefined/);
  const others = report.replaceAll('xmlns="http://www.w3.org/2000/svg"', "");
  assert.doesNotMatch(others, /https?:|<script|<link|<img|url\(|@import/);
});

test("the report states its own limits with the figures measured", () => {
  const text = limits(tuning).join("\n");
  assert.match(text, /generator ran on the same machine and took 25 % of it/);
  assert.match(text, /Other processes took 5 %/);
  assert.match(
    text,
    /had no processor for 2 % of the time \(median\), 2 % at most, the generator for 4 and 4 %/,
  );
  assert.match(text, /± 10 %/);
  assert.match(text, /All offered requests could be sent/);
  assert.match(text, /Every answer was 200 or 503/);
});

test("what could not be sent, what failed, and a single round are reported", () => {
  const bad = [swept(1, 1, 2, { sent: 10, failures: 1 })];
  const text = limits({ ...tuning, plan: { ...plan, rounds: 1 }, sizes: bad, queues: [] }).join("\n");
  assert.match(text, /In 12 of 12 steps less than 95 % of the offered requests could be sent/);
  assert.match(text, /12 answers were neither 200 nor 503/);
  assert.match(text, /only one round/);
});

test("the settings warn of a machine that was busy with something else", () => {
  assert.deepEqual(warnings(tuning), []);
  const busy = { ...tuning, sizes: sizes.map(({ value }) => swept(value, 1, 2, { foreignCores: 0.9 })) };
  assert.match(warnings({ ...busy, queues: [] }).join(), /Other processes took 45 % of the machine/);
  assert.match(tuneReport({ ...busy, queues: [] }), /class="wrong">Other processes/);
});

test("a generator that was at its own end is warned of", () => {
  const full = sizes.map(({ value }) => swept(value, 1, 2, { generatorCores: 0.97, sent: 10 }));
  assert.match(
    warnings({ ...tuning, sizes: full, queues: [] }).join(),
    /generator filled its core in 36 of 36 steps/,
  );
});

test("the spread is half the distance between the rounds, and none where nothing was answered", () => {
  assert.ok(Math.abs(spreadOf(stepsOf(sizes)) - 0.1) < 1e-9);
  assert.equal(spreadOf(stepsOf([swept(1, 0, 1)])), 0);
});

test("a report of steps in which nothing was answered is whole", () => {
  const nothing = [swept(1, 0, Number.NaN, { p50: Number.NaN, late: Number.NaN })];
  const verdict = sizeVerdict(nothing, plan);
  const report = tuneReport({ ...tuning, sizes: nothing, queues: nothing, sizeVerdict: verdict });
  assert.doesNotMatch(report, /NaN|Infinity|undefined/);
  assert.match(report, /nothing was measured/);
});
