import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { exitOnSignals, fail, print, reportFile } from "./command.ts";
import { type Effort, loadsOf, runScenarios, scenarioCells } from "./end-to-end.ts";
import { figure } from "./figures.ts";
import { idleCells, runIdle } from "./idle.ts";
import { findGenerator } from "./load/generator.ts";
import { type MicroResult, runMicro } from "./micro/run.ts";
import {
  type Baselines,
  baselineFor,
  baselineText,
  compared,
  comparedCells,
  ratiosOf,
  regressions,
  withRun,
  yardstick,
} from "./report/baseline.ts";
import { comparisonCells, comparisonNotes } from "./report/compare.ts";
import { thisMachine } from "./report/machine.ts";
import { aligned, readResult, type Section, thisService, writeReport } from "./report/report.ts";
import { curves } from "./scenario-charts.ts";
import { againstScenarios, scenarios, servers } from "./scenarios.ts";
import { loadTestTarget, type TargetArguments } from "./target/target.ts";

/** The options of `npm run bench` (`cli.ts`). */
interface BenchOptions extends Effort, Omit<TargetArguments, "target"> {
  readonly only: string;
  readonly save?: boolean;
  readonly check?: boolean;
  readonly against?: string;
  readonly compare?: readonly string[];
  readonly output?: string;
  readonly target?: string;
}

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const microMs = 300;
const microRounds = 3;

/** Measures this checkout, alone or against another one; compares two results; or load-tests a service elsewhere. */
export async function run(options: BenchOptions): Promise<void> {
  if (options.compare !== undefined) return compareFiles(options.compare);
  if (options.target !== undefined) return await loadTestTarget({ ...options, target: options.target });
  const { against } = options;
  if (against !== undefined && !existsSync(resolve(against, ...servers.bankcheck.args))) {
    fail(
      `--against takes the folder of another checkout, but ${against} has no ${servers.bankcheck.args}: build it there.`,
    );
  }
  const known = against === undefined ? scenarios : againstScenarios;
  const parts = options.only.split(",");
  const isWanted = (id: string) => parts.some((part) => id.startsWith(part));
  const ids = [...known.map(({ id }) => id), ...(against === undefined ? ["micro", "idle"] : [])];
  const unknown = parts.find((part) => !ids.some((id) => id.startsWith(part)));
  if (unknown !== undefined) {
    fail(`--only takes ids that begin with ${ids.join(", ")}, but has ${JSON.stringify(unknown)}.`);
  }
  await measure(
    options,
    known.filter(({ id }) => isWanted(id)),
    ids.filter(isWanted),
  );
}

async function measure(
  options: BenchOptions,
  wanted: typeof scenarios,
  ids: readonly string[],
): Promise<void> {
  const { rounds, seconds, against } = options;
  const output = reportFile("report", options.output);
  exitOnSignals();
  const generator = findGenerator();
  const machine = thisMachine(generator.name);
  const mix = await shippedMix();
  const micro = ids.includes("micro") ? await runMicro(microMs, microRounds) : [];
  const results = await runScenarios(wanted, mix, generator.generate, { rounds, seconds }, against);
  const idle = ids.includes("idle") ? await runIdle() : undefined;

  const baselines = JSON.parse(readFileSync(fileOf("baseline.json"), "utf8")) as Baselines;
  const ratios = ratiosOf(machine, results, micro);
  const baseline = baselineFor(baselines, machine);
  const comparisons = baseline === undefined ? [] : compared(ratios, baseline);
  const charts = results.length === scenarios.length ? curves(results) : {};
  const sections: readonly Section[] = [
    { title: "Curves", charts: Object.values(charts) },
    {
      title: "End to end",
      notes: [
        `Medians of the rounds (${rounds} of ${seconds} s, interleaved). Only ratios can be compared between machines.`,
      ],
      tables: Object.fromEntries(results.map((result) => [result.scenario.title, scenarioCells(result)])),
    },
    { title: "Idle", ...(idle === undefined ? {} : { tables: { Idle: idleCells(idle) } }) },
    {
      title: "Micro benchmarks",
      ...(micro.length === 0 ? {} : { tables: { "Micro benchmarks": microCells(micro) } }),
    },
    ...(against === undefined
      ? [
          {
            title: "Committed baseline",
            isOnlyInReport: true,
            notes: [baselineText(machine, baseline)],
            tables: { Ratios: comparedCells(comparisons) },
          },
        ]
      : []),
  ];
  writeReport(
    output,
    "bench",
    {
      ...{ tool: "bench", machine, service: thisService(mix.edition), ended: null },
      settings: { rounds, seconds, ...servers.bankcheck.env, API_KEYS: undefined },
      loads: loadsOf(results),
      findings: { micro, idle, comparisons },
    },
    sections,
  );
  if (options.save === true) {
    writeFileSync(fileOf("baseline.json"), `${JSON.stringify(withRun(baselines, ratios), null, 2)}\n`);
    for (const [name, picture] of Object.entries(charts)) writeFileSync(fileOf(name), picture);
  }
  if (options.check !== true) return;
  print(baselineText(machine, baseline));
  let slower = comparisons.filter(({ isRegression }) => isRegression);
  // A shared machine has slow spells: only what is slower in each of three runs has become slower.
  for (let repeat = 0; repeat < 2 && slower.some(({ peer }) => peer === yardstick); repeat++) {
    print(`Slower than the baseline, measured again: ${slower.map(({ name }) => name).join(", ")}`);
    const again = compared(ratiosOf(machine, results, await runMicro(microMs, microRounds)), baseline!);
    slower = again.filter(
      ({ name, isRegression }) => isRegression && slower.some((old) => old.name === name),
    );
  }
  for (const line of regressions(slower)) print(`slower than the baseline: ${line}`);
  process.exitCode = slower.length === 0 ? 0 : 1;
}

function microCells(micro: readonly MicroResult[]) {
  return [["micro benchmark", "ns"], ...micro.map(({ name, nanoseconds }) => [name, figure(nanoseconds)])];
}

function compareFiles(files: readonly string[]): void {
  if (files.length !== 2) fail("--compare takes two JSON results, the earlier one first.");
  const [before, now] = files.map(readResult);
  print(aligned(comparisonCells(before!, now!)));
  for (const note of comparisonNotes(before!, now!)) print(`- ${note}`);
}
