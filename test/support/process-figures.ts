import { readFileSync } from "node:fs";

/** How many ticks the kernel counts a second of processor time in. */
const ticksPerSecond = 100;

/** Returns the resident memory of a process, in MB. Needs Linux. */
export function residentMb({ pid }: { readonly pid?: number | undefined }): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

/** Returns the processor time of a process so far, all threads together, in milliseconds. Needs Linux. */
export function busyMs({ pid }: { readonly pid?: number | undefined }): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

/** Returns the ids of the children of a process, none where it has ended. Needs Linux. */
export function childrenOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
