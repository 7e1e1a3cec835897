import { parentPort, workerData } from "node:worker_threads";
import { LmdbCounts } from "./lmdb-counts.ts";

/** What a thread is asked to do: a method of `LmdbCounts` and its arguments. */
export interface LmdbRequest {
  readonly id: number;
  readonly method: "add" | "read" | "names";
  readonly given: readonly unknown[];
}

/** What it answers: what the method gave, or why it failed. */
export interface LmdbReply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

let counts: LmdbCounts | undefined;

/** A file that cannot be opened is tried again with every request. */
async function answer({ id, method, given }: LmdbRequest): Promise<LmdbReply> {
  try {
    counts ??= await LmdbCounts.open(workerData as string);
    const call = counts[method] as (...all: readonly unknown[]) => unknown;
    return { id, value: call.apply(counts, [...given]) };
  } catch (error) {
    return { id, error: (error as Error).message };
  }
}

/** A thread that is ended from outside in the middle of LMDB's own code would take the process with it. */
async function close(): Promise<void> {
  await counts?.close();
  parentPort?.close();
}

let last: Promise<void> = Promise.resolve();
parentPort?.on("message", (request: LmdbRequest | "close") => {
  // One after the other, or two requests at the start would open the file twice.
  last = last.then(async () =>
    request === "close" ? close() : parentPort?.postMessage(await answer(request)),
  );
});
