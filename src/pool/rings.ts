import { now } from "./clock.ts";
import type { Slot, SlotMemory } from "./slots.ts";

/**
 * The queues between the main thread and the workers, in shared memory.
 *
 * One ring holds the numbers of slots that wait: the main thread writes them, every worker takes them. Each worker has a
 * ring of its own for the numbers of slots that it has finished: it writes them, the main thread takes them. Beside the
 * rings is what each thread is doing, so that no thread is woken that is awake. Both ends are in this file: each step of
 * one is correct only together with the steps of the other.
 */
export interface SharedRings {
  readonly buffer: SharedArrayBuffer;
  readonly workers: number;
  /** Length of each ring: a power of two, at least twice the number of slots. */
  readonly places: number;
}

/** State of a worker: `starting` until its thread has come up, `parked` while it sleeps until the main thread wakes it. */
export const WorkerState = { starting: 0, awake: 1, parked: 2 } as const;

/** A value of WorkerState. */
export type WorkerState = (typeof WorkerState)[keyof typeof WorkerState];

/** State of the main thread; while asleep it must be woken by the worker that finishes a slot. */
const MainState = { awake: 0, asleep: 1 } as const;

/** Fields of a cache line: fields that different threads write are on different lines. */
const line = 16;

/** Fields that all threads use, as indexes. */
export const RingField = { head: 0, tail: line, mainState: 2 * line, nudge: 3 * line } as const;

/** Fields of one worker, relative to `workerFields`. */
export const WorkerField = { state: 0, thread: 1, finishedTail: line } as const;

const firstWorker = 4 * line;
const fieldsOfWorker = 2 * line;

/** Returns the rings for a number of workers and slots. */
export function createRings(workers: number, slots: number): SharedRings {
  let places = 1;
  // Twice the slots, since a slot that was taken back leaves its number in the ring until a worker passes it.
  while (places < slots * 2) places *= 2;
  const fields = firstWorker + workers * fieldsOfWorker + places * (1 + workers);
  return { buffer: new SharedArrayBuffer(fields * Int32Array.BYTES_PER_ELEMENT), workers, places };
}

/** Index of the first field of a worker. */
export function workerFields(worker: number): number {
  return firstWorker + worker * fieldsOfWorker;
}

/** What both ends know of the rings. */
class Rings {
  readonly workers: number;
  protected readonly fields: Int32Array<SharedArrayBuffer>;
  /** Turns a position into a place of a ring. */
  protected readonly mask: number;
  /** Index of the first entry of the ring of slots that wait. */
  protected readonly entries: number;

  constructor({ buffer, workers, places }: SharedRings) {
    this.workers = workers;
    this.fields = new Int32Array(buffer);
    this.mask = places - 1;
    this.entries = firstWorker + workers * fieldsOfWorker;
  }

  /** Index of the first entry of a worker's ring of finished slots. */
  protected finishedEntries(worker: number): number {
    return this.entries + (this.mask + 1) * (1 + worker);
  }

  stateOf(worker: number): WorkerState {
    return Atomics.load(this.fields, workerFields(worker) + WorkerField.state) as WorkerState;
  }
}

/** The main thread's end of the rings. */
export class MainRings extends Rings {
  readonly #finishedHeads: Int32Array;
  #tail = 0;
  #isWaiting = false;

  constructor(shared: SharedRings) {
    super(shared);
    this.#finishedHeads = new Int32Array(shared.workers);
    this.#awaitNudge();
  }

  /** A nudge only wakes this thread; it carries no work (see `WorkerRings.spin`). */
  #awaitNudge(): void {
    const wait = Atomics.waitAsync(this.fields, RingField.nudge, 0);
    if (wait.async) void wait.value.then(() => this.#awaitNudge());
  }

  /** Position of the next slot that a worker takes; it changes with each one that is taken. */
  get head(): number {
    return Atomics.load(this.fields, RingField.head);
  }

  /** How many numbers wait in the ring, those of slots that were taken back included. */
  get length(): number {
    return (this.#tail - this.head) | 0;
  }

  /** Whether another number can be put in. */
  get hasPlace(): boolean {
    return this.length <= this.mask;
  }

  /** Lets the workers have a slot. */
  put(slotNumber: number): void {
    this.fields[this.entries + (this.#tail & this.mask)] = slotNumber;
    this.#tail = (this.#tail + 1) | 0;
    Atomics.store(this.fields, RingField.tail, this.#tail);
  }

  /** Takes the number of a slot that a worker has finished; -1 if there is none. */
  takeFinished(worker: number): number {
    const head = this.#finishedHeads[worker]!;
    if (Atomics.load(this.fields, workerFields(worker) + WorkerField.finishedTail) === head) return -1;
    this.#finishedHeads[worker] = head + 1;
    return this.fields[this.finishedEntries(worker) + (head & this.mask)]!;
  }

  /** Id of the thread that runs as this worker, once it has come up. */
  threadOf(worker: number): number {
    return Atomics.load(this.fields, workerFields(worker) + WorkerField.thread);
  }

  /** The thread of this worker has died, or could not come up. */
  reset(worker: number): void {
    Atomics.store(this.fields, workerFields(worker) + WorkerField.state, WorkerState.starting);
  }

  /** Wakes a worker that is parked; false if it is not. */
  wake(worker: number): boolean {
    const state = workerFields(worker) + WorkerField.state;
    const { parked, awake } = WorkerState;
    if (Atomics.compareExchange(this.fields, state, parked, awake) !== parked) return false;
    Atomics.notify(this.fields, state, 1);
    return true;
  }

  /**
   * From now on a worker that finishes a slot wakes this thread, which is reported by `woken` on a later turn. What was
   * finished before wakes no thread, so look once more after this call.
   */
  sleep(woken: () => void): void {
    Atomics.store(this.fields, RingField.mainState, MainState.asleep);
    // An earlier call still waits, and is woken too.
    if (this.#isWaiting) return;
    const wait = Atomics.waitAsync(this.fields, RingField.mainState, MainState.asleep);
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

  /** This thread need not be woken any more. */
  wakeUp(): void {
    Atomics.store(this.fields, RingField.mainState, MainState.awake);
  }
}

/** A worker's end of the rings, for as long as its thread lives. */
export class WorkerRings extends Rings {
  readonly #worker: number;
  /** Its fields, as an index. */
  readonly #own: number;
  readonly #finished: number;
  readonly #memory: SlotMemory;
  #finishedTail: number;

  constructor(shared: SharedRings, memory: SlotMemory, worker: number, thread: number) {
    super(shared);
    this.#worker = worker;
    this.#own = workerFields(worker);
    this.#finished = this.finishedEntries(worker);
    this.#memory = memory;
    // Its predecessor may have died at any point; what that has reported is valid.
    this.#finishedTail = Atomics.load(this.fields, this.#own + WorkerField.finishedTail);
    Atomics.store(this.fields, this.#own + WorkerField.thread, thread);
    Atomics.store(this.fields, this.#own + WorkerField.state, WorkerState.awake);
  }

  /**
   * Takes the next slot that waits; undefined if there is none.
   *
   * The number in the ring is a hint; the slot's state decides. The worker that changes it from posted to running has the
   * slot, and the same step writes which worker that is. So a worker may die before or after any step: the others pass
   * what it left.
   */
  take(): Slot | undefined {
    const fields = this.fields;
    for (;;) {
      const head = Atomics.load(fields, RingField.head);
      if (head === Atomics.load(fields, RingField.tail)) return undefined;
      const slot = this.#memory.slots[fields[this.entries + (head & this.mask)]!]!;
      const isMine = slot.claim(this.#worker);
      Atomics.compareExchange(fields, RingField.head, head, (head + 1) | 0);
      if (isMine) return slot;
    }
  }

  /** Reports a finished slot to the main thread, and wakes it where it sleeps. */
  finished(slot: Slot): void {
    const fields = this.fields;
    fields[this.#finished + (this.#finishedTail & this.mask)] = slot.number;
    this.#finishedTail = (this.#finishedTail + 1) | 0;
    Atomics.store(fields, this.#own + WorkerField.finishedTail, this.#finishedTail);
    if (Atomics.load(fields, RingField.mainState) !== MainState.asleep) return;
    const { asleep, awake } = MainState;
    // Of several workers that find it asleep one wakes it.
    if (Atomics.compareExchange(fields, RingField.mainState, asleep, awake) === asleep)
      Atomics.notify(fields, RingField.mainState, 1);
  }

  get #hasWork(): boolean {
    return Atomics.load(this.fields, RingField.head) !== Atomics.load(this.fields, RingField.tail);
  }

  /** Whether another worker is awake. */
  get isAnotherAwake(): boolean {
    for (let worker = 0; worker < this.workers; worker++) {
      if (worker !== this.#worker && this.stateOf(worker) === WorkerState.awake) return true;
    }
    return false;
  }

  /**
   * Spins for work until a moment of the threads' clock; false if none has come.
   *
   * The client may be on this machine and wait for the processor that this thread keeps busy. Linux lets it move to
   * another one when that one falls idle, but not at once. So each `nudgeMs` the main thread, which sleeps, is woken for
   * nothing: when it sleeps again its processor takes the client.
   */
  spin(until: number, nudgeMs: number): boolean {
    let nextNudge = now() + nudgeMs;
    while (!this.#hasWork) {
      const time = now();
      if (time >= nextNudge) {
        nextNudge += nudgeMs;
        Atomics.notify(this.fields, RingField.nudge, 1);
      }
      if (time >= until) return false;
    }
    return true;
  }

  /** Sleeps until there is work; at once back where some waits. */
  park(): void {
    const fields = this.fields;
    const state = this.#own + WorkerField.state;
    Atomics.store(fields, state, WorkerState.parked);
    // The main thread may have seen it parked meanwhile and woken it: then its notification was lost.
    if (this.#hasWork) Atomics.store(fields, state, WorkerState.awake);
    else Atomics.wait(fields, state, WorkerState.parked);
  }
}
