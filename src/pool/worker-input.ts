import type { SharedSlots } from "./slot-memory.ts";

/** What every worker thread is given when it starts. */
export interface WorkerInput {
  readonly slots: SharedSlots;
  /** The bank directory, read-only and shared by all workers. */
  readonly directory: SharedArrayBuffer;
}
