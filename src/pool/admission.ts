import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import type { Share } from "./share.ts";

/**
 * How much work a request brings along, told before its body is read: one whose body is longer than
 * `lightBodyBytes` is heavy (a batch of some forty IBANs and more), every other one is light.
 */
export type RequestWeight = "light" | "heavy";

/** The longest body of a light request, in bytes. */
export const lightBodyBytes = 1_024;

/** Part of the queue that a flood of one weight leaves to the other, rounded down to whole places. */
const sharedPart = 1 / 4;

/** How long a weight keeps its places after it was last asked for: longer than `Retry-After` tells to wait. */
export const rememberedMs = 5_000;

/** Why a request is refused with server_busy; labels of `bankcheck_refused_total`. */
export const refusalReasons = [
  /** The ceiling is reached, or what it leaves to requests of this weight. */
  "queue_full",
  /** It waited, and gave its place to a key that had fewer. */
  "gave_way",
  /** The key has as many requests inside as it may have. */
  "key_concurrency",
  /** The key has done as many checks as it may do by now. */
  "key_rate",
  /** No memory is left for unfinished bodies. */
  "body_memory",
  /** As many streams are open as may be. */
  "streams",
  /** The usage store does not answer, and what was asked was never read. */
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
 * Makes a waiting request of a share give its place up, of a weight where one is given. False where it has none that no
 * worker has begun; what is finished and was not yet told has left then.
 */
export type GiveWay = (share: Share, weight: RequestWeight | undefined) => boolean;

/**
 * Counts accepted requests against the ceiling: `running` at work plus `waiting` in the queue.
 *
 * A request takes one place, whatever its weight. As long as requests of both weights come, each weight leaves a
 * quarter of the queue to the other, so that a flood of batches never shuts out single checks, nor they the batches;
 * when only one comes it has the whole ceiling. Places are shared between the keys that ask: where none is left, the key
 * with the most gives one of those that wait to a key with fewer. A key alone has all of them.
 *
 * Every 503 of the service is decided, counted and raised here.
 */
export class Admission {
  /** The most requests that may be inside at once: pool size plus queue. */
  readonly ceiling: number;
  readonly #kept: number;
  readonly #now: () => number;
  readonly #giveWay: GiveWay;
  readonly #inside = { light: 0, heavy: 0 };
  /** Shares with something inside. */
  readonly #shares = new Set<Share>();
  readonly #refused = Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<
    RefusalReason,
    number
  >;
  readonly #askedAt = { light: Number.NEGATIVE_INFINITY, heavy: Number.NEGATIVE_INFINITY };

  /** `now` returns milliseconds that never go back; it may be coarse. */
  constructor(running: number, waiting: number, now: () => number, giveWay: GiveWay) {
    this.ceiling = running + waiting;
    this.#kept = Math.floor(waiting * sharedPart);
    this.#now = now;
    this.#giveWay = giveWay;
  }

  /** How many accepted requests are inside. */
  get inside(): number {
    return this.#inside.light + this.#inside.heavy;
  }

  /** How many requests were refused, by reason. */
  get refused(): Readonly<Record<RefusalReason, number>> {
    return this.#refused;
  }

  /**
   * Throws server_busy unless a request of this weight would be accepted now; takes no place.
   *
   * A request that asks for a place keeps some for its weight for a while, whether it is refused or not.
   */
  admit(weight: RequestWeight, share: Share): void {
    this.#askedAt[weight] = this.#now();
    const reason = this.#rejectionReason(weight, share);
    if (reason !== undefined) this.refuse(reason);
  }

  /** Whether a request of this weight would be accepted now; takes no place and counts no refusal. */
  accepts(weight: RequestWeight, share: Share): boolean {
    return this.#rejectionReason(weight, share) === undefined;
  }

  #rejectionReason(weight: RequestWeight, share: Share): RefusalReason | undefined {
    if (share.isCrowded) return "key_concurrency";
    if (share.isSpent) return "key_rate";
    const isFull = this.#isFull(weight) && this.#crowdedThan(share, weight) === undefined;
    return isFull ? "queue_full" : undefined;
  }

  /** Accepts one request; throws server_busy where there is no place for it. */
  enter(weight: RequestWeight, share: Share): void {
    this.admit(weight, share);
    if (this.#isFull(weight) && !this.#makeRoom(weight, share)) this.refuse("queue_full");
    this.#inside[weight]++;
    share.inside[weight]++;
    if (share.total === 1) this.#shares.add(share);
    share.spend(1);
  }

  /** Counts a refusal and throws server_busy. */
  refuse(reason: RefusalReason): never {
    this.#refused[reason]++;
    throw errors[reason];
  }

  /** Records that an accepted request of this weight has left. */
  leave(weight: RequestWeight, share: Share): void {
    this.#inside[weight]--;
    share.inside[weight]--;
    if (share.total === 0) this.#shares.delete(share);
  }

  #isFull(weight: RequestWeight): boolean {
    return this.inside >= this.ceiling || this.#hasItsPart(weight);
  }

  #hasItsPart(weight: RequestWeight): boolean {
    const isOtherAbout = this.#now() - this.#askedAt[other[weight]] < rememberedMs;
    return isOtherAbout && this.#inside[weight] >= this.ceiling - this.#kept;
  }

  #makeRoom(weight: RequestWeight, share: Share): boolean {
    const crowded = this.#crowdedThan(share, weight);
    if (crowded === undefined) return false;
    const hasGivenWay = this.#giveWay(crowded, this.#hasItsPart(weight) ? weight : undefined);
    if (hasGivenWay) this.#refused.gave_way++;
    return !this.#isFull(weight);
  }

  /** The share with the most places, if it still has no fewer than this one when one has changed hands. */
  #crowdedThan(share: Share, weight: RequestWeight): Share | undefined {
    const counted = this.#hasItsPart(weight) ? weight : "total";
    const placesOf = (one: Share) => (counted === "total" ? one.total : one.inside[counted]);
    let crowded: Share | undefined;
    let most = placesOf(share) + 1;
    for (const one of this.#shares) {
      if (placesOf(one) <= most) continue;
      crowded = one;
      most = placesOf(one);
    }
    return crowded;
  }
}

/** Lets at most so many of those that ask have a turn at the same time, in the order in which they asked. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(max: number) {
    this.#free = max;
  }

  /** Calls `begin` when there is a turn, perhaps at once; whoever has had one calls `end`. */
  ask(begin: () => void): void {
    if (this.#free === 0) {
      this.#waiting.add(begin);
      return;
    }
    this.#free--;
    begin();
  }

  /** Asks no more; does nothing for one that has its turn. */
  forget(begin: () => void): void {
    this.#waiting.delete(begin);
  }

  /** A turn is over. */
  end(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
