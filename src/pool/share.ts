import type { KeyLimits } from "../keys/key-ring.ts";
import { Places } from "./places.ts";
import { RateAllowance } from "./rate-allowance.ts";

const none = -1;

/** Number of tasks of a key that are taken newest first after one of its clients has given up, all but every eighth. */
const newestAfterAbandoned = 64;
const oldestEvery = 8;

/** A participant in the shared queue: one for each API key. */
export class QueueShare {
  /** Slot numbers: the one that waits longest, and the one that came last. */
  first = none;
  last = none;
  /** Service received so far, on the queue's clock: the share with the least is next. */
  served = 0;
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
 * Queue of slot numbers that serves all shares alike: by the cost of their tasks, not by their number.
 *
 * Within a share it is first in, first out, and newest first while its clients give up. Of several shares the one that has been served least is next, where a share
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
  /** Service received by the last served share before its turn: a share that returns starts from here. */
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

  /**
   * Takes the next slot whose task is expected to cost less than `maxCost`; -1 if none is.
   *
   * Without a bound it takes constant time for one share; with one it looks past the dear tasks that wait.
   */
  take(maxCost = Number.POSITIVE_INFINITY): number {
    let next: QueueShare | undefined;
    let slotNumber = none;
    for (const share of this.#waiting) {
      if (next !== undefined && share.served >= next.served) continue;
      const first = this.#firstBelow(share, maxCost);
      if (first === none) continue;
      next = share;
      slotNumber = first;
    }
    if (next === undefined) return none;
    this.#clock = next.served;
    if (next.newestLeft > 0) next.newestLeft--;
    next.served += this.#costs[slotNumber]!;
    this.remove(next, slotNumber);
    return slotNumber;
  }

  #firstBelow(share: QueueShare, maxCost: number): number {
    const following = share.isNewestFirst ? this.#previous : this.#next;
    let slotNumber = share.isNewestFirst ? share.last : share.first;
    while (slotNumber !== none && this.#costs[slotNumber]! >= maxCost) slotNumber = following[slotNumber]!;
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
}

/** The party that requests are accounted to: the holder of an API key. */
export interface ShareOwner {
  /** May be replaced at any time; applies from the next request on. */
  readonly limits?: KeyLimits | undefined;
}

/** Requests without a key, and those of a command line, share one share. */
export const anybody: ShareOwner = {};

/** One key's share of the pool: its place in the queue, what it has inside, and what its limits leave. */
export class Share extends QueueShare {
  /** Accepted requests that are inside. */
  readonly places = new Places();
  /** Requests for reports, which no worker answers, that are in progress. */
  reports = 0;
  readonly #owner: ShareOwner;
  readonly #now: () => number;
  readonly #allowance = new RateAllowance();

  /** `now` returns milliseconds that never go back; only asked for an owner with a limit per second. */
  constructor(owner: ShareOwner, now: () => number = () => performance.now()) {
    super();
    this.#owner = owner;
    this.#now = now;
  }

  /** Whether as many requests are inside as the key may have. */
  get isCrowded(): boolean {
    const { limits } = this.#owner;
    return limits?.maxConcurrent !== undefined && this.places.total + this.reports >= limits.maxConcurrent;
  }

  /** Whether the key has done all the checks that it may do by now. */
  get isSpent(): boolean {
    const perSecond = this.#owner.limits?.maxPerSecond;
    return perSecond !== undefined && this.#allowance.isSpent(perSecond, this.#now());
  }

  /** Charges checks against what the key may do. */
  spend(checks: number): void {
    const perSecond = this.#owner.limits?.maxPerSecond;
    if (perSecond !== undefined) this.#allowance.charge(checks, perSecond, this.#now());
  }
}

/** The shares of all who have asked, by owner. */
export class Shares {
  readonly #shares = new Map<ShareOwner, Share>();
  #lastOwner: ShareOwner | undefined;
  #lastShare: Share | undefined;

  /** Returns the share of an owner. */
  of(owner: ShareOwner): Share {
    if (owner === this.#lastOwner) return this.#lastShare!;
    const share = this.#shares.get(owner) ?? new Share(owner);
    this.#shares.set(owner, share);
    this.#lastOwner = owner;
    this.#lastShare = share;
    return share;
  }
}
