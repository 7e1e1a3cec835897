import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { type Counted, largeQueueOf, Places, type RequestWeight } from "./places.ts";
import type { Share } from "./share.ts";
import type { SlotSize } from "./slots.ts";

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
  key_concurrency: new RequestError("server_busy", { message: message("key_concurrency") }),
  key_rate: new RequestError("server_busy", { message: message("key_rate") }),
  body_memory: serverBusy,
  streams: serverBusy,
  usage_store: new RequestError("server_busy", { message: message("usage_unavailable") }),
};

const other = { light: "heavy", heavy: "light" } as const;

/**
 * Makes one of the waiting requests of a share yield its place. False where the share has none that no worker has
 * begun; what is finished and was not yet settled has left then.
 */
export type GiveWay = (share: Share, counted: Counted) => boolean;

const all: Counted = {};
const large: Counted = { isLarge: true };
const ofWeight = { light: { weight: "light" }, heavy: { weight: "heavy" } } as const;
const largeOfWeight = {
  light: { weight: "light", isLarge: true },
  heavy: { weight: "heavy", isLarge: true },
} as const;

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
  readonly #kept: number;
  readonly #now: () => number;
  readonly #giveWay: GiveWay;
  readonly #places = new Places();
  /** Shares with something inside. */
  readonly #shares = new Set<Share>();
  readonly #refused = Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<
    RefusalReason,
    number
  >;
  readonly #askedAt = { light: Number.NEGATIVE_INFINITY, heavy: Number.NEGATIVE_INFINITY };

  /** `now` returns milliseconds that never go back; it may be coarse. */
  constructor(running: number, waiting: number, now: () => number, giveWay: GiveWay) {
    const largeQueue = largeQueueOf(running, waiting);
    this.ceiling = running + waiting;
    this.largeCeiling = running + largeQueue;
    this.#kept = Math.floor(largeQueue * sharedPart);
    this.#now = now;
    this.#giveWay = giveWay;
  }

  /** How many accepted requests are inside. */
  get inside(): number {
    return this.#places.total;
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
  admit(weight: RequestWeight, share: Share, size: SlotSize = sizeOf[weight]): void {
    this.#askedAt[weight] = this.#now();
    const reason = this.#rejectionReason(weight, share, size);
    if (reason !== undefined) this.refuse(reason);
  }

  /** Whether a request of this weight would be accepted now; takes no place and counts no refusal. */
  accepts(weight: RequestWeight, share: Share): boolean {
    return this.#rejectionReason(weight, share, sizeOf[weight]) === undefined;
  }

  #rejectionReason(weight: RequestWeight, share: Share, size: SlotSize): RefusalReason | undefined {
    if (share.isCrowded) return "key_concurrency";
    if (share.isSpent) return "key_rate";
    const limit = this.#limitReached(weight, size);
    return limit !== undefined && this.#crowdedThan(share, limit) === undefined ? "queue_full" : undefined;
  }

  /** Accepts one request; throws server_busy if there is no place for it. */
  enter(weight: RequestWeight, share: Share, size: SlotSize): void {
    this.admit(weight, share, size);
    const limit = this.#limitReached(weight, size);
    if (limit !== undefined) this.#makeRoom(share, limit);
    if (limit !== undefined && this.#limitReached(weight, size) !== undefined) this.refuse("queue_full");
    this.#places.add(weight, size);
    share.places.add(weight, size);
    if (share.places.total === 1) this.#shares.add(share);
    share.spend(1);
  }

  /**
   * Accepts a request for a report, within the limits of its key; throws server_busy beyond them. Takes none of the
   * places. The caller ends it by `leaveReport`.
   */
  enterReport(share: Share): void {
    if (share.isCrowded || share.reports >= maxReports) this.refuse("key_concurrency");
    if (share.isSpent) this.refuse("key_rate");
    share.reports++;
    share.spend(1);
  }

  /** Records that a report was answered. */
  leaveReport(share: Share): void {
    share.reports--;
  }

  /** Counts a refusal and throws server_busy. */
  refuse(reason: RefusalReason): never {
    this.#refused[reason]++;
    throw errors[reason];
  }

  /** Records that an accepted request has left. */
  leave(weight: RequestWeight, share: Share, size: SlotSize): void {
    this.#places.remove(weight, size);
    share.places.remove(weight, size);
    if (share.places.total === 0) this.#shares.delete(share);
  }

  /** The limit that leaves no place for such a request; undefined if there is one. */
  #limitReached(weight: RequestWeight, size: SlotSize): Counted | undefined {
    const places = this.#places;
    const isOtherAbout = this.#now() - this.#askedAt[other[weight]] < rememberedMs;
    const kept = isOtherAbout ? this.#kept : 0;
    if (isOtherAbout && places.of(weight) >= this.ceiling - kept) return ofWeight[weight];
    if (places.total >= this.ceiling) return all;
    if (size === "small") return undefined;
    if (isOtherAbout && places.largeOf(weight) >= this.largeCeiling - kept) return largeOfWeight[weight];
    return places.large >= this.largeCeiling ? large : undefined;
  }

  #makeRoom(share: Share, limit: Counted): void {
    const crowded = this.#crowdedThan(share, limit);
    if (crowded !== undefined && this.#giveWay(crowded, limit)) this.#refused.gave_way++;
  }

  /** The share with the most places, if it still has no fewer than this one when one has changed hands. */
  #crowdedThan(share: Share, limit: Counted): Share | undefined {
    let crowded: Share | undefined;
    let max = share.places.count(limit) + 1;
    for (const one of this.#shares) {
      const count = one.places.count(limit);
      if (count <= max) continue;
      crowded = one;
      max = count;
    }
    return crowded;
  }
}

/** The slot that a request is taken to need as long as only its weight is known. */
const sizeOf = { light: "small", heavy: "large" } as const;
