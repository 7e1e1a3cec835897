import { readProc } from "./process.ts";

const ticksPerSecond = 100;
/** Columns of /proc/stat in which the processors rest: idle and iowait. */
const resting = new Set([3, 4]);
/** Time of guests is counted in user time already. */
const columns = 8;

/**
 * Seconds for which the processors that this process may run on have been busy since the machine's start, for anybody; NaN
 * where the system does not say so.
 */
export function machineBusySeconds(
  stat: string = readProc("stat"),
  status: string = readProc("self/status"),
): number {
  let ticks = 0;
  for (const processor of allowedProcessors(status)) {
    const line = new RegExp(`^cpu${processor} (.*)$`, "m").exec(stat)?.[1] ?? "NaN";
    for (const [column, time] of line.split(" ").slice(0, columns).entries()) {
      if (!resting.has(column)) ticks += Number(time);
    }
  }
  return ticks / ticksPerSecond;
}

/** Numbers of the processors in a status of /proc, where they are a list of numbers and ranges: `0-3,6`. */
function allowedProcessors(status: string): readonly number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(status)?.[1] ?? "";
  return list.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
