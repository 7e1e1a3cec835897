import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { comparisonCells, runAgainst } from "./against.ts";
import { exitOnSignals, fail, numberOf, optionsOf, prepareOutput } from "./command.ts";
import { runScenarios } from "./end-to-end.ts";
import { floodTable, runFlood } from "./flood.ts";
import { idleTable, runIdle } from "./idle.ts";
import { findGenerator } from "./load/generator.ts";
import { runMicro } from "./micro/run.ts";
import {
  type Baselines,
  baselineFor,
  baselineText,
  compared,
  ratiosOf,
  regressions,
  withRun,
  yardstick,
} from "./report/baseline.ts";
import { benchReport } from "./report/bench-report.ts";
import { charts } from "./report/charts.ts";
import { machineLine, thisMachine } from "./report/machine.ts";
import { figure } from "./report/statistics.ts";
import { aligned, microCells, scenarioTable } from "./report/table.ts";
import { scenarios } from "./scenarios.ts";
import { benchTarget } from "./target.ts";

// A bench of its own, of the command line.
if (process.argv[2] === "file") {
  process.argv.splice(2, 1);
  await import("./file.ts");
  process.exit();
}

const options = optionsOf({
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "2" },
  only: { type: "string", default: "" },
  save: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  against: { type: "string" },
  target: { type: "string" },
  "max-singles": { type: "string", default: "1000" },
  "max-batches": { type: "string", default: "50" },
  "max-seconds": { type: "string", default: "60" },
  output: { type: "string" },
});

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (text: string) => process.stdout.write(`${text}\n`);

if (options.target !== undefined) {
  const output = options.output ?? fileOf("../.bench/target.html");
  await benchTarget({ ...options, target: options.target, output });
}

const effort = {
  rounds: numberOf("rounds", options.rounds, { min: 1, max: 99, isWhole: true }),
  seconds: numberOf("seconds", options.seconds, { min: 1, max: 600, isWhole: true }),
};
const ids = [...scenarios.map(({ id }) => id), "micro", "overload", "idle"];
const parts = options.only.split(",");
const isWanted = (id: string) => parts.some((part) => id.startsWith(part));
const unknown = parts.find((part) => !ids.some((id) => id.startsWith(part)));
if (unknown !== undefined)
  fail(`--only takes ids that begin with ${ids.join(", ")}, but has ${JSON.stringify(unknown)}.`);
const output = options.output ?? fileOf("../.bench/report.html");
prepareOutput(output);
const keep = (name: string, text: string) => writeFileSync(join(dirname(output), name), text);
exitOnSignals();

const generator = findGenerator();
const machine = thisMachine(generator.name);
const mix = await shippedMix();
print(`${machineLine(machine)}\n`);

if (options.against !== undefined) {
  const run = await runAgainst(options.against, isWanted, mix, generator.generate, effort);
  print(`other processes: ${figure(run.foreignCores)} cores\n${aligned(comparisonCells(run))}`);
  process.exit();
}

const micro = isWanted("micro") ? await runMicro(300, 3) : [];
if (micro.length > 0) print(`${aligned(microCells(micro))}\n`);

const wanted = scenarios.filter(({ id }) => isWanted(id));
const results = await runScenarios(wanted, mix, generator.generate, effort, (line) => {
  process.stderr.write(`measured: ${line}\n`);
});
for (const result of results) print(scenarioTable(result));

const overload = isWanted("overload") ? await runFlood(mix, generator.generate, effort) : undefined;
if (overload !== undefined) print(floodTable(overload));

const idle = isWanted("idle") ? await runIdle() : undefined;
if (idle !== undefined) print(idleTable(idle));

const baselineFile = fileOf("baseline.json");
const baselines = JSON.parse(readFileSync(baselineFile, "utf8")) as Baselines;
const ratios = ratiosOf(machine, results, micro);
const baseline = baselineFor(baselines, machine);
const comparisons = baseline === undefined ? [] : compared(ratios, baseline);
const baselineNote = baselineText(machine, baseline);

keep("result.json", `${JSON.stringify({ machine, effort, micro, results, overload, idle }, null, 2)}\n`);
const pictures = wanted.length === scenarios.length ? charts(results) : {};
for (const [name, picture] of Object.entries(pictures)) keep(name, picture);
writeFileSync(
  output,
  benchReport({
    ...{ machine, effort, micro, results, comparisons, baselineNote },
    day: new Date().toISOString().slice(0, 10),
    pictures: Object.values(pictures),
    ...(overload === undefined ? {} : { overload }),
    ...(idle === undefined ? {} : { idle }),
  }),
);
print(`The report is ${output}.`);

if (options.save) {
  writeFileSync(baselineFile, `${JSON.stringify(withRun(baselines, ratios), null, 2)}\n`);
  for (const [name, picture] of Object.entries(pictures)) writeFileSync(fileOf(name), picture);
}
if (options.check) {
  print(baselineNote);
  let slower = comparisons.filter(({ isRegression }) => isRegression);
  // A shared machine has slow spells: only what is slower in each of three runs has become slower.
  for (let repeat = 0; repeat < 2 && slower.some(({ peer }) => peer === yardstick); repeat++) {
    print(`Slower than the baseline, measured again: ${slower.map(({ name }) => name).join(", ")}`);
    const again = compared(ratiosOf(machine, results, await runMicro(300, 3)), baseline!);
    slower = again.filter(
      ({ name, isRegression }) => isRegression && slower.some((old) => old.name === name),
    );
  }
  for (const line of regressions(slower)) print(`slower than the baseline: ${line}`);
  process.exitCode = slower.length === 0 ? 0 : 1;
}
