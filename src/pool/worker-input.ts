import type { SharedMemory } from "./shared-memory.ts";
import type { SharedRings } from "./shared-rings.ts";

/** What every worker thread is given when it starts. */
export interface WorkerInput {
  readonly shared: SharedMemory;
  readonly rings: SharedRings;
  /** How long a worker that has nothing to do stays on shift, in milliseconds. */
  readonly idleMs: number;
  /** The compiled batch kernel; each worker makes an instance of its own. */
  readonly kernel: WebAssembly.Module;
  /** Whether an account that fails the UK modulus check makes its IBAN invalid. */
  readonly enforceUkModulus: boolean;
}
