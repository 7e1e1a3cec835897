import { readFileSync } from "node:fs";

const ticksPerSecond = 100;
/** Columns of /proc/stat in which the processors rest: idle and iowait. */
const resting = new Set([3, 4]);
/** Time of guests is counted in user time already. */
const columns = 8;

/** Seconds of processor time that all processors together have been busy since the machine's start, for anybody. */
export function machineBusySeconds(stat: string = readFileSync("/proc/stat", "utf8")): number {
  const times = stat
    .split("\n", 1)[0]!
    .trim()
    .split(/\s+/)
    .slice(1, columns + 1)
    .map(Number);
  return times.reduce((sum, time, column) => (resting.has(column) ? sum : sum + time), 0) / ticksPerSecond;
}
