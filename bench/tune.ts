import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { settingsTable } from "../src/settings.ts";
import { endAll } from "../test/support/children.ts";
import { shippedMix } from "../test/support/shipped-directory.ts";
import {
  type Bounds,
  exitOnSignals,
  fail,
  numberOf,
  numbersOf,
  optionsOf,
  prepareOutput,
} from "./command.ts";
import { requestsOf } from "./load/requests.ts";
import { machineLine, thisMachine } from "./report/machine.ts";
import { aligned } from "./report/table.ts";
import { type LoadKind, loadTitles } from "./tune/loads.ts";
import {
  defaultQueue,
  maxQueue,
  type Plan,
  planFor,
  plannedSeconds,
  queueLevels,
  workLevel,
} from "./tune/plan.ts";
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
prepareOutput(options.output);
const print = (text: string) => process.stdout.write(`${text}\n`);
const progress = (line: string) => process.stderr.write(`${line}\n`);

exitOnSignals();

const tuning = await tune();
print(settingsLines(tuning));
writeFileSync(options.output, tuneReport(tuning));
print(`\nThe report is ${options.output}.`);
await endAll();

async function tune(): Promise<Tuning> {
  const machine = thisMachine("an open loop, one process");
  const minutes = Math.ceil(plannedSeconds(plan) / 60);
  print(`${machineLine(machine)}; some ${minutes} minute${minutes === 1 ? "" : "s"}\n`);
  const requests = requestsOf(await shippedMix());
  const { rounds, seconds, sizes, queues, levels } = plan;
  const bed = new TestBed(requests, { rounds, seconds, progress });

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
  const missed = missedBounds(tuning);
  if (missed.length > 0) print(`\nBounds that these settings miss\n${aligned(missed)}`);
  print("");
  return tuning;
}

function printTables(setting: string, swept: readonly Swept[]): void {
  for (const kind of Object.keys(loadTitles) as LoadKind[]) {
    print(`${loadTitles[kind]}\n${aligned(stepCells(setting, swept, kind))}\n`);
  }
}

/** Overrides the plan by the command line. */
function readPlan(plan: Plan): Plan {
  const list = (name: "sizes" | "queues" | "levels", bounds: Bounds) => {
    const text = options[name];
    return text === undefined ? plan[name] : numbersOf(name, text, bounds);
  };
  const number = (name: "rounds" | "seconds", bounds: Bounds) => {
    const text = options[name];
    return text === undefined ? plan[name] : numberOf(name, text, bounds);
  };
  const levels = list("levels", { min: 0.01, max: 10 });
  if (levels[0]! > workLevel || levels.at(-1)! < 1) {
    fail(
      `--levels takes at least one up to ${workLevel} and one from 1 on, but is ${JSON.stringify(options.levels)}.`,
    );
  }
  return {
    levels,
    sizes: list("sizes", { isWhole: true, min: 1, max: settingsTable.poolSize.kind.max }),
    queues: list("queues", { min: 0.01, max: 1_024 }),
    rounds: number("rounds", { isWhole: true, min: 1, max: 99 }),
    seconds: number("seconds", { min: 0.1, max: 600 }),
  };
}
