import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { type Counted, largeQueueOf, Occupancy, type RequestWeight } from "./occupancy.ts";
import type { SlotSize } from "./slots.ts";
import type { Tenant } from "./tenant.ts";

/** Part of the large places that wait which a flood of one weight leaves to the other, rounded down. */
const sharedPart = 1 / 4;

/** How long a weight keeps its places after it was last asked for: longer than `Retry-After` says to wait. */
export const rememberedMs = 5_000;

/** How many reports (usage, metrics) one key may ask for at a time: no worker is needed for them, but they take time. */
const maxReports = 8;

/** Why a request is refused with server_busy; labels of `bankcheck_refused_total`. */
export const refusalReasons = [
  /** The ceiling is reached, or what it leaves to requests of this weight. */
  "queue_full",
  /** It waited, and yielded its place to a key that had fewer. */
  "gave_way",
  /** What its key has waiting already takes longer than a request may, or it waited that long. */
  "queue_time",
  /** The key has as many requests inside as it may have. */
  "key_concurrency",
  /** The key has done as many checks as it may do by now. */
  "key_rate",
  /** No memory is left for unfinished bodies. */
  "body_memory",
  /** As many streams are open as may be. */
  "streams",
  /** The usage store does not answer, and the usage was never read. */
  "usage_store",
] as const;

/** A value of refusalReasons. */
export type RefusalReason = (typeof refusalReasons)[number];

/** One error for all refusals of a reason: under overload they must cost next to nothing. */
const serverBusy = new RequestError("server_busy");
const errors: Readonly<Record<RefusalReason, RequestError>> = {
  queue_full: serverBusy,
  gave_way: serverBusy,
  queue_time: serverBusy,
  key_concurrency: new RequestError("server_busy", { message: message("key_concurrency") }),
  key_rate: new RequestError("server_busy", { message: message("key_rate") }),
  body_memory: serverBusy,
  streams: serverBusy,
  usage_store: new RequestError("server_busy", { message: message("usage_unavailable") }),
};

const microsecondsPerMs = 1_000;

const other = { light: "heavy", heavy: "light" } as const;

/**
 * Makes one of the waiting requests of a tenant yield its place. False where the tenant has none that no worker has
 * begun; what is finished and was not yet settled has left then.
 */
export type Preempt = (tenant: Tenant, counted: Counted) => boolean;

/** Options of an admission. */
export interface AdmissionOptions {
  /** Requests that may run at a time, and those that may wait in addition. */
  readonly running: number;
  readonly waiting: number;
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns milliseconds that never go back; it may be coarse. */
  readonly now: () => number;
  readonly preempt: Preempt;
}

/** A limit of the requests inside; a contended one applies while requests of the other weight come, too. */
interface Limit {
  readonly counted: Counted;
  readonly max: number;
  readonly isContended?: true;
}

/**
 * Counts accepted requests against the ceiling: `running` ones plus those `waiting` in the queue.
 *
 * A request takes one place, and one in a large slot also one of the large places, of which there are fewer. As long as
 * requests of both weights come, each weight leaves a quarter of the large places that wait to the other, so that a flood
 * of batches never shuts out single checks, nor they the batches; when only one comes it has the whole ceiling. Places
 * are shared between the keys that ask: where none is left, the key with the most yields one waiting place to a key
 * with fewer. A key alone has all of them.
 *
 * Every 503 of the service is decided, counted and raised here.
 */
export class Admission {
  /** Maximum number of requests inside: pool size plus queue. */
  readonly ceiling: number;
  /** How many of them may be in large slots. */
  readonly largeCeiling: number;
  readonly #limits: Readonly<Record<RequestWeight, readonly Limit[]>>;
  readonly #maxWaitingCost: number;
  readonly #now: () => number;
  readonly #preempt: Preempt;
  readonly #inside = new Occupancy();
  /** Tenants with something inside. */
  readonly #tenants = new Set<Tenant>();
  readonly #refused = Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<
    RefusalReason,
    number
  >;
  readonly #askedAt = { light: Number.NEGATIVE_INFINITY, heavy: Number.NEGATIVE_INFINITY };

  constructor({ running, waiting, timeoutMs, now, preempt }: AdmissionOptions) {
    this.#maxWaitingCost = running * timeoutMs * microsecondsPerMs;
    const largeQueue = largeQueueOf(running, waiting);
    this.ceiling = running + waiting;
    this.largeCeiling = running + largeQueue;
    const { ceiling, largeCeiling } = this;
    const kept = Math.floor(largeQueue * sharedPart);
    const limitsOf = (weight: RequestWeight): readonly Limit[] => [
      { counted: { weight }, max: ceiling - kept, isContended: true },
      { counted: {}, max: ceiling },
      { counted: { weight, isLarge: true }, max: largeCeiling - kept, isContended: true },
      { counted: { isLarge: true }, max: largeCeiling },
    ];
    this.#limits = { light: limitsOf("light"), heavy: limitsOf("heavy") };
    this.#now = now;
    this.#preempt = preempt;
  }

  /** How many accepted requests are inside. */
  get inside(): number {
    return this.#inside.total;
  }

  /** How many requests were refused, by reason. */
  get refused(): Readonly<Record<RefusalReason, number>> {
    return this.#refused;
  }

  /**
   * Throws server_busy unless a request of this weight would be accepted now; takes no place. Before its body is read a
   * light request is taken to need a small slot.
   *
   * A request that asks for a place keeps some for its weight for a while, whether it is refused or not.
   */
  admit(weight: RequestWeight, tenant: Tenant, size: SlotSize = sizeOf[weight]): void {
    this.#askedAt[weight] = this.#now();
    const reason = this.#rejectionReason(weight, tenant, size);
    if (reason !== undefined) this.refuse(reason);
  }

  /** Whether a request of this weight would be accepted now; takes no place and counts no refusal. */
  accepts(weight: RequestWeight, tenant: Tenant): boolean {
    return this.#rejectionReason(weight, tenant, sizeOf[weight]) === undefined;
  }

  #rejectionReason(weight: RequestWeight, tenant: Tenant, size: SlotSize): RefusalReason | undefined {
    if (tenant.atConcurrencyLimit) return "key_concurrency";
    if (tenant.isRateLimited) return "key_rate";
    if (tenant.waitingCost > this.#maxWaitingCost) return "queue_time";
    const limit = this.#limitReached(weight, size);
    return limit !== undefined && this.#crowdedThan(tenant, limit) === undefined ? "queue_full" : undefined;
  }

  /** Accepts one request; throws server_busy if there is no place for it. */
  enter(weight: RequestWeight, tenant: Tenant, size: SlotSize): void {
    this.admit(weight, tenant, size);
    const limit = this.#limitReached(weight, size);
    if (limit !== undefined) this.#makeRoom(tenant, limit);
    if (limit !== undefined && this.#limitReached(weight, size) !== undefined) this.refuse("queue_full");
    this.#inside.add(weight, size);
    tenant.inside.add(weight, size);
    if (tenant.inside.total === 1) this.#tenants.add(tenant);
    tenant.charge(1);
  }

  /**
   * Accepts a request for a report, within the limits of its key; throws server_busy beyond them. Takes none of the
   * places. The caller ends it by `leaveReport`.
   */
  enterReport(tenant: Tenant): void {
    if (tenant.atConcurrencyLimit || tenant.reports >= maxReports) this.refuse("key_concurrency");
    if (tenant.isRateLimited) this.refuse("key_rate");
    tenant.reports++;
    tenant.charge(1);
  }

  /** Records that a report was answered. */
  leaveReport(tenant: Tenant): void {
    tenant.reports--;
  }

  /** Counts a refusal and throws server_busy. */
  refuse(reason: RefusalReason): never {
    this.recordRefusal(reason);
    throw errors[reason];
  }

  /** Counts a refusal. */
  recordRefusal(reason: RefusalReason): void {
    this.#refused[reason]++;
  }

  /** Records that an accepted request has left. */
  leave(weight: RequestWeight, tenant: Tenant, size: SlotSize): void {
    this.#inside.remove(weight, size);
    tenant.inside.remove(weight, size);
    if (tenant.inside.total === 0) this.#tenants.delete(tenant);
  }

  /** Returns what a limit counts that such a request would exceed; undefined if there is a place for it. */
  #limitReached(weight: RequestWeight, size: SlotSize): Counted | undefined {
    const isOtherAbout = this.#now() - this.#askedAt[other[weight]] < rememberedMs;
    for (const { counted, max, isContended } of this.#limits[weight]) {
      if (isContended && !isOtherAbout) continue;
      if (counted.isLarge && size === "small") continue;
      if (this.#inside.count(counted) >= max) return counted;
    }
    return undefined;
  }

  #makeRoom(tenant: Tenant, limit: Counted): void {
    const crowded = this.#crowdedThan(tenant, limit);
    if (crowded !== undefined && this.#preempt(crowded, limit)) this.recordRefusal("gave_way");
  }

  /** Returns the tenant with the most places, if it has at least two more than this one. */
  #crowdedThan(tenant: Tenant, limit: Counted): Tenant | undefined {
    let crowded: Tenant | undefined;
    let max = tenant.inside.count(limit) + 1;
    for (const one of this.#tenants) {
      const count = one.inside.count(limit);
      if (count <= max) continue;
      crowded = one;
      max = count;
    }
    return crowded;
  }
}

/** The slot that a request is taken to need as long as only its weight is known. */
const sizeOf = { light: "small", heavy: "large" } as const;
