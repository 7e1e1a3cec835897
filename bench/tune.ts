import { availableParallelism } from "node:os";
import { endAll } from "../test/support/children.ts";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { exitOnSignals, fail, print, progress, reportFile } from "./command.ts";
import { requestsOf } from "./load/requests.ts";
import { machineLine, thisMachine } from "./report/machine.ts";
import { thisService, writeReport } from "./report/report.ts";
import type { Capacity } from "./tune/loads.ts";
import {
  defaultQueue,
  maxQueue,
  type Plan,
  planFor,
  plannedSeconds,
  queueLevels,
  workLevel,
} from "./tune/plan.ts";
import { recommend, type Setting } from "./tune/recommend.ts";
import { loadsOf, type Trial, type Tuning, tuneSections } from "./tune/report.ts";
import { type PoolSettings, Samples, TestBed } from "./tune/sweep.ts";

/** The options of `npm run tune` (`cli.ts`). */
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
  const { levels, sizes, queues, rounds, seconds } = plan;
  if (levels[0]! > workLevel || levels.at(-1)! < 1) {
    fail(`--levels takes at least one up to ${workLevel} and one from 1 on, but is "${levels}".`);
  }
  const file = reportFile("tune", output);
  const machine = thisMachine("an open loop, one process");
  const minutes = Math.ceil(plannedSeconds(plan) / 60);
  print(`${machineLine(machine)}; some ${minutes} minute${minutes === 1 ? "" : "s"}\n`);
  const mix = await shippedMix();
  const bed = new TestBed(requestsOf(mix), { rounds, seconds, progress });
  const trials: Trial[] = [];
  let measured: Readonly<Record<"open" | "closed", Capacity>> | undefined;
  let running: { readonly setting: Setting; readonly beside: string; readonly samples: Samples } | undefined;

  const report = (ended: string | null) => {
    const begun = running === undefined ? [] : [{ ...running, swept: running.samples.steps() }];
    const tuning: Tuning = {
      machine,
      plan,
      capacity: measured!.open,
      closed: measured!.closed,
      trials: [...trials, ...begun],
    };
    const sections = tuneSections(tuning);
    const recommended = trials.map(({ setting, recommendation }) => [setting, recommendation!.value]);
    writeReport(
      file,
      "pool tuning",
      {
        ...{ tool: "tune", machine, service: thisService(mix.edition) },
        ...{ settings: { ...plan }, ended, loads: loadsOf(tuning) },
        findings: { recommended: Object.fromEntries(recommended), capacity: measured },
      },
      sections,
    );
  };
  exitOnSignals(() => {
    if (running !== undefined) report("The run was stopped: what was not measured is missing.");
  });

  /** Tries the values of a setting; returns the one to take. */
  const tryOut = async (
    setting: Setting,
    beside: string,
    pools: ReadonlyMap<number, PoolSettings>,
    at: readonly number[],
  ) => {
    const samples = new Samples();
    running = { setting, beside, samples };
    await bed.sweep(pools, measured!.open, at, samples);
    running = undefined;
    const swept = samples.steps();
    const recommendation = recommend(setting, swept, { ...plan, levels: at });
    trials.push({ setting, beside, swept, recommendation });
    return recommendation.value;
  };

  // One queue for all sizes, or the longer queue of the larger pool would be measured instead of the pool.
  const queue = defaultQueue(Math.max(...sizes));
  measured = await bed.capacity({ size: cores, queue });
  const bySize = new Map(sizes.map((size) => [size, { size, queue }]));
  const size = await tryOut("POOL_SIZE", `POOL_QUEUE=${queue}`, bySize, levels);
  const lengths = new Set(queues.map((places) => Math.min(maxQueue, Math.max(1, Math.round(places * size)))));
  const byQueue = new Map([...lengths].map((length) => [length, { size, queue: length }]));
  await tryOut("POOL_QUEUE", `POOL_SIZE=${size}`, byQueue, queueLevels(levels));
  report(null);
  await endAll();
}
