/** A request's leave to be in flight; it remembers how often the limit had been reduced when it was given. */
export interface Ticket {
  readonly reductions: number;
}

/**
 * How many requests may be in flight: halved when the service is busy, regained by one for each round of successes.
 *
 * Where even the only one is refused, none may be until a refused one has waited as long as the service asks for.
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

  /** How many requests may be in flight now; none while the service is waited for. */
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

  /**
   * Waits for its turn; where there is room, the ticket counts from the moment of the call.
   *
   * Rejects with the signal's reason when it is aborted before.
   */
  async enter(signal?: AbortSignal): Promise<Ticket> {
    if (this.hasRoom) this.#inFlight++;
    else await this.#turn(signal);
    return { reductions: this.#reductions };
  }

  /** Whoever makes room counts the one that is let in. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(letIn), 1);
        reject(signal?.reason);
      };
      const letIn = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      this.#waiting.push(letIn);
      signal?.addEventListener("abort", leave, { once: true });
      if (signal?.aborted) leave();
    });
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
      this.#limit = this.#limit > 1 ? Math.max(1, this.#limit / 2) : 0;
      this.#reductions++;
    }
    this.#leave();
  }

  /** To be called for each ticket that was refused, once its request has waited or been given up. */
  waited(): void {
    if (this.#limit > 0) return;
    this.#limit = 1;
    this.#letIn();
  }

  #leave(): void {
    this.#inFlight--;
    this.#letIn();
  }

  #letIn(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.current) {
      this.#inFlight++;
      this.#waiting.shift()?.();
    }
    if (this.hasRoom) for (const watcher of this.#watchers.splice(0)) watcher();
  }
}
