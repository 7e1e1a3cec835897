import type { SharedMemory } from "./shared-memory.ts";

/** What every worker thread is given when it starts. */
export interface WorkerInput {
  readonly shared: SharedMemory;
  /** The compiled batch kernel; each worker makes an instance of its own. */
  readonly kernel: WebAssembly.Module;
}
