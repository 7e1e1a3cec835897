import { settingsTable } from "../../src/settings-table.ts";
import { kinds } from "../load/loads.ts";

export interface Plan {
  readonly sizes: readonly number[];
  /** Queues to try at the chosen size, as multiples of it. */
  readonly queues: readonly number[];
  /** Offered load, as multiples of what the service answered of requests at independent times. */
  readonly levels: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

/** Time for connecting and for answers in flight, added to the measuring time of a step. */
const stepOverheadSeconds = 0.5;

/** The load up to which latency and refusals count as those of ordinary work. */
export const workLevel = 0.75;

export const maxQueue = settingsTable.poolQueue.kind.max;

/** The default queue of the service for a pool size; all sizes are tried with that of the largest. */
export function defaultQueue(size: number): number {
  return settingsTable.poolQueue.fallback({ poolSize: size });
}

/** Pool sizes from 1 to two more than the cores, all of them up to eight, then increasingly far apart. */
export function poolSizes(cores: number): number[] {
  const most = Math.min(settingsTable.poolSize.kind.max, cores + 2);
  const sizes = new Set([Math.min(cores, most), most]);
  for (let size = 1; size <= most; size += size < 8 ? 1 : 2 ** (Math.floor(Math.log2(size)) - 1))
    sizes.add(size);
  return [...sizes].sort((a, b) => a - b);
}

/** The sweep for a machine: some twenty minutes on two cores, or a few in its quick form. */
export function planFor(cores: number, isQuick: boolean): Plan {
  return isQuick
    ? { sizes: poolSizes(cores), queues: [32, 128, 512], levels: [0.5, 0.75, 1, 1.5], rounds: 1, seconds: 1 }
    : {
        sizes: poolSizes(cores),
        queues: [8, 32, 64, 128, 256, 512],
        levels: [0.25, 0.5, 0.75, 0.9, 1, 1.25, 1.5, 2],
        rounds: 3,
        seconds: 2,
      };
}

/** The levels at which queues are tried: ordinary work, and all from the capacity on, where a queue fills. */
export function queueLevels(levels: readonly number[]): readonly number[] {
  const work = levels.filter((level) => level <= workLevel).at(-1);
  return levels.filter((level) => level === work || level >= 1);
}

/** How long a sweep takes, in seconds, without start-up. */
export function plannedSeconds({ sizes, queues, levels, rounds, seconds }: Plan): number {
  const steps = sizes.length * levels.length + queues.length * queueLevels(levels).length;
  return steps * kinds.length * rounds * (seconds + stepOverheadSeconds);
}
