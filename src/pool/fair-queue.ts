import type { AcceptedRequest, Tenant } from "./tenant.ts";

/**
 * Queue of requests that serves all tenants alike: by the cost of their tasks, not by their number.
 *
 * Within a tenant it is first in, first out, and newest first while its clients give up. Of several tenants the one that
 * has been served least is next, where one that had nothing waiting begins at what the others have been served: it saves
 * nothing up, and cannot be starved. A tenant alone has all of it.
 */
export class FairQueue {
  /** Tenants with something waiting. */
  readonly #tenants: Tenant[] = [];
  /** Service received by the last served tenant before its turn: one that returns starts from here. */
  #clock = 0;

  /** Queues a request that is not in the queue. */
  push(request: AcceptedRequest): void {
    const { tenant } = request;
    if (tenant.waiting.length === 0) {
      tenant.served = Math.max(tenant.served, this.#clock);
      this.#tenants.push(tenant);
    }
    tenant.waiting.push(request);
    tenant.waitingCost += request.expected;
  }

  /**
   * Takes the next request whose task is expected to cost less than `maxCost`, in microseconds; undefined if none is.
   *
   * Without a bound it takes constant time for one tenant; with one it looks past the dear tasks that wait.
   */
  take(maxCost = Number.POSITIVE_INFINITY): AcceptedRequest | undefined {
    const isCheap = ({ expected }: AcceptedRequest) => expected < maxCost;
    let next: AcceptedRequest | undefined;
    for (const tenant of this.#tenants) {
      if (next !== undefined && tenant.served >= next.tenant.served) continue;
      const { waiting, isNewestFirst } = tenant;
      next = (isNewestFirst ? waiting.findLast(isCheap) : waiting.find(isCheap)) ?? next;
    }
    if (next === undefined) return undefined;
    const { tenant } = next;
    this.#clock = tenant.served;
    if (tenant.leftInRounds > 0) tenant.leftInRounds--;
    tenant.served += next.expected;
    this.remove(next);
    return next;
  }

  /** Takes a request out of the queue. */
  remove(request: AcceptedRequest): void {
    const { tenant } = request;
    const { waiting } = tenant;
    if (waiting[0] === request) waiting.shift();
    else waiting.splice(waiting.lastIndexOf(request), 1);
    tenant.waitingCost -= request.expected;
    if (waiting.length > 0) return;
    tenant.waitingCost = 0;
    this.#tenants.splice(this.#tenants.indexOf(tenant), 1);
  }
}
