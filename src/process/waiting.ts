import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** Returns the value of a promise, or rejects when it takes longer. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing came within ${milliseconds} ms`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** How many items are handled at a time: a millisecond or two for those that take some microseconds each. */
const itemsAtOnce = 250;

/** Handles each item in order, and lets the event loop turn after some of them. */
export async function inSlices<T>(items: readonly T[], handle: (item: T) => void): Promise<void> {
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    if (start > 0) await nextTurn();
    for (const item of items.slice(start, start + itemsAtOnce)) handle(item);
  }
}

/**
 * Returns what a thread posts first, and ends the thread. Its memory is released with it.
 *
 * Rejects with the message of what it throws, or where it ends without a word.
 */
export async function resultOfThread<T>(threadFile: string, input: unknown): Promise<T> {
  const thread = new Worker(threadFile, { workerData: input });
  try {
    return await new Promise<T>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", () => reject(new Error(`the thread of ${threadFile} has ended`)));
    });
  } finally {
    await thread.terminate();
  }
}
