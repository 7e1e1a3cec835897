import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BankDirectory } from "../src/banks/directory.ts";
import { loadShippedDirectory } from "../src/banks/load.ts";
import { runScenarios } from "./end-to-end.ts";
import { findGenerator } from "./load/generator.ts";
import { runMicro } from "./micro/run.ts";
import { overloadTable, runOverload } from "./overload.ts";
import { type Baseline, ratiosOf, regressions } from "./report/baseline.ts";
import { charts } from "./report/charts.ts";
import { figure } from "./report/statistics.ts";
import { aligned, scenarioTable } from "./report/table.ts";
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
const machine = {
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  generator: generator.name,
};
print(`${machine.cores} cores (${machine.processor}), Node ${machine.node}, load by ${machine.generator}\n`);

const micro = isWanted("micro") ? await runMicro(300, 3) : [];
if (micro.length > 0) {
  print(
    aligned([["micro bench", "ns"], ...micro.map(({ name, nanoseconds }) => [name, figure(nanoseconds)])]),
  );
  print("");
}

const wanted = scenarios.filter(({ id }) => isWanted(id));
const effort = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const directory = new BankDirectory(await loadShippedDirectory(folderOf("../data")));
const results = await runScenarios(wanted, directory, generator.generate, effort, (line) => {
  process.stderr.write(`measured: ${line}\n`);
});
for (const result of results) print(scenarioTable(result));

const overload = isWanted("overload") ? await runOverload(directory, generator.generate, effort) : undefined;
if (overload !== undefined) print(overloadTable(overload));

const ratios = ratiosOf(machine, results, micro);
const kept = folderOf("../.bench/");
mkdirSync(kept, { recursive: true });
writeFileSync(
  `${kept}result.json`,
  `${JSON.stringify({ machine, effort, micro, results, overload }, null, 2)}\n`,
);
const pictures = wanted.length === scenarios.length ? charts(results) : {};
for (const [name, picture] of Object.entries(pictures)) writeFileSync(kept + name, picture);

const baselineFile = folderOf("baseline.json");
if (options.save) {
  writeFileSync(baselineFile, `${JSON.stringify(ratios, null, 2)}\n`);
  for (const [name, picture] of Object.entries(pictures)) writeFileSync(folderOf(name), picture);
}
if (options.check) {
  const behind = regressions(ratios, JSON.parse(readFileSync(baselineFile, "utf8")) as Baseline);
  for (const line of behind) print(`slower than the baseline: ${line}`);
  process.exitCode = behind.length === 0 ? 0 : 1;
}
