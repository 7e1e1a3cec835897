import { SlotField, SlotState } from "./slot-layout.ts";
import type { Slot } from "./slot-memory.ts";

/** Sends the numbers of queued slots to a worker; settles when the worker has gone through them or has died. */
export type RunSlots = (slotNumbers: readonly number[]) => Promise<unknown>;

/**
 * What became of a submitted slot: its answer stands there, its task threw, its task ended the worker in its midst, or
 * no worker began it.
 */
export type SlotOutcome = "answered" | "failed" | "crashed" | "unbegun";

/** Told once for each submitted slot, on a later turn than the submission. */
export type SlotDone = (slot: Slot, outcome: SlotOutcome) => void;

/** Runs that may be posted to one worker at a time: one at work and one behind it, so that it never idles. */
export const runsPerWorker = 2;

/** How much work one run may carry: 256 single checks, or some ten batches of 500. */
const runWeight = 256;

/** Input of so many bytes weighs as much as a single check. */
const bytesPerWeight = 512;

/**
 * How many runs for each worker may die one after the other without a slot having been begun, before the slots of such
 * runs fail: workers that never come up are not waited for.
 */
const vainRunsPerWorker = 3;

/** From which weight on work goes to a worker that is still busy with its last run. */
const secondRunWeight = 16;

/** Work below this weight is not divided among free workers: a second message costs more than it gains. */
const dividedWeight = 16;

function weightOf(slot: Slot): number {
  return 1 + Math.floor(slot.get(SlotField.inputLength) / bytesPerWeight);
}

/**
 * Queue between the front end and the workers: slots that wait travel together in few messages.
 *
 * A slot submitted while a worker is free leaves in the same turn of the event loop; those that come while all are
 * busy leave together when one has finished. First in, first out. When a worker dies, only the slot it was working
 * on fails; slots of its runs that it had not begun go back to the head of the queue. Nothing is remembered of a slot
 * that waits but its place: what became of all of them is told to one listener.
 */
export class Dispatcher {
  readonly #run: RunSlots;
  readonly #maxRuns: number;
  readonly #workers: number;
  readonly #done: SlotDone;
  #waiting: Slot[] = [];
  #head = 0;
  #runs = 0;
  /** Runs in succession of which no slot was begun. */
  #vainRuns = 0;
  #waitingWeight = 0;
  #flushPlanned = false;
  #closed = false;

  constructor(run: RunSlots, workers: number, done: SlotDone) {
    this.#run = run;
    this.#done = done;
    this.#workers = workers;
    this.#maxRuns = workers * runsPerWorker;
  }

  /** Queues a filled slot. */
  submit(slot: Slot): void {
    slot.state = SlotState.queued;
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
    for (const slot of waiting) this.#done(slot, "unbegun");
  }

  /**
   * Takes back a slot that no worker has begun; false for one that is begun.
   *
   * It is told as unbegun at once where it still waits here, otherwise when the run that carries it has ended.
   */
  drop(slot: Slot): boolean {
    if (!slot.change(SlotState.queued, SlotState.dropped)) return false;
    const place = this.#waiting.indexOf(slot, this.#head);
    if (place !== -1) {
      this.#waiting.splice(place, 1);
      this.#waitingWeight -= weightOf(slot);
      this.#done(slot, "unbegun");
    }
    return true;
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
    const share = Math.max(this.#waitingWeight / freeWorkers, dividedWeight);
    const group: Slot[] = [];
    let weight = 0;
    while (weight < share && weight < runWeight && this.#head < this.#waiting.length) {
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
    const isVain = group.every(({ state }) => state === SlotState.queued || state === SlotState.dropped);
    this.#vainRuns = isVain ? this.#vainRuns + 1 : 0;
    const mayTryAgain = !this.#closed && this.#vainRuns < vainRunsPerWorker * this.#workers;
    const untouched: Slot[] = [];
    for (const slot of group) {
      const { state } = slot;
      if (state === SlotState.queued && mayTryAgain) untouched.push(slot);
      else this.#done(slot, outcomes[state] ?? "unbegun");
    }
    if (untouched.length > 0) {
      this.#waiting = [...untouched, ...this.#waiting.slice(this.#head)];
      this.#head = 0;
      this.#waitingWeight += untouched.reduce((sum, slot) => sum + weightOf(slot), 0);
    }
  }
}

/** What a slot's state says after its run; a worker that ends in the midst of a task leaves it running. */
const outcomes: Readonly<Partial<Record<SlotState, SlotOutcome>>> = {
  [SlotState.answered]: "answered",
  [SlotState.failed]: "failed",
  [SlotState.running]: "crashed",
};
