import { availableParallelism } from "node:os";
import { exitOnSignals, fail, print, reportFile } from "./command.ts";
import type { Capacity } from "./load/loads.ts";
import { machineLine, ownGenerator, thisMachine } from "./report/machine.ts";
import { thisService, writeReport } from "./report/report.ts";
import {
  defaultQueue,
  maxQueue,
  type Plan,
  planFor,
  plannedSeconds,
  queueLevels,
  workLevel,
} from "./tune/plan.ts";
import { recommend } from "./tune/recommend.ts";
import { type Trial, trialLoads, tuneSections } from "./tune/report.ts";
import { measureCapacity, type Pool, type Setting, sweep } from "./tune/sweep.ts";

interface TuneOptions extends Partial<Plan> {
  readonly quick?: boolean;
  readonly output?: string;
}

/**
 * Offers rising load to the service with pools of different sizes and queues, prints the result and the settings to take,
 * and writes the report. Stopped by Ctrl-C it reports what it has, leaves no process behind and ends with 130.
 */
export async function run({ quick = false, output, ...given }: TuneOptions): Promise<void> {
  const cores = availableParallelism();
  const plan = { ...planFor(cores, quick), ...given };
  const { levels, sizes, queues, seconds } = plan;
  if (levels[0]! > workLevel || levels.at(-1)! < 1) {
    fail(`--levels takes at least one up to ${workLevel} and one from 1 on, but is "${levels}".`);
  }
  const file = reportFile("tune", output);
  const machine = thisMachine(ownGenerator);
  const minutes = Math.ceil(plannedSeconds(plan) / 60);
  print(`${machineLine(machine)}; some ${minutes} minute${minutes === 1 ? "" : "s"}\n`);
  const service = await thisService();
  const trials: Trial[] = [];
  let capacity!: Capacity;

  const report = (ended: string | null) => {
    const values = trials.map(({ setting, recommendation }) => [setting, recommendation?.value]);
    const findings = { recommended: Object.fromEntries(values), capacity };
    const loads = trials.flatMap(trialLoads);
    writeReport(
      file,
      { tool: "tune", machine, service, settings: { ...plan }, ended, loads, findings },
      tuneSections({ machine, capacity, trials }),
    );
  };
  exitOnSignals((ended) => {
    if (trials.length > 0) report(ended);
  });

  /** Tries the values of a setting in a pool; returns the one to take. */
  const tryOut = async (setting: Setting, values: readonly number[], pool: Pool, at: readonly number[]) => {
    const other = setting === "POOL_SIZE" ? "POOL_QUEUE" : "POOL_SIZE";
    const trial: Trial = { setting, beside: `${other}=${pool[other]}`, rows: [] };
    trials.push(trial);
    const pools = new Map(values.map((value) => [value, { ...pool, [setting]: value }]));
    await sweep(trial.rows, pools, capacity, at, plan);
    trial.recommendation = recommend(setting, trial.rows, plan.rounds);
    return trial.recommendation.value;
  };

  // One queue for all sizes, or the longer queue of the larger pool would be measured instead of the pool.
  const pool: Pool = { POOL_SIZE: cores, POOL_QUEUE: defaultQueue(Math.max(...sizes)) };
  capacity = await measureCapacity(pool, seconds);
  const size = await tryOut("POOL_SIZE", sizes, pool, levels);
  const lengths = new Set(queues.map((places) => Math.min(maxQueue, Math.max(1, Math.round(places * size)))));
  await tryOut("POOL_QUEUE", [...lengths], { ...pool, POOL_SIZE: size }, queueLevels(levels));
  report(null);
}
