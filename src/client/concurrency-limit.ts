/** A request's leave to be in flight; it remembers how often the limit had been reduced when it was given. */
export interface Ticket {
  readonly reductions: number;
}

/**
 * How many requests may be in flight: halved when the service is busy, regained by one for each round of successes.
 *
 * Requests that wait to be sent again are not in flight. First come, first served.
 */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  readonly #watchers: (() => void)[] = [];
  #limit: number;
  #inFlight = 0;
  #reductions = 0;

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** How many requests may be in flight now, at least one. */
  get current(): number {
    return Math.floor(this.#limit);
  }

  /** Whether a request could be sent at once. */
  get hasRoom(): boolean {
    return this.#inFlight < this.current && this.#waiting.length === 0;
  }

  /** Resolves when a request could be sent at once. */
  async room(): Promise<void> {
    while (!this.hasRoom) {
      await new Promise<void>((resolve) => {
        this.#watchers.push(resolve);
      });
    }
  }

  /** Waits for its turn; where there is room, the ticket counts from the moment of the call. */
  async enter(): Promise<Ticket> {
    if (this.hasRoom) {
      this.#inFlight++;
    } else {
      // Whoever makes room counts the one that is let in.
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return { reductions: this.#reductions };
  }

  /** Gives a ticket back after an answer that the service had capacity for. */
  succeeded(): void {
    this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
    this.#leave();
  }

  /** Gives a ticket back after any other failure. */
  failed(): void {
    this.#leave();
  }

  /** Gives a ticket back after server_busy; of the requests that were sent at the same limit only one reduces it. */
  refused(ticket: Ticket): void {
    if (ticket.reductions === this.#reductions) {
      this.#limit = Math.max(1, this.#limit / 2);
      this.#reductions++;
    }
    this.#leave();
  }

  #leave(): void {
    this.#inFlight--;
    while (this.#waiting.length > 0 && this.#inFlight < this.current) {
      this.#inFlight++;
      this.#waiting.shift()?.();
    }
    if (this.hasRoom) for (const watcher of this.#watchers.splice(0)) watcher();
  }
}
