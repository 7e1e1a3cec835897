import { QueueShare } from "./fair-queue.ts";

/** What one API key may do at most; what is absent has no limit of its own. */
export interface ShareLimits {
  /** Requests inside at a time. */
  readonly maxConcurrent?: number;
  /** Checks per second; an IBAN of a batch is one. A key that was quiet may do those of one second at once. */
  readonly maxPerSecond?: number;
}

/** Whoever requests are accounted to: the holder of an API key. */
export interface ShareOwner {
  /** May be replaced at any time; applies from the next request on. */
  readonly limits?: ShareLimits | undefined;
}

/** Requests without a key, and those of a command line, share one share. */
export const anybody: ShareOwner = {};

const msPerSecond = 1_000;

/** One key's share of the pool: its place in the queue, what it has inside, and what its limits leave. */
export class Share extends QueueShare {
  readonly inside = { light: 0, heavy: 0 };
  readonly #owner: ShareOwner;
  readonly #now: () => number;
  /** Checks that could be done at once when the last were charged; below zero after a batch that was larger. */
  #allowance = 0;
  #chargedAt: number | undefined;

  /** `now` returns milliseconds that never go back; only asked for an owner with a limit per second. */
  constructor(owner: ShareOwner, now: () => number = () => performance.now()) {
    super();
    this.#owner = owner;
    this.#now = now;
  }

  /** How many accepted requests are inside. */
  get total(): number {
    return this.inside.light + this.inside.heavy;
  }

  /** Whether as many requests are inside as the key may have. */
  get isCrowded(): boolean {
    const { limits } = this.#owner;
    return limits?.maxConcurrent !== undefined && this.total >= limits.maxConcurrent;
  }

  /** Whether the key has done all the checks that it may do by now. */
  get isSpent(): boolean {
    const perSecond = this.#owner.limits?.maxPerSecond;
    return perSecond !== undefined && this.#allowanceAt(perSecond, this.#now()) < 1;
  }

  /** Charges checks against what the key may do. */
  spend(checks: number): void {
    const perSecond = this.#owner.limits?.maxPerSecond;
    if (perSecond === undefined) return;
    const now = this.#now();
    this.#allowance = this.#allowanceAt(perSecond, now) - checks;
    this.#chargedAt = now;
  }

  #allowanceAt(perSecond: number, now: number): number {
    const most = Math.max(1, perSecond);
    if (this.#chargedAt === undefined) return most;
    return Math.min(this.#allowance + ((now - this.#chargedAt) / msPerSecond) * perSecond, most);
  }
}
