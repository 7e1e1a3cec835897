const none = -1;

/** Number of tasks of a key that are taken newest first after one of its clients has given up, all but every eighth. */
const newestAfterAbandoned = 64;
const oldestEvery = 8;

/** A participant in the shared queue: one for each API key. */
export class FlowQueue {
  /** Slot numbers: the one that waits longest, and the one that came last. */
  first = none;
  last = none;
  /** Service received so far, on the queue's clock: the flow with the least is next. */
  served = 0;
  /** Expected cost of its tasks that wait. */
  waitingCost = 0;
  /** Tasks that are still taken newest first. */
  newestLeft = 0;

  /** Whether the task that came last is next. */
  get isNewestFirst(): boolean {
    return this.newestLeft % oldestEvery > 0;
  }

  /**
   * Records that a client gave up on a task that waited. Others of the key have waited about as long: where clients give
   * up sooner than the queue is served, in order of arrival nearly each one begun would be in vain.
   */
  abandoned(): void {
    this.newestLeft = newestAfterAbandoned - 1;
  }
}

/**
 * Queue of slot numbers that serves all flows alike: by the cost of their tasks, not by their number.
 *
 * Within a flow it is first in, first out, and newest first while its clients give up. Of several flows the one that has
 * been served least is next, where a flow that had nothing waiting begins at what the others have been served: it saves
 * nothing up, and cannot be starved. A flow alone has all of it.
 */
export class FairQueue {
  readonly #costs: Float64Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** Flows with something waiting. */
  readonly #waiting: FlowQueue[] = [];
  #length = 0;
  /** Service received by the last served flow before its turn: a flow that returns starts from here. */
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
  push(flow: FlowQueue, slotNumber: number): void {
    this.#length++;
    flow.waitingCost += this.#costs[slotNumber]!;
    this.#previous[slotNumber] = flow.last;
    this.#next[slotNumber] = none;
    if (flow.last === none) {
      flow.first = slotNumber;
      flow.served = Math.max(flow.served, this.#clock);
      this.#waiting.push(flow);
    } else this.#next[flow.last] = slotNumber;
    flow.last = slotNumber;
  }

  /**
   * Takes the next slot whose task is expected to cost less than `maxCost`; -1 if none is.
   *
   * Without a bound it takes constant time for one flow; with one it looks past the dear tasks that wait.
   */
  take(maxCost = Number.POSITIVE_INFINITY): number {
    let next: FlowQueue | undefined;
    let slotNumber = none;
    for (const flow of this.#waiting) {
      if (next !== undefined && flow.served >= next.served) continue;
      const first = this.#firstBelow(flow, maxCost);
      if (first === none) continue;
      next = flow;
      slotNumber = first;
    }
    if (next === undefined) return none;
    this.#clock = next.served;
    if (next.newestLeft > 0) next.newestLeft--;
    next.served += this.#costs[slotNumber]!;
    this.remove(next, slotNumber);
    return slotNumber;
  }

  #firstBelow(flow: FlowQueue, maxCost: number): number {
    const following = flow.isNewestFirst ? this.#previous : this.#next;
    let slotNumber = flow.isNewestFirst ? flow.last : flow.first;
    while (slotNumber !== none && this.#costs[slotNumber]! >= maxCost) slotNumber = following[slotNumber]!;
    return slotNumber;
  }

  /** Takes a slot of a flow out of the queue. */
  remove(flow: FlowQueue, slotNumber: number): void {
    const next = this.#next[slotNumber]!;
    const previous = this.#previous[slotNumber]!;
    if (previous === none) flow.first = next;
    else this.#next[previous] = next;
    if (next === none) flow.last = previous;
    else this.#previous[next] = previous;
    this.#length--;
    flow.waitingCost -= this.#costs[slotNumber]!;
    if (flow.first !== none) return;
    flow.waitingCost = 0;
    if (this.#waiting.length === 1) this.#waiting.pop();
    else this.#waiting.splice(this.#waiting.indexOf(flow), 1);
  }
}
