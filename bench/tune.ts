import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { makeFolder } from "../src/process/files.ts";
import { settingsTable } from "../src/settings.ts";
import { endAll } from "../test/support/children.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import { loadShippedDirectory } from "../test/support/shipped-directory.ts";
import { fail, optionsOf } from "./options.ts";
import { machineLine, thisMachine } from "./report/machine.ts";
import { aligned } from "./report/table.ts";
import { type LoadKind, loadTitles, requestsOf } from "./tune/loads.ts";
import { defaultQueue, maxQueue, type Plan, planFor, plannedSeconds, queueLevels } from "./tune/plan.ts";
import { type Swept, TestBed } from "./tune/sweep.ts";
import { stepCells } from "./tune/table.ts";
import {
  capacityText,
  limits,
  missedBounds,
  settingsLines,
  type Tuning,
  tuneReport,
  warnings,
} from "./tune/tune-report.ts";
import { queueVerdict, sizeVerdict } from "./tune/verdict.ts";

/**
 * `npm run tune`: offers rising load to the service with pools of different sizes and queues, prints the result and
 * the settings to take, and writes `.bench/tune.html`.
 *
 * Ends with 130 after Ctrl-C and leaves no process and no file of its own behind.
 */
const options = optionsOf({
  quick: { type: "boolean", default: false },
  sizes: { type: "string" },
  queues: { type: "string" },
  levels: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  output: { type: "string", default: fileURLToPath(new URL("../.bench/tune.html", import.meta.url)) },
});

const cores = availableParallelism();
const plan = readPlan(planFor(cores, options.quick));
prepareOutput();
const print = (text: string) => process.stdout.write(`${text}\n`);
const progress = (line: string) => process.stderr.write(`${line}\n`);

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // A second signal ends at once; the exit kills the processes that still run.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
}
const folder = mkdtempSync(join(tmpdir(), "bankcheck-tune-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

try {
  const tuning = await tune();
  print(settingsLines(tuning));
  writeFileSync(options.output, tuneReport(tuning));
  print(`\nThe report is ${options.output}.`);
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  process.exitCode = 130;
} finally {
  await endAll();
}

async function tune(): Promise<Tuning> {
  const machine = thisMachine("an open loop, one process");
  const minutes = Math.ceil(plannedSeconds(plan) / 60);
  print(`${machineLine(machine)}; some ${minutes} minute${minutes === 1 ? "" : "s"}\n`);
  const data = fileURLToPath(new URL("../data", import.meta.url));
  const requests = requestsOf(new IbanMix(new BankDirectory(await loadShippedDirectory(data))));
  const { rounds, seconds, sizes, queues, levels } = plan;
  const bed = new TestBed(folder, requests, { rounds, seconds, progress, signal: interrupted.signal });

  // One queue for all sizes, or the longer queue of the larger pool would be measured instead of the pool.
  const queue = defaultQueue(Math.max(...sizes));
  const { open: capacity, closed } = await bed.capacity({ size: cores, queue });
  print(`${capacityText(capacity, closed)}\n`);

  const bySize = await bed.sweep(new Map(sizes.map((size) => [size, { size, queue }])), capacity, levels);
  printTables("POOL_SIZE", bySize);
  const ofSize = sizeVerdict(bySize, plan);
  const size = ofSize.recommendation.value;

  const lengths = new Set(queues.map((queue) => Math.min(maxQueue, Math.max(1, Math.round(queue * size)))));
  const byQueue = await bed.sweep(
    new Map([...lengths].map((queue) => [queue, { size, queue }])),
    capacity,
    queueLevels(levels),
  );
  printTables("POOL_QUEUE", byQueue);

  const tuning: Tuning = {
    ...{ machine, plan, capacity, closed, queue, sizes: bySize, queues: byQueue },
    day: new Date().toISOString().slice(0, 10),
    sizeVerdict: ofSize,
    queueVerdict: queueVerdict(byQueue, plan),
  };
  for (const line of [...warnings(tuning), ...limits(tuning)]) print(`- ${line}`);
  print("");
  for (const { rule, recommendation } of [tuning.sizeVerdict, tuning.queueVerdict]) {
    print(`${rule}\n  ${recommendation.reason}`);
  }
  for (const line of missedBounds(tuning)) print(`- ${line}`);
  print("");
  return tuning;
}

function printTables(setting: string, swept: readonly Swept[]): void {
  for (const kind of Object.keys(loadTitles) as LoadKind[]) {
    print(`${loadTitles[kind]}\n${aligned(stepCells(setting, swept, kind))}\n`);
  }
}

/** Overrides the plan by the command line; lists become ascending. */
function readPlan(plan: Plan): Plan {
  const numbers = (
    name: "sizes" | "queues" | "levels" | "rounds" | "seconds",
    { isWhole = false, isList = true, min = 0.01, max = 1_024 } = {},
  ) => {
    const text = options[name];
    if (text === undefined) return undefined;
    const values = text.split(",").map(Number);
    const isRight = (value: number) => value >= min && value <= max && (!isWhole || Number.isInteger(value));
    if (!values.every(isRight) || (!isList && values.length > 1)) {
      const kind = `${isWhole ? "whole " : ""}number${isList ? "s" : ""}`;
      fail(
        `--${name} takes ${isList ? kind : `a ${kind}`} from ${min} to ${max}, but is ${JSON.stringify(text)}.`,
      );
    }
    return values.sort((a, b) => a - b);
  };
  const { max } = settingsTable.poolSize.kind;
  return {
    sizes: numbers("sizes", { isWhole: true, min: 1, max }) ?? plan.sizes,
    queues: numbers("queues") ?? plan.queues,
    levels: numbers("levels", { max: 10 }) ?? plan.levels,
    rounds: numbers("rounds", { isWhole: true, isList: false, min: 1, max: 99 })?.[0] ?? plan.rounds,
    seconds: numbers("seconds", { isList: false, min: 0.1, max: 600 })?.[0] ?? plan.seconds,
  };
}

/** Makes the folder of the report before the sweep, which takes long. */
function prepareOutput(): void {
  try {
    makeFolder(dirname(options.output));
    writeFileSync(options.output, "");
  } catch (error) {
    fail(`--output takes a file to write the report to (${(error as Error).message}).`);
  }
}
