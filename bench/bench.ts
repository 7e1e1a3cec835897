import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { exitOnSignals, fail, print, reportFile } from "./command.ts";
import type { LoadFigures } from "./figures.ts";
import { findGenerator } from "./load/generator.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { runMicro } from "./micro/run.ts";
import { type ScenarioRow, scenarioLoads } from "./ratios.ts";
import { type Baseline, baselineText, regressions, savedBaseline } from "./report/baseline.ts";
import { comparisonCells, comparisonNotes } from "./report/compare.ts";
import { batchSizeChart } from "./report/curves.ts";
import { doubtsAbout } from "./report/limit.ts";
import { thisMachine } from "./report/machine.ts";
import type { Section } from "./report/page.ts";
import { aligned, readResult, thisService, writeReport } from "./report/report.ts";
import { type Effort, runRounds, warmUp } from "./rounds.ts";
import { againstScenarios, type Scenario, scenariosWith } from "./scenarios.ts";
import { type ServerName, servers, specOf } from "./servers.ts";
import { loadTestTarget, type TargetArguments } from "./target/target.ts";

interface BenchOptions extends Effort, Omit<TargetArguments, "target"> {
  readonly only: string;
  readonly rows: number;
  readonly save?: boolean;
  readonly check?: boolean;
  readonly against?: string;
  readonly compare?: readonly string[];
  readonly output?: string;
  readonly target?: string;
}

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Measures this checkout, alone or against another one; compares two results; or load-tests a service elsewhere. */
export async function run(options: BenchOptions): Promise<void> {
  if (options.compare !== undefined) return compareFiles(options.compare);
  if (options.target !== undefined) return await loadTestTarget({ ...options, target: options.target });
  const { against, only, rows } = options;
  if (against !== undefined && !existsSync(resolve(against, ...servers.bankcheck.args))) {
    fail(
      `--against takes the folder of another checkout, but ${against} has no ${servers.bankcheck.args}: build it there.`,
    );
  }
  const generator = findGenerator();
  const all = scenariosWith(generator, rows);
  const scenarios = against === undefined ? all : againstScenarios(all);
  const parts = only.split(",");
  const isWanted = (id: string) => parts.some((part) => id.startsWith(part));
  const ids = [...scenarios.map(({ id }) => id), ...(against === undefined ? ["micro"] : [])];
  const unknown = parts.find((part) => !ids.some((id) => id.startsWith(part)));
  if (unknown !== undefined) {
    fail(`--only takes ids that begin with ${ids.join(", ")}, but has ${JSON.stringify(unknown)}.`);
  }
  const wanted = scenarios.filter(({ id, isExtra }) => isWanted(id) && !(isExtra && only === ""));
  const seconds = generator.secondsFor(options.seconds);
  await measure({ ...options, seconds }, wanted, ids.includes("micro") && isWanted("micro"), generator.name);
}

async function measure(
  options: BenchOptions,
  wanted: readonly Scenario[],
  withMicro: boolean,
  generator: string,
): Promise<void> {
  const { rounds, seconds, against } = options;
  const output = reportFile("report", options.output);
  const machine = thisMachine(generator);
  const service = await thisService();
  const baseline = JSON.parse(readFileSync(fileOf("baseline.json"), "utf8")) as Baseline;
  const rows: ScenarioRow[] = [];
  let micro: readonly LoadFigures[] = [];

  const report = (ended: string | null) => {
    const scenarioFigures = scenarioLoads(rows);
    const loads = [...scenarioFigures, ...micro];
    const isWhole = options.only === "" && against === undefined && ended === null;
    const charts = isWhole ? [batchSizeChart(rows)] : [];
    const sections: readonly Section[] = [
      { title: "Curves", charts },
      {
        title: "End to end",
        notes: [
          `Medians of the rounds (${rounds} of ${seconds} s, interleaved). Only ratios can be compared between machines.`,
          ...doubtsAbout(scenarioFigures, machine.cores),
        ],
        loads: scenarioFigures,
      },
      { title: "Micro benchmarks", loads: micro },
    ];
    const settings = { rounds, seconds, ...servers.bankcheck.env, API_KEYS: undefined };
    writeReport(output, { tool: "bench", machine, service, settings, ended, loads, findings: {} }, sections);
    return { loads, charts };
  };
  exitOnSignals((ended) => {
    if (rows.length > 0) report(ended);
  });

  if (withMicro) micro = await runMicro();
  await runScenarios(rows, wanted, options, against);
  const { loads, charts } = report(null);
  if (options.save === true) {
    const saved = savedBaseline(baseline, { machine, loads }, servers.bankcheck.name);
    writeFileSync(fileOf("baseline.json"), `${JSON.stringify(saved, null, 2)}\n`);
    for (const picture of charts) writeFileSync(fileOf("batch-size.svg"), picture);
  }
  if (options.check !== true) return;
  print(baselineText(machine, baseline));
  let slower = regressions({ machine, loads }, baseline);
  // A shared machine has slow spells: only what is slower in each of three runs has become slower.
  for (let repeat = 0; repeat < 2 && slower.some(({ isMicro }) => isMicro); repeat++) {
    print(`Slower than the baseline, measured again: ${slower.map(({ load }) => load).join(", ")}`);
    const again = regressions({ machine, loads: [...scenarioLoads(rows), ...(await runMicro())] }, baseline);
    slower = again.filter(({ load }) => slower.some((old) => old.load === load));
  }
  for (const { sentence } of slower) print(`slower than the baseline: ${sentence}`);
  process.exitCode = slower.length === 0 ? 0 : 1;
}

/** Runs the scenarios one by one. All servers stay, idle, to the end. */
async function runScenarios(
  rows: ScenarioRow[],
  wanted: readonly Scenario[],
  effort: Effort,
  against: string | undefined,
): Promise<void> {
  const running = new Map<ServerName, TestServer>();
  try {
    for (const name of new Set(wanted.flatMap((scenario) => scenario.servers))) {
      running.set(name, await startServer(specOf(name, against)));
    }
    for (const scenario of wanted) {
      const used = new Map(scenario.servers.map((name) => [name, running.get(name)!]));
      await warmUp([scenario], used, effort.seconds);
      await runRounds(rows, [scenario], used, effort);
    }
  } finally {
    await Promise.all([...running.values()].map((server) => server.stop()));
  }
}

function compareFiles(files: readonly string[]): void {
  if (files.length !== 2) fail("--compare takes two JSON results, the earlier one first.");
  const [before, now] = files.map(readResult);
  print(aligned(comparisonCells(before!.loads, now!.loads)));
  for (const note of comparisonNotes(before!, now!)) print(`- ${note}`);
}
