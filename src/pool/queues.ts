import { now } from "./clock.ts";
import type { Slot, SlotMemory } from "./slots.ts";

/**
 * The queues between the main thread and the workers, in shared memory.
 *
 * A ring holds the numbers of slots that wait: the main thread writes them, every worker takes them. Slots that are finished
 * form a linked list: workers put theirs before the others, and the main thread takes the whole list. What each thread is
 * doing is there too, so that no thread is woken that is awake. Both ends are in this file: each step of one is correct
 * only together with the steps of the other.
 */
export type SharedQueues = ReturnType<typeof createQueues>;

/** State of a worker: `starting` until its thread has come up, `parked` while it sleeps until the main thread wakes it. */
export const WorkerState = { starting: 0, awake: 1, parked: 2 } as const;

export type WorkerState = (typeof WorkerState)[keyof typeof WorkerState];

/** In place of a finished slot, which are counted from 1: there is none; there is none, and the next wakes the main thread. */
const none = 0;
const asleep = -1;

/** Linux moves no thread that waited for a processor for less than 0.5 ms, its scheduler's migration cost: a tenth more. */
const defaultNudgeMs = 0.55;

/** Fields of a cache line: fields that different threads write are on different lines. */
const line = 16;

/** Fields that all threads use, as indexes. */
export const QueueField = { head: 0, tail: line, finished: 2 * line, nudge: 3 * line } as const;

const firstWorker = 4 * line;

export function createQueues(workers: number, slots: number) {
  // A power of two, at least twice the slots: one that was taken back leaves its number in the ring until a worker passes it.
  const places = 2 ** Math.ceil(Math.log2(slots * 2));
  const fields = stateField(workers) + places + slots;
  return { buffer: new SharedArrayBuffer(fields * Int32Array.BYTES_PER_ELEMENT), workers, places };
}

/** Index of a worker's state; after it is the id of its thread. */
export function stateField(worker: number): number {
  return firstWorker + worker * line;
}

/** What both ends see, and where in it the ring and the links of the list are. */
function openQueues({ buffer, workers, places }: SharedQueues) {
  const fields = new Int32Array(buffer);
  const entries = stateField(workers);
  const stateOf = (worker: number) => Atomics.load(fields, stateField(worker)) as WorkerState;
  return {
    fields,
    /** Turns a position into a place of the ring. */
    mask: places - 1,
    /** Index of the first entry of the ring. */
    entries,
    /** Index of the first link: by slot number, what is in the list after it, as `QueueField.finished` says what is first. */
    links: entries + places,
    stateOf,
    count: (state: WorkerState) => {
      let count = 0;
      for (let worker = 0; worker < workers; worker++) if (stateOf(worker) === state) count++;
      return count;
    },
  };
}

export type MainQueues = ReturnType<typeof mainQueues>;

export function mainQueues(shared: SharedQueues) {
  const { workers } = shared;
  const { fields, mask, entries, links, stateOf, count } = openQueues(shared);
  let tail = 0;
  let isWaiting = false;

  /** A nudge only wakes this thread; it carries no work (see `spin`). */
  function awaitNudge(): void {
    const wait = Atomics.waitAsync(fields, QueueField.nudge, 0);
    if (wait.async) void wait.value.then(awaitNudge);
  }
  awaitNudge();

  /** How many numbers are in the ring, those of slots that were taken back included. */
  const length = () => (tail - Atomics.load(fields, QueueField.head)) | 0;

  return {
    workers,
    stateOf,
    count,
    length,
    hasPlace: () => length() <= mask,

    put: (slotNumber: number) => {
      fields[entries + (tail & mask)] = slotNumber;
      tail = (tail + 1) | 0;
      Atomics.store(fields, QueueField.tail, tail);
    },

    /** Takes the numbers of the slots that workers have finished, in that order. */
    takeFinished: () => {
      const numbers: number[] = [];
      // An empty list stays as it is: it says whether this thread sleeps.
      if (Atomics.load(fields, QueueField.finished) <= none) return numbers;
      let next = Atomics.exchange(fields, QueueField.finished, none);
      for (; next > none; next = fields[links + next - 1]!) numbers.push(next - 1);
      return numbers.reverse();
    },

    /** Id of the thread that runs as this worker, once it has come up. */
    threadOf: (worker: number) => Atomics.load(fields, stateField(worker) + 1),

    /** The thread of this worker has died, or could not come up. */
    reset: (worker: number) => Atomics.store(fields, stateField(worker), WorkerState.starting),

    /** Wakes parked workers until `wanted` are awake. */
    wake: (wanted: number) => {
      const { parked, awake } = WorkerState;
      let missing = wanted - count(awake);
      for (let worker = 0; worker < workers && missing > 0; worker++) {
        const state = stateField(worker);
        if (Atomics.compareExchange(fields, state, parked, awake) !== parked) continue;
        Atomics.notify(fields, state, 1);
        missing--;
      }
    },

    /**
     * From now on a worker that finishes a slot wakes this thread, which is reported by `woken` on a later turn. False, and
     * nothing is reported, where a slot was finished already.
     */
    sleep: (woken: () => void) => {
      if (Atomics.compareExchange(fields, QueueField.finished, none, asleep) !== none) return false;
      // An earlier call still waits, and is woken too.
      if (isWaiting) return true;
      const wait = Atomics.waitAsync(fields, QueueField.finished, asleep);
      if (!wait.async) return false;
      isWaiting = true;
      void wait.value.then(() => {
        isWaiting = false;
        woken();
      });
      return true;
    },

    wakeUp: () => Atomics.compareExchange(fields, QueueField.finished, asleep, none),
  };
}

export type WorkerQueues = ReturnType<typeof workerQueues>;

/** A worker's end of the queues, for as long as its thread lives. */
export function workerQueues(shared: SharedQueues, { slots }: SlotMemory, worker: number, thread: number) {
  const { fields, mask, entries, links, count } = openQueues(shared);
  const state = stateField(worker);
  const hasWork = () => Atomics.load(fields, QueueField.head) !== Atomics.load(fields, QueueField.tail);
  Atomics.store(fields, state + 1, thread);
  Atomics.store(fields, state, WorkerState.awake);

  return {
    count,

    /**
     * Takes the next slot that waits; undefined if there is none.
     *
     * The number in the ring is a hint; the slot's state decides. The worker that changes it from posted to running has the
     * slot, and the same step writes which worker that is. So a worker may die before or after any step: the others pass
     * what it left.
     */
    take: (): Slot | undefined => {
      for (;;) {
        const head = Atomics.load(fields, QueueField.head);
        if (head === Atomics.load(fields, QueueField.tail)) return undefined;
        const slot = slots[fields[entries + (head & mask)]!]!;
        const isMine = slot.claim(worker);
        Atomics.compareExchange(fields, QueueField.head, head, (head + 1) | 0);
        if (isMine) return slot;
      }
    },

    /** Reports a finished slot to the main thread, and wakes it where it sleeps. */
    finished: ({ number }: Slot) => {
      let first: number;
      do {
        first = Atomics.load(fields, QueueField.finished);
        fields[links + number] = first;
      } while (Atomics.compareExchange(fields, QueueField.finished, first, number + 1) !== first);
      if (first === asleep) Atomics.notify(fields, QueueField.finished, 1);
    },

    /**
     * Spins for work until a moment of the threads' clock; false if none has come.
     *
     * The client may be on this machine and wait for the processor that this thread keeps busy. Linux lets it move to
     * another one when that one falls idle, but not at once. So each `nudgeMs` the main thread, which sleeps, is woken for
     * nothing: when it sleeps again its processor takes the client.
     */
    spin: (until: number, nudgeMs = defaultNudgeMs) => {
      let nextNudge = now() + nudgeMs;
      while (!hasWork()) {
        const time = now();
        if (time >= nextNudge) {
          nextNudge += nudgeMs;
          Atomics.notify(fields, QueueField.nudge, 1);
        }
        if (time >= until) return false;
      }
      return true;
    },

    /** Sleeps until there is work; at once back where some waits. */
    park: () => {
      Atomics.store(fields, state, WorkerState.parked);
      // The main thread may have seen it parked meanwhile and woken it: then its notification was lost.
      if (hasWork()) Atomics.store(fields, state, WorkerState.awake);
      else Atomics.wait(fields, state, WorkerState.parked);
    },
  };
}
