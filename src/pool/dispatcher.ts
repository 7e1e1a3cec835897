import { SlotField, SlotState } from "./slot-layout.ts";
import type { Slot } from "./slot-memory.ts";
import { TaskKind } from "./tasks.ts";

/** Sends the numbers of queued slots to a worker; settles when the worker has gone through them or has died. */
export type RunSlots = (slotNumbers: readonly number[]) => Promise<unknown>;

/** Told once for each submitted slot: its answer stands in the slot when `answered`, otherwise the check failed. */
export type SlotDone = (slot: Slot, answered: boolean) => void;

/** Runs that may be posted to one worker at a time: one at work and one behind it, so that it never idles. */
export const runsPerWorker = 2;

/** How much work one run may carry: a batch weighs as much as sixteen single checks. */
const runWeight = 256;
const batchWeight = 16;

/**
 * How many runs for each worker may die one after the other without a slot having been begun, before the slots of such
 * runs fail: workers that never come up are not waited for.
 */
const vainRunsPerWorker = 3;

/** From which weight on work goes to a worker that is still busy with its last run. */
const secondRunWeight = 16;

function weightOf(slot: Slot): number {
  const kind = slot.get(SlotField.kind);
  return kind === TaskKind.batch || kind === TaskKind.rawBatch ? batchWeight : 1;
}

/**
 * Queue between the front end and the workers: slots that wait travel together in few messages.
 *
 * A slot submitted while a worker is free leaves in the same turn of the event loop; those that come while all are
 * busy leave together when one has finished. First in, first out. When a worker dies, only the slot it was working
 * on fails; slots of its runs that it had not begun go back to the head of the queue.
 */
export class Dispatcher {
  readonly #run: RunSlots;
  readonly #maxRuns: number;
  readonly #workers: number;
  readonly #done = new Map<Slot, SlotDone>();
  #waiting: Slot[] = [];
  #head = 0;
  #runs = 0;
  /** Runs in succession of which no slot was begun. */
  #vainRuns = 0;
  #waitingWeight = 0;
  #flushPlanned = false;
  #closed = false;

  constructor(run: RunSlots, workers: number) {
    this.#run = run;
    this.#workers = workers;
    this.#maxRuns = workers * runsPerWorker;
  }

  /** Queues a filled slot; `done` is told once, never within this call. */
  submit(slot: Slot, done: SlotDone): void {
    slot.state = SlotState.queued;
    this.#done.set(slot, done);
    this.#waiting.push(slot);
    this.#waitingWeight += weightOf(slot);
    this.#planFlush();
  }

  /** How many slots wait to be sent. */
  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** Fails all that waits, and from now on all whose worker ends; call it before the workers are ended. */
  close(): void {
    this.#closed = true;
    const waiting = this.#waiting.slice(this.#head);
    this.#waiting = [];
    this.#head = 0;
    this.#waitingWeight = 0;
    for (const slot of waiting) this.#finish(slot, false);
  }

  #planFlush(): void {
    if (this.#flushPlanned || !this.#maySend) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.waiting > 0 && this.#maySend) this.#send(this.#nextGroup());
  }

  /** A run behind one that is at work only pays when it carries much; little work had better wait and grow. */
  get #maySend(): boolean {
    if (this.#runs < this.#workers) return true;
    return this.#runs < this.#maxRuns && this.#waitingWeight >= secondRunWeight;
  }

  /** Takes the slots of the next run: an equal share for each worker that is free, within the weight of one run. */
  #nextGroup(): Slot[] {
    const freeWorkers = Math.max(1, this.#workers - this.#runs);
    const share = Math.ceil(this.waiting / freeWorkers);
    const group: Slot[] = [];
    let weight = 0;
    while (group.length < share && weight < runWeight) {
      const slot = this.#waiting[this.#head++]!;
      group.push(slot);
      weight += weightOf(slot);
    }
    this.#waitingWeight -= weight;
    if (this.#head === this.#waiting.length) {
      this.#waiting = [];
      this.#head = 0;
    }
    return group;
  }

  #send(group: readonly Slot[]): void {
    this.#runs++;
    this.#run(group.map((slot) => slot.number)).then(
      () => {
        this.#settle(group);
        this.#flush();
      },
      () => {
        this.#settle(group);
        // On a later turn, or a pool that refuses every run at once would never let go of the event loop.
        this.#planFlush();
      },
    );
  }

  #settle(group: readonly Slot[]): void {
    this.#runs--;
    const isVain = group.every((slot) => slot.state === SlotState.queued);
    this.#vainRuns = isVain ? this.#vainRuns + 1 : 0;
    const mayTryAgain = !this.#closed && this.#vainRuns < vainRunsPerWorker * this.#workers;
    const untouched: Slot[] = [];
    for (const slot of group) {
      const { state } = slot;
      if (state === SlotState.queued && mayTryAgain) untouched.push(slot);
      else this.#finish(slot, state === SlotState.answered);
    }
    if (untouched.length > 0) {
      this.#waiting = [...untouched, ...this.#waiting.slice(this.#head)];
      this.#head = 0;
      this.#waitingWeight += untouched.reduce((sum, slot) => sum + weightOf(slot), 0);
    }
  }

  #finish(slot: Slot, answered: boolean): void {
    const done = this.#done.get(slot);
    this.#done.delete(slot);
    done?.(slot, answered);
  }
}
