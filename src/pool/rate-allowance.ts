import { tickMs } from "./ticks.ts";

const msPerSecond = 1_000;

/**
 * What a limit of checks per second leaves. No second has more than the limit, except by its last request, which may be a
 * batch of any size: its excess is waited for afterwards.
 */
export class RateAllowance {
  /** The checks of the last second by the tick in which they were charged: they count for a second and at most a tick more. */
  readonly #charged = new Map<number, number>();
  /** Until when the limit pays for the charged checks; a quiet time saves up those of one second. */
  #usedUntil = Number.NEGATIVE_INFINITY;

  /** Whether nothing may be done at `now`, in milliseconds that never go back. */
  isSpent(perSecond: number, now: number): boolean {
    return now <= this.#usedUntil || this.#chargedSince(now - msPerSecond) >= perSecond;
  }

  charge(checks: number, perSecond: number, now: number): void {
    const tick = Math.floor(now / tickMs);
    this.#charged.set(tick, (this.#charged.get(tick) ?? 0) + checks);
    this.#usedUntil = Math.max(this.#usedUntil, now - msPerSecond) + (checks / perSecond) * msPerSecond;
  }

  /** Charges one check unless nothing may be done; returns whether it was. */
  take(perSecond: number, now: number): boolean {
    if (this.isSpent(perSecond, now)) return false;
    this.charge(1, perSecond, now);
    return true;
  }

  #chargedSince(begin: number): number {
    const oldest = Math.floor(begin / tickMs);
    let sum = 0;
    for (const [tick, checks] of this.#charged) {
      if (tick < oldest) this.#charged.delete(tick);
      else sum += checks;
    }
    return sum;
  }
}
