import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { loadShippedDirectory } from "../src/banks/editions/load.ts";
import { runScenarios } from "./end-to-end.ts";
import { findGenerator } from "./load/generator.ts";
import { runMicro } from "./micro/run.ts";
import { overloadTable, runOverload } from "./overload.ts";
import {
  type Baselines,
  baselineFor,
  compared,
  ratiosOf,
  regressions,
  toldBaseline,
  withRun,
} from "./report/baseline.ts";
import { benchReport } from "./report/bench-report.ts";
import { charts } from "./report/charts.ts";
import { machineLine, thisMachine } from "./report/machine.ts";
import { aligned, microCells, scenarioTable } from "./report/table.ts";
import { scenarios } from "./scenarios.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    only: { type: "string", default: "" },
    save: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (text: string) => process.stdout.write(`${text}\n`);
const isWanted = (id: string) =>
  options.only === "" || options.only.split(",").some((part) => id.startsWith(part));

const generator = findGenerator();
const machine = thisMachine(generator.name);
print(`${machineLine(machine)}\n`);

const micro = isWanted("micro") ? await runMicro(300, 3) : [];
if (micro.length > 0) print(`${aligned(microCells(micro))}\n`);

const wanted = scenarios.filter(({ id }) => isWanted(id));
const effort = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const directory = new BankDirectory(await loadShippedDirectory(folderOf("../data")));
const results = await runScenarios(wanted, directory, generator.generate, effort, (line) => {
  process.stderr.write(`measured: ${line}\n`);
});
for (const result of results) print(scenarioTable(result));

const overload = isWanted("overload") ? await runOverload(directory, generator.generate, effort) : undefined;
if (overload !== undefined) print(overloadTable(overload));

const baselineFile = folderOf("baseline.json");
const baselines = JSON.parse(readFileSync(baselineFile, "utf8")) as Baselines;
const ratios = ratiosOf(machine, results, micro);
const baseline = baselineFor(baselines, machine);
const comparisons = baseline === undefined ? [] : compared(ratios, baseline);
const told = toldBaseline(machine, baseline);

const kept = folderOf("../.bench/");
mkdirSync(kept, { recursive: true });
const keep = (name: string, text: string) => writeFileSync(kept + name, text);
keep("result.json", `${JSON.stringify({ machine, effort, micro, results, overload }, null, 2)}\n`);
const pictures = wanted.length === scenarios.length ? charts(results) : {};
for (const [name, picture] of Object.entries(pictures)) keep(name, picture);
keep(
  "report.html",
  benchReport({
    ...{ machine, effort, micro, results, comparisons, told },
    day: new Date().toISOString().slice(0, 10),
    pictures: Object.values(pictures),
    ...(overload === undefined ? {} : { overload }),
  }),
);
print("The report is .bench/report.html.");

if (options.save) {
  writeFileSync(baselineFile, `${JSON.stringify(withRun(baselines, ratios), null, 2)}\n`);
  for (const [name, picture] of Object.entries(pictures)) writeFileSync(folderOf(name), picture);
}
if (options.check) {
  print(told);
  const behind = regressions(comparisons);
  for (const line of behind) print(`slower than the baseline: ${line}`);
  process.exitCode = behind.length === 0 ? 0 : 1;
}
