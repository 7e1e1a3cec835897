import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import { loadShippedDirectory } from "../test/support/shipped-directory.ts";
import { comparisonCells, runAgainst } from "./against.ts";
import { runScenarios } from "./end-to-end.ts";
import { idleTable, runIdle } from "./idle.ts";
import { findGenerator } from "./load/generator.ts";
import { runMicro } from "./micro/run.ts";
import { optionsOf } from "./options.ts";
import { overloadTable, runOverload } from "./overload.ts";
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
import {
  minTargetSeconds,
  runTarget,
  type TargetOptions,
  type TargetStep,
  targetCells,
  targetReport,
} from "./target.ts";

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
});

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (text: string) => process.stdout.write(`${text}\n`);
const isWanted = (id: string) =>
  options.only === "" || options.only.split(",").some((part) => id.startsWith(part));

const directory = new BankDirectory(await loadShippedDirectory(folderOf("../data")));
const kept = folderOf("../.bench/");
mkdirSync(kept, { recursive: true });
const keep = (name: string, text: string) => writeFileSync(kept + name, text);

if (options.target !== undefined) {
  await benchTarget(options.target);
  process.exit();
}

const generator = findGenerator();
const machine = thisMachine(generator.name);
print(`${machineLine(machine)}\n`);

if (options.against !== undefined) {
  const effort = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
  const run = await runAgainst(options.against, isWanted, directory, generator.generate, effort);
  print(`other processes: ${figure(run.foreignCores)} cores\n${aligned(comparisonCells(run))}`);
  process.exit();
}

const micro = isWanted("micro") ? await runMicro(300, 3) : [];
if (micro.length > 0) print(`${aligned(microCells(micro))}\n`);

const wanted = scenarios.filter(({ id }) => isWanted(id));
const effort = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const results = await runScenarios(wanted, directory, generator.generate, effort, (line) => {
  process.stderr.write(`measured: ${line}\n`);
});
for (const result of results) print(scenarioTable(result));

const overload = isWanted("overload") ? await runOverload(directory, generator.generate, effort) : undefined;
if (overload !== undefined) print(overloadTable(overload));

const idle = isWanted("idle") ? await runIdle() : undefined;
if (idle !== undefined) print(idleTable(idle));

const baselineFile = folderOf("baseline.json");
const baselines = JSON.parse(readFileSync(baselineFile, "utf8")) as Baselines;
const ratios = ratiosOf(machine, results, micro);
const baseline = baselineFor(baselines, machine);
const comparisons = baseline === undefined ? [] : compared(ratios, baseline);
const baselineNote = baselineText(machine, baseline);

keep("result.json", `${JSON.stringify({ machine, effort, micro, results, overload, idle }, null, 2)}\n`);
const pictures = wanted.length === scenarios.length ? charts(results) : {};
for (const [name, picture] of Object.entries(pictures)) keep(name, picture);
keep(
  "report.html",
  benchReport({
    ...{ machine, effort, micro, results, comparisons, baselineNote },
    day: new Date().toISOString().slice(0, 10),
    pictures: Object.values(pictures),
    ...(overload === undefined ? {} : { overload }),
    ...(idle === undefined ? {} : { idle }),
  }),
);
print("The report is .bench/report.html.");

if (options.save) {
  writeFileSync(baselineFile, `${JSON.stringify(withRun(baselines, ratios), null, 2)}\n`);
  for (const [name, picture] of Object.entries(pictures)) writeFileSync(folderOf(name), picture);
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

/** Puts the loads on a service that runs elsewhere, whose key is in BANKCHECK_KEY, and keeps the report. */
async function benchTarget(url: string): Promise<void> {
  const interrupted = new AbortController();
  process.once("SIGINT", () => {
    interrupted.abort();
    process.exitCode = 130;
  });
  const steps: TargetStep[] = [];
  try {
    const target: TargetOptions = {
      ...{ url: readUrl(url), key: readKey() },
      maxSingles: readLimit("max-singles"),
      maxBatches: readLimit("max-batches"),
      seconds: readLimit("max-seconds", minTargetSeconds),
      measured: (step) => {
        steps.push(step);
        process.stderr.write(`measured: ${step.load}\n`);
      },
      signal: interrupted.signal,
    };
    const run = runTarget(target, new IbanMix(directory));
    await run.finally(() => keepTarget(target, steps));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

/** Reports the loads that were measured, if any. */
function keepTarget(target: TargetOptions, steps: readonly TargetStep[]): void {
  if (steps.length === 0) return;
  print(aligned(targetCells(steps)));
  keep("target.json", `${JSON.stringify({ url: target.url.href, steps }, null, 2)}\n`);
  keep("target.html", targetReport(steps, target, new Date().toISOString().slice(0, 10)));
  print("The report is .bench/target.html.");
}

function readKey(): string {
  const key = process.env["BANKCHECK_KEY"] ?? "";
  if (key === "") throw new Error("No API key: set BANKCHECK_KEY to one of the service's.");
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Error("BANKCHECK_KEY is not an API key: it holds spaces or other characters.");
  return key;
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || /[?#@]/.test(text)) {
    throw new Error(
      `--target takes the address of a service, https://bankcheck.example, but is ${JSON.stringify(text)}.`,
    );
  }
  return url;
}

function readLimit(name: "max-singles" | "max-batches" | "max-seconds", min = 1): number {
  const limit = Number(options[name]);
  if (!(limit >= min && limit <= 100_000)) {
    throw new Error(
      `--${name} takes a number from ${min} to 100000, but is ${JSON.stringify(options[name])}.`,
    );
  }
  return limit;
}
