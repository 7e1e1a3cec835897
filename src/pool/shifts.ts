import { Piscina } from "piscina";
import { defaultPolicy } from "../banks/lookup/account-policy.ts";
import { type MainRings, type SharedRings, WorkerState } from "./rings.ts";
import type { SharedMemory, WorkerInput } from "./shared-memory.ts";

/** Options of the worker threads. */
export interface WorkerOptions {
  /** Worker threads: the concurrency ceiling. */
  readonly size: number;
  /** Absolute path of the worker's module. */
  readonly workerFile: string;
  /** How long a worker that has nothing to do stays on shift, in milliseconds; 100 where absent. */
  readonly idleMs?: number;
  /** The compiled batch kernel. */
  readonly kernel: WebAssembly.Module;
  /** Countries whose account checks make nothing invalid; those of `defaultPolicy` where absent. */
  readonly observeAccounts?: readonly string[];
}

/** Long enough that a client which asks ten times a second finds its worker on shift. */
const defaultIdleMs = 100;

/** A worker's heap holds some 10 MB; the bank data is in shared memory, which does not count. */
const maxWorkerHeapMb = 128;

/**
 * By default V8 lets the garbage of each worker grow to 48 MB before it collects it. That is reached after half a million
 * requests, so that memory would seem to leak. Half of 8 MB costs suggestions a fifth of their rate.
 */
const maxWorkerYoungMb = 8;

/** Starts the threads. Piscina replaces one that ends. */
export function startWorkers(
  {
    size,
    workerFile,
    kernel,
    observeAccounts = defaultPolicy.observed,
    idleMs = defaultIdleMs,
  }: WorkerOptions,
  shared: SharedMemory,
  rings: SharedRings,
): Piscina<number | undefined, unknown> {
  const piscina = new Piscina<number | undefined, unknown>({
    filename: workerFile,
    minThreads: size,
    maxThreads: size,
    // A task of Piscina's is a shift, in which a worker does any number of checks: its timing says nothing.
    concurrentTasksPerWorker: 1,
    recordTiming: false,
    // A task that uses up the memory ends its worker, which is replaced, and not the process.
    resourceLimits: {
      maxOldGenerationSizeMb: maxWorkerHeapMb,
      maxYoungGenerationSizeMb: maxWorkerYoungMb,
    },
    workerData: { shared, rings, kernel, observeAccounts, idleMs } satisfies WorkerInput,
  });
  // A shift that fails rejects. This is the end of a worker that had none: it is replaced, and an event without a
  // listener would end the process.
  piscina.on("error", () => {});
  return piscina;
}

/** Begins a worker's shift; settles when the shift is over, rejects when its thread has died or could not come up. */
export type RunShift = (worker: number) => Promise<unknown>;

/** Called when a thread has died on shift: its id, or 0 if it had not come up. */
export type ThreadDied = (thread: number) => void;

/** Wait before shifts begin again after one in which nothing was taken, in milliseconds; doubled once all have failed. */
const initialPauseMs = 10;
const maxPauseMs = 1_000;

/** Who is on shift: begins shifts when there is work, wakes workers that are parked, and lets failing ones wait. */
export class Shifts {
  readonly #run: RunShift;
  readonly #rings: MainRings;
  readonly #died: ThreadDied;
  readonly #resumed: () => void;
  /** By worker: whether its shift has begun and not ended. */
  readonly #isOn: boolean[];
  #failures = 0;
  #pause: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `resumed` is called when shifts may begin that could not before: look again whether any are needed. */
  constructor(run: RunShift, rings: MainRings, died: ThreadDied, resumed: () => void) {
    this.#run = run;
    this.#rings = rings;
    this.#died = died;
    this.#resumed = resumed;
    this.#isOn = new Array<boolean>(rings.workers).fill(false);
  }

  /** How many shifts have failed one after the other without a slot having been taken. */
  get failures(): number {
    return this.#failures;
  }

  /** How many workers are awake, or will be without being woken. */
  get awake(): number {
    let awake = 0;
    for (let worker = 0; worker < this.#rings.workers; worker++) {
      const state = this.#rings.stateOf(worker);
      if (state === WorkerState.awake || state === WorkerState.starting) awake++;
    }
    return awake;
  }

  /** Wakes workers, or begins their shifts, until `count` are awake; false if none was to be woken, or none could. */
  wake(count: number): boolean {
    const wanted = count - this.awake;
    let missing = wanted;
    for (let worker = 0; worker < this.#rings.workers && missing > 0; worker++) {
      if (this.#rings.wake(worker)) missing--;
    }
    for (let worker = 0; worker < this.#rings.workers && missing > 0; worker++) {
      if (this.#isOn[worker] || this.#pause !== undefined || this.#isClosed) continue;
      this.#begin(worker);
      missing--;
    }
    return missing < wanted;
  }

  /** Begins no shift from now on. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pause);
  }

  #begin(worker: number): void {
    this.#isOn[worker] = true;
    this.#rings.reset(worker, WorkerState.starting);
    this.#run(worker).then(
      () => this.#ended(worker),
      () => this.#failed(worker),
    );
  }

  #ended(worker: number): void {
    this.#isOn[worker] = false;
    this.#rings.reset(worker, WorkerState.absent);
    this.#failures = 0;
    // Work may have come when the worker was about to go.
    this.#resumed();
  }

  #failed(worker: number): void {
    const thread = this.#rings.threadOf(worker);
    this.#failures = this.#rings.hasTaken(worker) ? 0 : this.#failures + 1;
    this.#isOn[worker] = false;
    this.#rings.reset(worker, WorkerState.absent);
    if (this.#failures > 0 && !this.#isClosed) this.#beginPause();
    this.#died(thread);
    this.#resumed();
  }

  #beginPause(): void {
    clearTimeout(this.#pause);
    const rounds = Math.floor(this.#failures / this.#rings.workers);
    this.#pause = setTimeout(
      () => {
        this.#pause = undefined;
        this.#resumed();
      },
      Math.min(initialPauseMs * 2 ** rounds, maxPauseMs),
    );
  }
}

/**
 * Adds up how long each worker was busy, by worker number: a replacement takes the number of the thread that ended.
 */
export class WorkerLoad {
  readonly #aliveThreads: () => readonly number[];
  readonly #busyMs: Float64Array;
  /** By worker number: the thread that has it. */
  readonly #threads: number[];
  #last = 0;

  /** `aliveThreads` returns the ids of the live threads; called only when one is met for the first time. */
  constructor(size: number, aliveThreads: () => readonly number[]) {
    this.#aliveThreads = aliveThreads;
    this.#busyMs = new Float64Array(size);
    this.#threads = new Array<number>(size).fill(noThread);
  }

  /** By worker number: busy milliseconds since the start. */
  get busyMs(): readonly number[] {
    return [...this.#busyMs];
  }

  /** Records the busy milliseconds of a thread. */
  add(thread: number, milliseconds: number): void {
    if (this.#threads[this.#last] !== thread) this.#last = this.#numberOf(thread);
    this.#busyMs[this.#last]! += milliseconds;
  }

  #numberOf(thread: number): number {
    const known = this.#threads.indexOf(thread);
    if (known !== -1) return known;
    const alive = new Set(this.#aliveThreads());
    // A thread that has ended may be heard of when its place is taken; then its work is added to the first one's.
    const free = Math.max(
      0,
      this.#threads.findIndex((other) => !alive.has(other)),
    );
    if (alive.has(thread)) this.#threads[free] = thread;
    return free;
  }
}

/** The main thread has this id, and no worker. */
const noThread = 0;
