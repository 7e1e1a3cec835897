import { Worker } from "node:worker_threads";
import type { LoadInput } from "./load-edition.ts";
import type { LoadedEdition } from "./loaded-edition.ts";

/** What the thread is given. */
export interface LoadThreadInput extends LoadInput {
  /** Whether nothing can be answered before: then loading has the processor as everybody else. */
  readonly isAwaited: boolean;
}

/**
 * Does what `loadEdition` does in a thread that ends with it, so that the caller's thread is never held up and the
 * memory it takes is given back.
 *
 * @param threadFile absolute path of the compiled `workers/load.ts`.
 * @throws {Error} with the message of `loadEdition`, or where the thread ended without a word.
 */
export async function loadEditionInThread(
  threadFile: string,
  input: LoadThreadInput,
): Promise<LoadedEdition> {
  const thread = new Worker(threadFile, { workerData: input });
  try {
    return await new Promise<LoadedEdition>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", () => reject(new Error("the thread that loads the bank data has ended")));
    });
  } finally {
    await thread.terminate();
  }
}
