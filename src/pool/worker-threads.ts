import { Piscina } from "piscina";
import type { SharedQueues } from "./queues.ts";
import type { SharedMemory, WorkerInput } from "./shared-memory.ts";

export interface WorkerOptions extends Pick<WorkerInput, "kernel" | "observeAccounts"> {
  /** Worker threads. */
  readonly size: number;
  /** Absolute path of the worker's module. */
  readonly workerFile: string;
}

/** A worker's heap holds some 10 MB; the bank data is in shared memory, which does not count. */
const maxWorkerHeapMb = 128;

/**
 * By default V8 lets the garbage of each worker grow to 48 MB before it collects it. That is reached after half a million
 * requests, so that memory would seem to leak. Half of 8 MB costs suggestions a fifth of their rate.
 */
const maxWorkerYoungMb = 8;

/** Starts the threads. Piscina replaces one that ends. */
export function startWorkers(
  { size, workerFile, kernel, observeAccounts }: WorkerOptions,
  shared: SharedMemory,
  queues: SharedQueues,
): Piscina<number | undefined, unknown> {
  const piscina = new Piscina<number | undefined, unknown>({
    filename: workerFile,
    minThreads: size,
    maxThreads: size,
    // A task of Piscina is a run loop, which lasts as long as its thread: its timing says nothing.
    concurrentTasksPerWorker: 1,
    recordTiming: false,
    // A task that uses up the memory ends its worker, which is replaced, and not the process.
    resourceLimits: {
      maxOldGenerationSizeMb: maxWorkerHeapMb,
      maxYoungGenerationSizeMb: maxWorkerYoungMb,
    },
    workerData: { shared, queues, kernel, observeAccounts } satisfies WorkerInput,
  });
  // A run loop that fails rejects. This is the end of a worker that had none: it is replaced, and an event without a
  // listener would end the process.
  piscina.on("error", () => {});
  return piscina;
}
