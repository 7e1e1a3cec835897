import type { KeyLimits } from "../keys/key-ring.ts";
import { FlowQueue } from "./fair-queue.ts";
import { Occupancy } from "./occupancy.ts";
import { RateAllowance } from "./rate-allowance.ts";

/** The party that requests are accounted to: the holder of an API key. */
export interface TenantOwner {
  /** May be replaced at any time; applies from the next request on. */
  readonly limits?: KeyLimits | undefined;
}

/** Requests without a key, and those of a command line, are one tenant. */
export const anybody: TenantOwner = {};

/** One key in the pool: its place in the queue, what it has inside, and what its limits leave. */
export class Tenant extends FlowQueue {
  /** Accepted requests that are inside. */
  readonly inside = new Occupancy();
  /** Requests for reports, which no worker answers, that are in progress. */
  reports = 0;
  readonly #owner: TenantOwner;
  readonly #now: () => number;
  readonly #allowance = new RateAllowance();

  /** `now` returns milliseconds that never go back; only asked for an owner with a limit per second. */
  constructor(owner: TenantOwner, now: () => number = () => performance.now()) {
    super();
    this.#owner = owner;
    this.#now = now;
  }

  /** Whether as many requests are inside as the key may have. */
  get atConcurrencyLimit(): boolean {
    const { limits } = this.#owner;
    return limits?.maxConcurrent !== undefined && this.inside.total + this.reports >= limits.maxConcurrent;
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

/** The tenants of all who have asked, by owner. */
export class Tenants {
  readonly #tenants = new Map<TenantOwner, Tenant>();
  #lastOwner: TenantOwner | undefined;
  #lastTenant: Tenant | undefined;

  /** Returns the tenant of an owner. */
  of(owner: TenantOwner): Tenant {
    if (owner === this.#lastOwner) return this.#lastTenant!;
    const tenant = this.#tenants.get(owner) ?? new Tenant(owner);
    this.#tenants.set(owner, tenant);
    this.#lastOwner = owner;
    this.#lastTenant = tenant;
    return tenant;
  }
}
