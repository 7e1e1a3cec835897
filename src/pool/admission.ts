import { RequestError } from "../contract/errors.ts";

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
export const refusalReasons = ["queue_full", "body_memory"] as const;

/** A value of refusalReasons. */
export type RefusalReason = (typeof refusalReasons)[number];

/** One for all refusals: under overload they are to cost next to nothing. */
const serverBusy = new RequestError("server_busy");

const other = { light: "heavy", heavy: "light" } as const;

/**
 * Counts accepted requests against the ceiling: `running` at work plus `waiting` in the queue.
 *
 * A request takes one place, whatever its weight. As long as requests of both weights come, each weight leaves a
 * quarter of the queue to the other, so that a flood of batches never shuts out single checks, nor they the batches;
 * when only one comes it has the whole ceiling.
 *
 * Every 503 of the service is decided or at least counted and raised here.
 */
export class Admission {
  /** The most requests that may be inside at once: pool size plus queue. */
  readonly ceiling: number;
  readonly #kept: number;
  readonly #now: () => number;
  readonly #inside = { light: 0, heavy: 0 };
  readonly #refused = Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<
    RefusalReason,
    number
  >;
  readonly #askedAt = { light: Number.NEGATIVE_INFINITY, heavy: Number.NEGATIVE_INFINITY };

  /** `now` gives milliseconds that never go back; it may be coarse. */
  constructor(running: number, waiting: number, now: () => number) {
    this.ceiling = running + waiting;
    this.#kept = Math.floor(waiting * sharedPart);
    this.#now = now;
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
  admit(weight: RequestWeight): void {
    this.#askedAt[weight] = this.#now();
    if (this.#isFull(weight)) this.refuse("queue_full");
  }

  /** Accepts one request; throws server_busy where its weight has no place left. */
  enter(weight: RequestWeight): void {
    this.admit(weight);
    this.#inside[weight]++;
  }

  /** Counts a refusal and throws server_busy. */
  refuse(reason: RefusalReason): never {
    this.#refused[reason]++;
    throw serverBusy;
  }

  /** Notes that an accepted request of this weight has left. */
  leave(weight: RequestWeight): void {
    this.#inside[weight]--;
  }
  #isFull(weight: RequestWeight): boolean {
    if (this.inside >= this.ceiling) return true;
    const isOtherAbout = this.#now() - this.#askedAt[other[weight]] < rememberedMs;
    return isOtherAbout && this.#inside[weight] >= this.ceiling - this.#kept;
  }
}
