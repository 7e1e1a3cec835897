const none = -1;

/** Whoever shares the queue with others: one for each API key. */
export class QueueShare {
  /** Slot numbers: the one that waits longest, and the one that came last. */
  first = none;
  last = none;
  /** What this share has been served, on the queue's clock: the one with the least is next. */
  served = 0;
}

/**
 * Queue of slot numbers that serves everybody who has something in it alike: by what the tasks cost, not by their number.
 *
 * Within a share it is first in, first out. Of several shares the one that has been served least is next, where a share
 * that had nothing waiting begins at what the others have been served: it saves nothing up, and cannot be starved. A
 * share alone has all of it.
 */
export class FairQueue {
  readonly #costs: Float64Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** Shares with something waiting. */
  readonly #waiting: QueueShare[] = [];
  #length = 0;
  /** What the share that was served last had been served before: where one that comes back begins. */
  #clock = 0;

  /** `costs` has what the task in each slot is expected to cost, by slot number. */
  constructor(costs: Float64Array) {
    this.#costs = costs;
    this.#next = new Int32Array(costs.length).fill(none);
    this.#previous = new Int32Array(costs.length).fill(none);
  }

  /** How many slots wait. */
  get length(): number {
    return this.#length;
  }

  /** Queues a slot that is not in the queue. */
  push(share: QueueShare, slotNumber: number): void {
    this.#length++;
    this.#previous[slotNumber] = share.last;
    this.#next[slotNumber] = none;
    if (share.last === none) {
      share.first = slotNumber;
      share.served = Math.max(share.served, this.#clock);
      this.#waiting.push(share);
    } else this.#next[share.last] = slotNumber;
    share.last = slotNumber;
  }

  /** Takes the next slot; the queue must not be empty. */
  take(): number {
    const share = this.#nextShare;
    const slotNumber = share.first;
    this.#clock = share.served;
    share.served += this.#costs[slotNumber]!;
    this.remove(share, slotNumber);
    return slotNumber;
  }

  /** Takes a slot of a share out of the queue. */
  remove(share: QueueShare, slotNumber: number): void {
    const next = this.#next[slotNumber]!;
    const previous = this.#previous[slotNumber]!;
    if (previous === none) share.first = next;
    else this.#next[previous] = next;
    if (next === none) share.last = previous;
    else this.#previous[next] = previous;
    this.#length--;
    if (share.first !== none) return;
    if (this.#waiting.length === 1) this.#waiting.pop();
    else this.#waiting.splice(this.#waiting.indexOf(share), 1);
  }

  get #nextShare(): QueueShare {
    const waiting = this.#waiting;
    let least = waiting[0]!;
    for (let index = 1; index < waiting.length; index++) {
      if (waiting[index]!.served < least.served) least = waiting[index]!;
    }
    return least;
  }
}
