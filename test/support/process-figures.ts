import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Why a test that needs Linux is skipped, for `node:test`'s `skip` option. */
export const notLinux: string | false = process.platform === "linux" ? false : "needs Linux";

/** The same for a test that limits the files of a process. */
export const prlimitMissing: string | false =
  spawnSync("prlimit", ["--version"]).status === 0 ? false : "prlimit is not installed (Linux)";

/** Lets a process write no file beyond a size, as a disk does that is full. */
export function limitFiles(pid: number, size: number | "unlimited"): void {
  const { status, stderr } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`]);
  assert.equal(status, 0, String(stderr));
}

// What Linux knows of a process, in figures; NaN where another system does not count them, and of a process that has ended.

/** How many ticks the kernel counts a second of processor time in. */
const ticksPerSecond = 100;

/** Reads a file of /proc; an empty text where there is none. */
export function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** State and further fields of a process. Source: proc(5). */
const statusOf = (pid: number | undefined) => readProc(`${pid}/stat`).split(") ")[1]?.split(" ") ?? [];

/** Returns the resident memory of a process, in MB. */
export function residentMb({ pid }: { readonly pid?: number | undefined }): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProc(`${pid}/status`))?.[1]) / 1_024;
}

/** Returns the processor time of a process so far, all threads together, in milliseconds. */
export function busyMs({ pid }: { readonly pid?: number | undefined }): number {
  const fields = statusOf(pid);
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

/** Whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  const [state = "Z"] = statusOf(pid);
  return state !== "Z";
}

/** Returns the ids of the children of a process, none where it has ended. */
export function childrenOf(pid: number): readonly number[] {
  return readProc(`${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}
