import { type MainRings, WorkerState } from "./rings.ts";

/** Begins the run loop of a worker; settles when it has ended, rejects when its thread has died or could not come up. */
export type StartRunLoop = (worker: number) => Promise<unknown>;

/** Called when a thread has died in its run loop: its id, or 0 if it had not come up. */
export type ThreadDied = (thread: number) => void;

/** Wait before run loops begin again after one in which nothing was taken, in milliseconds; doubled once all have failed. */
const initialPauseMs = 10;
const maxPauseMs = 1_000;

/** The run loops of all workers: begins them when there is work, wakes parked ones, and delays those that failed. */
export class RunLoops {
  readonly #run: StartRunLoop;
  readonly #rings: MainRings;
  readonly #died: ThreadDied;
  readonly #resumed: () => void;
  /** By worker: whether its run loop has begun and not ended. */
  readonly #isOn: boolean[];
  #failures = 0;
  #pause: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `resumed` is called when run loops may begin that could not before: check again whether any are needed. */
  constructor(run: StartRunLoop, rings: MainRings, died: ThreadDied, resumed: () => void) {
    this.#run = run;
    this.#rings = rings;
    this.#died = died;
    this.#resumed = resumed;
    this.#isOn = new Array<boolean>(rings.workers).fill(false);
  }

  /** How many run loops have failed one after the other without a slot having been taken. */
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

  /** Wakes workers, or begins their run loops, until `count` are awake; false if none was to be woken, or none could. */
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

  /** Begins no run loop from now on. */
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
