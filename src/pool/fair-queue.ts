import type { Slot } from "./slots.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Queue of requests that serves all tenants alike: by the cost of their tasks, not by their number.
 *
 * Within a tenant it is first in, first out, and newest first while its clients give up. Of several tenants the one that
 * has been served least is next, where one that had nothing waiting begins at what the others have been served: it saves
 * nothing up, and cannot be starved. A tenant alone has all of it.
 */
export class FairQueue {
  /** Of each tenant that has any: its requests in order of arrival. */
  readonly #waiting = new Map<Tenant, Slot[]>();
  /** Service received by the last served tenant before its turn: one that returns starts from here. */
  #clock = 0;

  push(slot: Slot): void {
    const { tenant } = slot;
    const waiting = this.#waiting.get(tenant);
    if (waiting === undefined) {
      tenant.served = Math.max(tenant.served, this.#clock);
      this.#waiting.set(tenant, [slot]);
    } else waiting.push(slot);
    tenant.waitingCost += slot.expectedCost;
  }

  /** Takes the next request whose task is expected to cost less than `maxCost`, in microseconds; undefined if none is. */
  take(maxCost = Number.POSITIVE_INFINITY): Slot | undefined {
    const isCheap = ({ expectedCost }: Slot) => expectedCost < maxCost;
    let next: Slot | undefined;
    for (const [{ served, isNewestFirst }, waiting] of this.#waiting)
      if (next === undefined || served < next.tenant.served)
        next = (isNewestFirst ? waiting.findLast(isCheap) : waiting.find(isCheap)) ?? next;
    if (next === undefined) return undefined;
    const { tenant } = next;
    this.#clock = tenant.served;
    if (tenant.leftInRounds > 0) tenant.leftInRounds--;
    tenant.served += next.expectedCost;
    this.remove(next);
    return next;
  }

  remove(slot: Slot): void {
    const { tenant } = slot;
    const waiting = this.#waiting.get(tenant)!;
    if (waiting[0] === slot) waiting.shift();
    else waiting.splice(waiting.lastIndexOf(slot), 1);
    tenant.waitingCost -= slot.expectedCost;
    if (waiting.length > 0) return;
    tenant.waitingCost = 0;
    this.#waiting.delete(tenant);
  }
}
