/** The main thread has this id, and no worker. */
const noThread = 0;

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
