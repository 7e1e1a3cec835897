import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BankDirectory } from "../src/banks/directory.ts";
import { loadShippedDirectory } from "../src/banks/load.ts";
import { runScenarios } from "./end-to-end.ts";
import { findGenerator } from "./load/generator.ts";
import { scenarioTable } from "./report/table.ts";
import { scenarios } from "./scenarios.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    only: { type: "string", default: "" },
  },
});

const write = (text: string) => process.stdout.write(`${text}\n`);
const data = fileURLToPath(new URL("../data", import.meta.url));
const directory = new BankDirectory(await loadShippedDirectory(data));
const generator = findGenerator();
const machine = {
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  node: process.version,
  generator: generator.name,
};
write(`${machine.cores} cores (${machine.processor}), Node ${machine.node}, load by ${machine.generator}\n`);
const wanted = scenarios.filter(
  ({ id }) => options.only === "" || options.only.split(",").some((part) => id.startsWith(part)),
);
const effort = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const results = await runScenarios(wanted, directory, generator.generate, effort, (line) =>
  process.stderr.write(`measured: ${line}\n`),
);
for (const result of results) write(scenarioTable(result));
const folder = fileURLToPath(new URL("../.bench/", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}end-to-end.json`, `${JSON.stringify({ machine, effort, results }, null, 2)}\n`);
