/** Permission for one request to be in flight: how often the limit had been reduced when it was given. */
type Ticket = number;

/** A request's place in the queue: the lower `order` goes first. */
interface Turn {
  readonly order: number;
  readonly hasFailed: boolean;
}

interface Waiter extends Turn {
  readonly letIn: () => void;
  readonly giveUp: (error: unknown) => void;
}

/** Number of consecutive failures, without an answer, that count as a failure of the service as a whole. */
const failuresUntilPause = 2;

/**
 * Limits the requests in flight to `max`, and stops all of them while the service is away.
 *
 * A busy service halves the limit; each round of successes raises it by one. Where the service refuses even a single
 * request, or two requests in a row fail, no request is sent until the wait is over; then one request tries alone.
 * Requests that wait to be sent again are not in flight. The oldest request goes first.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  /** In their order. */
  #waiting: Waiter[] = [];
  #limit: number;
  #inFlight = 0;
  #reductions = 0;
  #failuresInARow = 0;
  #nextOrder = 0;
  #pausedUntil = 0;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(max: number) {
    this.#max = max;
    this.#limit = max;
  }

  /** How many requests may be in flight now; none during a pause. */
  get current(): number {
    return this.#pauseTimer === undefined ? Math.floor(this.#limit) : 0;
  }

  /** Whether a request could be sent at once. */
  get hasRoom(): boolean {
    return this.#inFlight < this.current && this.#waiting.length === 0;
  }

  nextOrder(): number {
    return this.#nextOrder++;
  }

  /**
   * Waits for the request's turn; where there is room, the ticket counts from the moment of the call.
   *
   * Rejects with the signal's reason when it is aborted first, and with the error of `gaveUp`.
   */
  async enter(
    signal?: AbortSignal,
    turn: Turn = { order: this.nextOrder(), hasFailed: false },
  ): Promise<Ticket> {
    if (this.hasRoom) this.#inFlight++;
    else await this.#wait(turn, signal);
    return this.#reductions;
  }

  /** The call that makes room also counts the admitted request. */
  #wait(turn: Turn, signal: AbortSignal | undefined): Promise<void> {
    let leave = () => {};
    return new Promise<void>((letIn, giveUp) => {
      const waiter: Waiter = { ...turn, letIn, giveUp };
      leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        giveUp(signal?.reason);
      };
      // A signal that is none throws before anything waits.
      signal?.addEventListener("abort", leave);
      const earlier = this.#waiting.findLastIndex(({ order }) => order < turn.order);
      this.#waiting.splice(earlier + 1, 0, waiter);
      if (signal?.aborted) leave();
    }).finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Returns a ticket after an answer that the service had capacity for. */
  succeeded(): void {
    this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit);
    this.answered();
  }

  /** Returns a ticket after any other answer, or none that anybody waited for. */
  answered(): void {
    this.#failuresInARow = 0;
    this.#leave();
  }

  /**
   * Returns a ticket after a refusal for lack of capacity; of the requests that were sent at the same limit only one
   * reduces it.
   *
   * Returns whether all requests now pause for `delay` milliseconds or longer, since the limit was one already.
   */
  refused(ticket: Ticket, delay: number): boolean {
    let isPaused = this.#pausedUntil >= performance.now() + delay;
    if (ticket === this.#reductions) {
      if (this.#limit < 2) isPaused = this.#pause(delay);
      this.#limit = Math.max(1, this.#limit / 2);
      this.#reductions++;
    }
    this.#leave();
    return isPaused;
  }

  /**
   * Returns a ticket after a failure that may pass.
   *
   * Returns whether all requests now pause, for `delay` milliseconds from now or longer; after one failure alone they
   * do not.
   */
  failed(delay: number): boolean {
    this.#failuresInARow++;
    const isPaused = this.#failuresInARow >= failuresUntilPause && this.#pause(delay);
    this.#leave();
    return isPaused;
  }

  /**
   * Returns the ticket of a request that is not sent again.
   *
   * Where the service failed as a whole, requests that failed with it and wait are given up too, with the same error.
   */
  gaveUp(error: unknown): void {
    if (this.#failuresInARow >= failuresUntilPause) {
      for (const { hasFailed, giveUp } of this.#waiting) if (hasFailed) giveUp(error);
      this.#waiting = this.#waiting.filter(({ hasFailed }) => !hasFailed);
    }
    this.answered();
  }

  #pause(delay: number): true {
    const until = performance.now() + delay;
    this.#limit = 1;
    if (this.#pauseTimer !== undefined && until <= this.#pausedUntil) return true;
    clearTimeout(this.#pauseTimer);
    this.#pausedUntil = until;
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined;
      this.#letIn();
    }, delay);
    return true;
  }

  #leave(): void {
    this.#inFlight--;
    this.#letIn();
  }

  #letIn(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.current) {
      this.#inFlight++;
      this.#waiting.shift()?.letIn();
    }
  }
}
