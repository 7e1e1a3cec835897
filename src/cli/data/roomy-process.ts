import { getHeapStatistics } from "node:v8";
import { runInChild } from "../child.ts";

/** Reading a file of `maxSourceBytes` takes up to a gigabyte of heap; the command line as a whole is kept far below. */
const heapMegabytes = 2_048;

/**
 * Returns an action that runs where there is heap enough for the largest file: in a process of its own, started with
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
