import { Piscina } from "piscina";
import { Admission } from "./admission.ts";
import { Dispatcher, runsPerWorker } from "./dispatcher.ts";
import { createSharedMemory } from "./shared-memory.ts";
import { FreeSlots, type Slot, SlotMemory } from "./slot-memory.ts";
import type { WorkerInput } from "./worker-input.ts";

/** How a pool is made. */
export interface CheckPoolOptions {
  /** Worker threads: the concurrency ceiling. */
  readonly size: number;
  /** Accepted requests that may wait beyond those at work. */
  readonly queue: number;
  /** Absolute path of the worker's module. */
  readonly workerFile: string;
  /** The bank directory; it is copied into the memory all threads share. */
  readonly directory: SharedArrayBuffer;
  /** The compiled batch kernel and its tables. */
  readonly kernel: WebAssembly.Module;
  readonly kernelTables: Uint8Array;
}

/**
 * Told when a worker is through with a slot: its answer stands there when `answered`, otherwise the check failed.
 *
 * Gives `"again"` when it has filled the slot anew, to send it on its way once more within the same admission.
 */
export type RequestDone = (slot: Slot, answered: boolean) => "done" | "again";

/** Which slots a task needs: small for single checks and searches, large for batches and long inputs. */
export type SlotSize = "small" | "large";

/** The worker pool behind its admission counter: a fixed number of threads and a bounded queue. */
export class CheckPool {
  /** Worker threads. */
  readonly size: number;
  readonly #admission: Admission;
  readonly #free: Readonly<Record<SlotSize, FreeSlots>>;
  readonly #piscina: Piscina<readonly number[], unknown>;
  readonly #dispatcher: Dispatcher;
  #whenEmpty: (() => void) | undefined;

  private constructor(options: CheckPoolOptions) {
    this.size = options.size;
    this.#admission = new Admission(options.size, options.queue);
    const { ceiling } = this.#admission;
    const shared = createSharedMemory(options.kernelTables, options.directory, ceiling, ceiling);
    const memory = new SlotMemory(shared.slots);
    const all = Array.from({ length: memory.size }, (_, number) => memory.slot(number));
    this.#free = {
      small: new FreeSlots(all.slice(0, ceiling)),
      large: new FreeSlots(all.slice(ceiling)),
    };
    this.#piscina = new Piscina({
      filename: options.workerFile,
      minThreads: options.size,
      maxThreads: options.size,
      concurrentTasksPerWorker: runsPerWorker,
      // Piscina's own order lets tasks that found no free worker starve.
      stricterFIFO: true,
      workerData: { shared, kernel: options.kernel } satisfies WorkerInput,
    });
    // A run that fails says so itself. What is told here is the end of a worker that had none: it is replaced, and
    // an event that nobody listens to would end the process.
    this.#piscina.on("error", () => {});
    this.#dispatcher = new Dispatcher((numbers) => this.#piscina.run(numbers), options.size);
  }

  /** Starts the workers and waits until each has loaded its code. Rejects when the worker module cannot run. */
  static async start(options: CheckPoolOptions): Promise<CheckPool> {
    const pool = new CheckPool(options);
    try {
      await Promise.all(Array.from({ length: options.size }, () => pool.#piscina.run([])));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  /** Whether the next request is refused; decided by a counter, before anything of it is read. */
  get full(): boolean {
    return this.#admission.full;
  }

  /** How many accepted requests are at work or waiting. */
  get inside(): number {
    return this.#admission.inside;
  }

  /** The most requests that may be inside: pool size plus queue. */
  get ceiling(): number {
    return this.#admission.ceiling;
  }

  /**
   * Accepts one request, lets `fill` write it into a slot, and hands it to the workers.
   *
   * Gives false, without calling anything, when the ceiling is reached. `done` is told on a later turn; the slot is free
   * again when it returns `"done"`, so the answer must have left by then. When `fill` throws, the slot is free again.
   */
  submit(size: SlotSize, fill: (slot: Slot) => void, done: RequestDone): boolean {
    if (!this.#admission.enter()) return false;
    const slot = this.#free[size].take();
    if (slot === undefined) throw new Error("fewer slots than the admission ceiling");
    try {
      fill(slot);
    } catch (error) {
      this.#release(size, slot);
      throw error;
    }
    this.#send(size, slot, done);
    return true;
  }

  /** Resolves when no request is inside any more. */
  async drained(): Promise<void> {
    if (this.#admission.inside === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  /** Ends the worker threads; running work is lost, so drain first. */
  async close(): Promise<void> {
    this.#dispatcher.close();
    await this.#piscina.destroy();
  }

  #send(size: SlotSize, slot: Slot, done: RequestDone): void {
    this.#dispatcher.submit(slot, (_, answered) => {
      let next: ReturnType<RequestDone> = "done";
      try {
        next = done(slot, answered);
      } finally {
        if (next === "done") this.#release(size, slot);
      }
      if (next === "again") this.#send(size, slot, done);
    });
  }

  #release(size: SlotSize, slot: Slot): void {
    this.#free[size].give(slot);
    this.#admission.leave();
    if (this.#admission.inside === 0) this.#whenEmpty?.();
  }
}
