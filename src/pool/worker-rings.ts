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
import type { Slot, SlotMemory } from "./slot-memory.ts";

/** A worker's end of the rings, for one shift. */
export class WorkerRings {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #mask: number;
  readonly #entries: number;
  readonly #worker: number;
  readonly #finished: number;
  readonly #memory: SlotMemory;
  readonly #thread: number;
  #finishedTail: number;

  constructor(shared: SharedRings, memory: SlotMemory, worker: number, thread: number) {
    this.#words = new Int32Array(shared.buffer);
    this.#mask = shared.places - 1;
    this.#entries = waitingEntries(shared);
    this.#worker = workerWords(worker);
    this.#finished = finishedEntries(shared, worker);
    this.#memory = memory;
    this.#thread = thread;
    // The one before it on this place may have died at any point: what it said it had finished stands.
    this.#finishedTail = Atomics.load(this.#words, this.#worker + WorkerWord.finishedTail);
    Atomics.store(this.#words, this.#worker + WorkerWord.thread, thread);
    Atomics.store(this.#words, this.#worker + WorkerWord.state, WorkerState.awake);
  }

  /**
   * Takes the next slot that waits; undefined where there is none.
   *
   * The number in the ring is a hint, what counts is the slot's state: who changes it from queued to running has the
   * slot, and the same step says who. So a worker may die before or after any step, and the others pass what it left.
   */
  take(): Slot | undefined {
    const words = this.#words;
    for (;;) {
      const head = Atomics.load(words, RingWord.head);
      if (head === Atomics.load(words, RingWord.tail)) return undefined;
      const slot = this.#memory.slot(words[this.#entries + (head & this.#mask)]!);
      const isMine = slot.claim(this.#thread);
      Atomics.compareExchange(words, RingWord.head, head, (head + 1) | 0);
      if (!isMine) continue;
      words[this.#worker + WorkerWord.hasTaken] = 1;
      return slot;
    }
  }

  /** Tells the main thread that a slot is finished, and wakes it where it sleeps. */
  finished(slot: Slot): void {
    const words = this.#words;
    words[this.#finished + (this.#finishedTail & this.#mask)] = slot.number;
    this.#finishedTail = (this.#finishedTail + 1) | 0;
    Atomics.store(words, this.#worker + WorkerWord.finishedTail, this.#finishedTail);
    if (Atomics.load(words, RingWord.mainState) !== MainState.asleep) return;
    const { asleep, awake } = MainState;
    // Of several workers that find it asleep one wakes it.
    if (Atomics.compareExchange(words, RingWord.mainState, asleep, awake) === asleep)
      Atomics.notify(words, RingWord.mainState, 1);
  }

  /**
   * Sleeps until there is work; at once back where some waits. False where none came for `idleMs` milliseconds: the
   * shift is over.
   */
  park(idleMs: number): boolean {
    const words = this.#words;
    const state = this.#worker + WorkerWord.state;
    Atomics.store(words, state, WorkerState.parked);
    if (Atomics.load(words, RingWord.head) !== Atomics.load(words, RingWord.tail)) {
      // The main thread may have seen it parked meanwhile and woken it: then it notified nobody.
      Atomics.store(words, state, WorkerState.awake);
      return true;
    }
    if (Atomics.wait(words, state, WorkerState.parked, idleMs) !== "timed-out") return true;
    // Whoever is woken in the last moment stays.
    const { parked, absent } = WorkerState;
    return Atomics.compareExchange(words, state, parked, absent) !== parked;
  }
}
