import { RequestError } from "../contract/errors.ts";
import { retryAfterSeconds } from "../contract/limits.ts";
import { message } from "../contract/message.ts";
import { now as clock } from "./clock.ts";
import type { SlotSize } from "./slots.ts";
import type { Places, Tenant } from "./tenant.ts";

/**
 * How many requests in large slots may wait, for each worker: 128 batches of 500 take it some 10 ms. A queue that bears
 * bursts of single checks, which cost a thirtieth, would hold batches for a second (bench/NOTES.md, "Why 512 places").
 */
const largePerWorker = 128;

/**
 * Part of the large places that wait which a flood in slots of one size leaves to the other size, rounded down. A choice
 * that no measurement decides: as long as it is above zero, neither size shuts out the other.
 */
const sharedPart = 1 / 4;

/** How long a size keeps its places after it was last asked for: who was refused comes again after half of it. */
export const rememberedMs = 2 * retryAfterSeconds * 1_000;

/**
 * How many reports (usage, metrics) one key may ask for at a time: no worker is needed for them, but they take
 * time of the main thread, up to some milliseconds each.
 */
const maxReports = 8;

/** One error for all refusals of a reason: under overload they must cost next to nothing. */
const serverBusy = new RequestError("server_busy");

/** The error of each reason for a refusal; the reasons are labels of `bankcheck_refused_total`, whose help explains them. */
const errors = {
  queue_full: serverBusy,
  gave_way: serverBusy,
  queue_time: serverBusy,
  key_concurrency: new RequestError("server_busy", { message: message("key_concurrency") }),
  key_rate: new RequestError("server_busy", { message: message("key_rate") }),
  body_memory: serverBusy,
  streams: serverBusy,
  usage_store: new RequestError("server_busy", { message: message("usage_unavailable") }),
};

export type RefusalReason = keyof typeof errors;

const other = { small: "large", large: "small" } as const;

/**
 * Counts accepted requests against the ceiling: `running` ones, of which none may take longer than `timeoutMs`, plus those
 * `waiting` in the queue.
 *
 * A request takes one place, and one in a large slot also one of the large places, of which there are fewer. As long as
 * both sizes are asked for, each leaves places to the other, so that a flood of batches never shuts out single checks, nor
 * they the batches; when only one comes it has all it may have. Places are shared between the keys that ask: where none is
 * left, the key with the most yields one waiting place to a key with fewer. A key alone has all of them.
 *
 * `preempt` makes one of the waiting requests of a tenant yield its place. It returns false where the tenant has none that
 * no worker has begun; what is finished and was not yet settled has left then.
 *
 * Every 503 of the service is decided, counted and raised here.
 */
export function openAdmission(
  { running, waiting, timeoutMs }: Readonly<Record<"running" | "waiting" | "timeoutMs", number>>,
  preempt: (tenant: Tenant, places: Places) => boolean,
  now = clock,
) {
  const maxWaitingCost = running * timeoutMs * 1_000;
  const largeQueue = Math.min(waiting, largePerWorker * running);
  const ceiling = running + waiting;
  const largeCeiling = running + largeQueue;
  /** Of each size, while the other one is asked for too. */
  const contendedCeiling = ceiling - Math.floor(largeQueue * sharedPart);
  const inside: Record<Places, number> = { small: 0, large: 0, all: 0 };
  const askedAt = { small: Number.NEGATIVE_INFINITY, large: Number.NEGATIVE_INFINITY };
  const tenants = new Set<Tenant>();
  const refused = Object.fromEntries(Object.keys(errors).map((reason) => [reason, 0])) as Record<
    RefusalReason,
    number
  >;

  function refuse(reason: RefusalReason): never {
    refused[reason]++;
    throw errors[reason];
  }

  function rejectionReason(size: SlotSize, tenant: Tenant): RefusalReason | undefined {
    const { reachedLimit } = tenant;
    if (reachedLimit !== undefined) return reachedLimit;
    if (tenant.waitingCost > maxWaitingCost) return "queue_time";
    const places = placesTaken(size);
    return places !== undefined && crowdedThan(tenant, places) === undefined ? "queue_full" : undefined;
  }

  /** Throws server_busy unless a request that needs such a slot would be accepted now, before its body is read. */
  function admit(size: SlotSize, tenant: Tenant): void {
    const reason = rejectionReason(size, tenant);
    if (reason === undefined) return;
    // Its client comes again, and finds places that were kept.
    askedAt[size] = now();
    refuse(reason);
  }

  function count(size: SlotSize, tenant: Tenant, requests: 1 | -1): void {
    for (const counts of [inside, tenant.inside]) {
      counts[size] += requests;
      counts.all += requests;
    }
  }

  /**
   * Returns the places of which such a request would need one more than there are; undefined if there is one for it. Those
   * of its size come first: one that is free is one of all, but not the reverse.
   */
  function placesTaken(size: SlotSize): Places | undefined {
    if (size === "large" && inside.large >= largeCeiling) return size;
    const isContended = inside[size] >= contendedCeiling;
    if (isContended && now() - askedAt[other[size]] < rememberedMs) return size;
    return inside.all >= ceiling ? "all" : undefined;
  }

  /** Returns the tenant with the most of these places, if it has at least two more than this one. */
  function crowdedThan(tenant: Tenant, places: Places): Tenant | undefined {
    let crowded: Tenant | undefined;
    for (const one of tenants)
      if (one.inside[places] > (crowded?.inside[places] ?? tenant.inside[places] + 1)) crowded = one;
    return crowded;
  }

  return {
    ceiling,
    largeCeiling,
    refused,
    refuse,
    admit,

    get inside() {
      return inside.all;
    },

    /** The same for work that waits instead of being refused; counts no refusal. */
    accepts: (size: SlotSize, tenant: Tenant) => rejectionReason(size, tenant) === undefined,

    /** Accepts one request; throws server_busy if there is no place for it. */
    enter: (size: SlotSize, tenant: Tenant) => {
      admit(size, tenant);
      askedAt[size] = now();
      const places = placesTaken(size);
      if (places !== undefined) {
        // `admit` has found one.
        if (preempt(crowdedThan(tenant, places)!, places)) refused.gave_way++;
        if (placesTaken(size) !== undefined) refuse("queue_full");
      }
      count(size, tenant, 1);
      tenants.add(tenant);
      tenant.charge(1);
    },

    leave: (size: SlotSize, tenant: Tenant) => {
      count(size, tenant, -1);
      if (tenant.inside.all === 0) tenants.delete(tenant);
    },

    /** Makes a report, which takes none of the places, within the limits of its key; rejects with server_busy beyond them. */
    report: async <T>(tenant: Tenant, make: () => Promise<T>): Promise<T> => {
      const reason = tenant.reports >= maxReports ? "key_concurrency" : tenant.reachedLimit;
      if (reason !== undefined) refuse(reason);
      tenant.reports++;
      tenant.charge(1);
      try {
        return await make();
      } finally {
        // A report from memory takes no time; the limit applies to each turn of the event loop.
        setImmediate(() => tenant.reports--);
      }
    },
  };
}
