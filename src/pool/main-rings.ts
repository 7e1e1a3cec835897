import {
  finishedEntries,
  MainState,
  RingWord,
  type SharedRings,
  WorkerState,
  WorkerWord,
  waitingEntries,
  workerWords,
} from "./shared-rings.ts";

/** The main thread's end of the rings. */
export class MainRings {
  readonly workers: number;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #mask: number;
  readonly #entries: number;
  readonly #finished: readonly number[];
  readonly #finishedHeads: Int32Array;
  /** By place: the cost of all that was put in before. */
  readonly #costBefore: Float64Array;
  #cost = 0;
  #tail = 0;
  #isWaiting = false;

  constructor(shared: SharedRings) {
    this.workers = shared.workers;
    this.#words = new Int32Array(shared.buffer);
    this.#mask = shared.places - 1;
    this.#entries = waitingEntries(shared);
    this.#finished = Array.from({ length: shared.workers }, (_, worker) => finishedEntries(shared, worker));
    this.#finishedHeads = new Int32Array(shared.workers);
    this.#costBefore = new Float64Array(shared.places);
  }

  /** Position of the next slot that a worker takes; it changes with each one that is taken. */
  get head(): number {
    return Atomics.load(this.#words, RingWord.head);
  }

  /** How many numbers wait in the ring, those of slots that were taken back included. */
  get length(): number {
    return (this.#tail - this.head) | 0;
  }

  /** Whether another number can be put in. */
  get hasPlace(): boolean {
    return this.length <= this.#mask;
  }

  /** Lets the workers have a slot; `cost` is what it is expected to cost, in any unit. */
  put(slotNumber: number, cost: number): void {
    const place = this.#tail & this.#mask;
    this.#words[this.#entries + place] = slotNumber;
    this.#costBefore[place] = this.#cost;
    this.#cost += cost;
    this.#tail = (this.#tail + 1) | 0;
    Atomics.store(this.#words, RingWord.tail, this.#tail);
  }

  /** Expected cost of what waits in the ring from a position on. */
  costFrom(head: number): number {
    return head === this.#tail ? 0 : this.#cost - this.#costBefore[head & this.#mask]!;
  }

  /** Takes the number of a slot that a worker has finished; -1 where there is none. */
  takeFinished(worker: number): number {
    const head = this.#finishedHeads[worker]!;
    if (Atomics.load(this.#words, workerWords(worker) + WorkerWord.finishedTail) === head) return -1;
    this.#finishedHeads[worker] = head + 1;
    return this.#words[this.#finished[worker]! + (head & this.#mask)]!;
  }

  stateOf(worker: number): WorkerState {
    return Atomics.load(this.#words, workerWords(worker) + WorkerWord.state) as WorkerState;
  }

  /** Id of the thread that is on shift as this worker; 0 where none has come up since the shift was begun. */
  threadOf(worker: number): number {
    return Atomics.load(this.#words, workerWords(worker) + WorkerWord.thread);
  }

  /** Whether the worker has taken a slot since its shift began. */
  hasTaken(worker: number): boolean {
    return Atomics.load(this.#words, workerWords(worker) + WorkerWord.hasTaken) !== 0;
  }

  /** Before a shift begins, and after one has ended. */
  reset(worker: number, state: WorkerState): void {
    const words = workerWords(worker);
    Atomics.store(this.#words, words + WorkerWord.thread, 0);
    Atomics.store(this.#words, words + WorkerWord.hasTaken, 0);
    Atomics.store(this.#words, words + WorkerWord.state, state);
  }

  /** Wakes a worker that is parked; false where it is not. */
  wake(worker: number): boolean {
    const word = workerWords(worker) + WorkerWord.state;
    const { parked, awake } = WorkerState;
    if (Atomics.compareExchange(this.#words, word, parked, awake) !== parked) return false;
    Atomics.notify(this.#words, word, 1);
    return true;
  }

  /**
   * From now on a worker that finishes a slot wakes this thread, which is reported by `woken` on a later turn. What was
   * finished before wakes nobody, so look once more after this call.
   */
  sleep(woken: () => void): void {
    Atomics.store(this.#words, RingWord.mainState, MainState.asleep);
    // One that was not woken yet still waits for the next word.
    if (this.#isWaiting) return;
    const wait = Atomics.waitAsync(this.#words, RingWord.mainState, MainState.asleep);
    if (!wait.async) {
      setImmediate(woken);
      return;
    }
    this.#isWaiting = true;
    void wait.value.then(() => {
      this.#isWaiting = false;
      woken();
    });
  }

  /** Nobody needs to wake this thread any more. */
  wakeUp(): void {
    Atomics.store(this.#words, RingWord.mainState, MainState.awake);
  }
}
