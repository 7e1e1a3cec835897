import { Worker } from "node:worker_threads";

/** Returns the value of a promise, or rejects when it takes longer. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing came within ${milliseconds} ms`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
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
