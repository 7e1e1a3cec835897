import { spawn } from "node:child_process";
import { constants } from "node:os";
import { getHeapStatistics } from "node:v8";

/** Reading a file of `maxSourceBytes` takes up to a gigabyte of heap; the command line as a whole is kept far below. */
const heapMegabytes = 2_048;
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Returns an action that runs where there is heap enough for the largest file: in a process of its own, started with
 * the same arguments, where this one has less.
 */
export function withHeap<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<void>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    if (getHeapStatistics().heap_size_limit >= heapMegabytes * 1_048_576) return action(...given);
    process.exitCode = await runAgain();
  };
}

/** Runs this command again with more heap and returns its exit code; signals reach it. */
async function runAgain(): Promise<number> {
  const options = process.execArgv.filter((option) => !option.includes("old-space-size"));
  const heap = `--max-old-space-size=${heapMegabytes}`;
  const child = spawn(process.execPath, [...options, heap, ...process.argv.slice(1)], { stdio: "inherit" });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of stopSignals) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    });
  } finally {
    for (const signal of stopSignals) process.off(signal, pass);
  }
}
