/**
 * What the main thread and the workers tell each other through memory.
 *
 * One ring holds the numbers of slots that wait: the main thread writes them, every worker takes them. Each worker has a
 * ring of its own for the numbers of slots that it has finished: it writes them, the main thread takes them. Beside the
 * rings stands what each thread is doing, so that nobody wakes a thread that is awake.
 */
export interface SharedRings {
  readonly buffer: SharedArrayBuffer;
  readonly workers: number;
  /** Places of each ring: a power of two above the number of slots. */
  readonly places: number;
}

/** What a worker is doing: `absent` where it is not on shift, `parked` where it sleeps until the main thread wakes it. */
export const WorkerState = { absent: 0, starting: 1, awake: 2, parked: 3 } as const;

/** A value of WorkerState. */
export type WorkerState = (typeof WorkerState)[keyof typeof WorkerState];

/** What the main thread is doing; while asleep it wants to be woken by a worker that has finished a slot. */
export const MainState = { awake: 0, asleep: 1 } as const;

/** Words of a cache line: words that different threads write are on different lines. */
const line = 16;

/** Words that all threads use, as indexes. */
export const RingWord = { head: 0, tail: line, mainState: 2 * line } as const;

/** Words of one worker, relative to `workerWords`. */
export const WorkerWord = { state: 0, thread: 1, hasTaken: line, finishedTail: line + 1 } as const;

const firstWorker = 3 * line;
const wordsOfWorker = 2 * line;
const minPlaces = 64;

/** Makes the rings for a number of workers and slots. */
export function createRings(workers: number, slots: number): SharedRings {
  let places = minPlaces;
  // Twice the slots, since a slot that was taken back leaves its number in the ring until a worker passes it.
  while (places < slots * 2) places *= 2;
  const words = firstWorker + workers * wordsOfWorker + places * (1 + workers);
  return { buffer: new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT), workers, places };
}

/** Index of the first word of a worker. */
export function workerWords(worker: number): number {
  return firstWorker + worker * wordsOfWorker;
}

/** Index of the first entry of the ring of slots that wait. */
export function waitingEntries({ workers }: SharedRings): number {
  return firstWorker + workers * wordsOfWorker;
}

/** Index of the first entry of a worker's ring of finished slots. */
export function finishedEntries(rings: SharedRings, worker: number): number {
  return waitingEntries(rings) + rings.places * (1 + worker);
}
