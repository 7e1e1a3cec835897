import { tickMs } from "./ticks.ts";

const msPerSecond = 1_000;
/** Parts of a second in which charges are counted. A charge counts for a second and at most a part more. */
const parts = msPerSecond / tickMs;
const kept = parts + 1;

/**
 * What a limit of checks per second leaves. No second has more than the limit, except by its last request, which may be a
 * batch of any size: its excess is waited for afterwards.
 */
export class RateAllowance {
  /** Checks that the average leaves, below zero after a large batch; at most those of a second. */
  #left = Number.POSITIVE_INFINITY;
  /** The checks of each part of the last second, and the number of the newest part. */
  readonly #charged = new Float64Array(kept);
  #part = parts;
  #chargedAt = 0;

  /** Whether nothing may be done at `now`, in milliseconds that never go back. */
  isSpent(perSecond: number, now: number): boolean {
    return this.#leftAt(perSecond, now) < 1 || this.#chargedSince(now) >= Math.max(1, perSecond);
  }

  /** Charges checks. */
  charge(checks: number, perSecond: number, now: number): void {
    const left = this.#leftAt(perSecond, now);
    const part = partOf(now);
    for (let past = Math.max(this.#part + 1, part - parts); past <= part; past++) {
      this.#charged[past % kept] = 0;
    }
    this.#charged[part % kept]! += checks;
    [this.#left, this.#part, this.#chargedAt] = [left - checks, part, now];
  }

  /** Charges one check unless nothing may be done; returns whether it was. */
  take(perSecond: number, now: number): boolean {
    if (this.isSpent(perSecond, now)) return false;
    this.charge(1, perSecond, now);
    return true;
  }

  #leftAt(perSecond: number, now: number): number {
    const gained = ((now - this.#chargedAt) / msPerSecond) * perSecond;
    return Math.min(this.#left + gained, Math.max(1, perSecond));
  }

  #chargedSince(now: number): number {
    const oldest = partOf(now) - parts;
    let sum = 0;
    for (let part = Math.max(oldest, this.#part - parts); part <= this.#part; part++) {
      sum += this.#charged[part % kept]!;
    }
    return sum;
  }
}

function partOf(now: number): number {
  return Math.floor(now / tickMs) + kept;
}
