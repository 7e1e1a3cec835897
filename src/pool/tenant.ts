import type { KeyLimits } from "../keys/key-table.ts";
import { now as clock } from "./clock.ts";
import { RateAllowance } from "./rate-allowance.ts";
import type { Slot, SlotSize } from "./slots.ts";

/** The party that requests are accounted to: the holder of an API key. */
export interface TenantOwner {
  /** May be replaced at any time; applies from the next request on. */
  readonly limits?: KeyLimits | undefined;
}

/** Which requests inside a limit counts: those in slots of a size, or all. */
export type Places = SlotSize | "all";

/** How many of the requests inside a limit counts. */
export function countOf(inside: Readonly<Record<SlotSize, number>>, places: Places): number {
  return places === "all" ? inside.small + inside.large : inside[places];
}

/**
 * Tasks of a key in a round that is begun when one of its clients gives up: the oldest, and the others newest first. So
 * at most a sixteenth of the work is in vain, and none that is patient is starved.
 */
const roundOfNewest = 16;

/** One key in the pool: its place in the queue, what it has inside, and what its limits leave. */
export class Tenant {
  /** Its requests in the queue, in order of arrival. */
  readonly waiting: AcceptedRequest[] = [];
  /** Expected cost of their tasks, in microseconds. */
  waitingCost = 0;
  /** Service received so far, on the queue's clock: the tenant with the least is next. */
  served = 0;
  /** Tasks of the present round and the next one that are still to be taken. */
  leftInRounds = 0;
  /** How many accepted requests are inside. */
  readonly inside = { small: 0, large: 0 };
  /** Reports in progress. */
  reports = 0;
  readonly #owner: TenantOwner;
  readonly #now: () => number;
  readonly #allowance = new RateAllowance();

  /** `now` returns milliseconds that never go back; only asked for an owner with a limit per second. */
  constructor(owner: TenantOwner, now: () => number = clock) {
    this.#owner = owner;
    this.#now = now;
  }

  /** Whether the task that came last is next. */
  get isNewestFirst(): boolean {
    return this.leftInRounds % roundOfNewest > 0;
  }

  /**
   * Records that a client gave up on a task that waited. Others of the key have waited about as long: where clients give
   * up sooner than the queue is served, in order of arrival nearly each one begun would be in vain.
   */
  abandoned(): void {
    this.leftInRounds = roundOfNewest + (this.leftInRounds % roundOfNewest);
  }

  /** Whether as many requests are inside as the key may have. */
  get atConcurrencyLimit(): boolean {
    const { limits } = this.#owner;
    return (
      limits?.maxConcurrent !== undefined &&
      countOf(this.inside, "all") + this.reports >= limits.maxConcurrent
    );
  }

  /** Whether the key has done all the checks that it may do by now. */
  get isRateLimited(): boolean {
    const perSecond = this.#owner.limits?.maxPerSecond;
    return perSecond !== undefined && this.#allowance.isSpent(perSecond, this.#now());
  }

  /** Charges checks against what the key may do. */
  charge(checks: number): void {
    const perSecond = this.#owner.limits?.maxPerSecond;
    if (perSecond !== undefined) this.#allowance.charge(checks, perSecond, this.#now());
  }
}

/**
 * The outcome of an accepted request: its answer or error is in its slot; its task threw, or ended its worker thread; no
 * worker was there to begin it; it ran too long; it was refused after all, because it waited too long, yielded its place
 * to another key, or its client closed the connection before a worker began it.
 */
export type RequestOutcome = "answered" | "threw" | "crashed" | "unbegun" | "late" | "refused";

export type RequestDone = (slot: Slot, outcome: RequestOutcome) => void;

/** What the main thread knows of the request in a slot: one object for each slot, which is used again. */
export class AcceptedRequest {
  readonly slot: Slot;
  /** Its number in the order of acceptance, from 1. */
  number = 0;
  tenant!: Tenant;
  /** Absent once it was called: after a late answer its task may still come back. */
  done: RequestDone | undefined;
  /** The tick in which it came; 0 while the slot is free. */
  since = 0;
  /** Expected cost of its task, in microseconds. */
  expected = 0;

  constructor(slot: Slot) {
    this.slot = slot;
  }
}
