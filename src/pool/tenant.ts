import type { KeyHolder } from "../keys/key-table.ts";
import { now as clock } from "./clock.ts";
import { RateAllowance } from "./rate-allowance.ts";

/** The party that requests are accounted to. Its limits may be replaced at any time, and apply from the next request on. */
export type TenantOwner = Readonly<Pick<KeyHolder, "limits">>;

/** Which requests inside a limit counts: those in slots of a size, or all. */
export type Places = "small" | "large" | "all";

/**
 * Tasks of a key in a round that is begun when one of its clients gives up: the oldest, and the others newest first. So
 * at most a sixteenth of the work is in vain, and none that is patient is starved.
 */
const roundOfNewest = 16;

/** One key in the pool: its place in the queue, what it has inside, and what its limits leave. */
export class Tenant {
  /** Expected cost of its tasks in the queue, in microseconds. */
  waitingCost = 0;
  /** Service received so far, on the queue's clock: the tenant with the least is next. */
  served = 0;
  /** Tasks of the present round and the next one that are still to be taken. */
  leftInRounds = 0;
  readonly inside: Record<Places, number> = { small: 0, large: 0, all: 0 };
  reports = 0;
  readonly #owner: TenantOwner;
  readonly #now: () => number;
  readonly #allowance = new RateAllowance();

  /** `now` returns milliseconds that never go back; only asked for an owner with a limit per second. */
  constructor(owner: TenantOwner, now: () => number = clock) {
    this.#owner = owner;
    this.#now = now;
  }

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

  /** Which limit of the key leaves nothing now; undefined if none. */
  get reachedLimit() {
    const { maxConcurrent = Number.POSITIVE_INFINITY, maxPerSecond } = this.#owner.limits ?? {};
    if (this.inside.all + this.reports >= maxConcurrent) return "key_concurrency";
    if (maxPerSecond === undefined || !this.#allowance.isSpent(maxPerSecond, this.#now())) return undefined;
    return "key_rate";
  }

  charge(checks: number): void {
    const perSecond = this.#owner.limits?.maxPerSecond;
    if (perSecond !== undefined) this.#allowance.charge(checks, perSecond, this.#now());
  }
}
