import { spawn } from "node:child_process";
import { constants } from "node:os";
import { getHeapStatistics } from "node:v8";

const passedSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs Node with arguments in a separate process and returns its exit code; signals reach it. */
export async function runInChild(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of passedSignals) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    });
  } finally {
    for (const signal of passedSignals) process.off(signal, pass);
  }
}

/** Reading a file of `maxSourceBytes` takes up to a gigabyte of heap; the command line as a whole is kept far below. */
const heapMegabytes = 2_048;

/**
 * Returns an action that runs where there is heap enough for the largest file: in a separate process, started with
 * the same arguments, where this one has less.
 */
export function withHeap<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<void>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    if (getHeapStatistics().heap_size_limit >= heapMegabytes * 1_048_576) return action(...given);
    const options = process.execArgv.filter((option) => !option.includes("old-space-size"));
    process.exitCode = await runInChild([
      ...options,
      `--max-old-space-size=${heapMegabytes}`,
      ...process.argv.slice(1),
    ]);
  };
}
