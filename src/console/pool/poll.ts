const interval = 1_000;
const patience = 5_000;

/** What a poll does and tells. */
export interface Polled<Answer> {
  /** Asks once; the signal ends it. */
  read(signal: AbortSignal): Promise<Answer>;
  took(answer: Answer): void;
  failed(error: unknown): void;
  /** Nobody looks any more; told when the page is hidden, not by `stop`. */
  paused(): void;
}

/** Asks every second while the page can be seen, one request after the other. */
export class Poll<Answer> {
  readonly #polled: Polled<Answer>;
  #asking: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(polled: Polled<Answer>) {
    this.#polled = polled;
  }

  start(): void {
    document.addEventListener("visibilitychange", this.#seen);
    this.#seen();
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.#seen);
    this.#rest();
  }

  readonly #seen = () => {
    this.#rest();
    if (document.hidden) this.#polled.paused();
    else void this.#ask();
  };

  #rest(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#asking = undefined;
  }

  async #ask(): Promise<void> {
    const began = performance.now();
    const asking = new AbortController();
    this.#asking = asking;
    const limit = setTimeout(() => asking.abort(), patience);
    try {
      const answer = await this.#polled.read(asking.signal);
      if (this.#asking === asking) this.#polled.took(answer);
    } catch (error) {
      if (this.#asking === asking) this.#polled.failed(error);
    }
    clearTimeout(limit);
    // What was told may have stopped the poll.
    if (this.#asking !== asking) return;
    this.#timer = setTimeout(() => this.#ask(), Math.max(0, interval - (performance.now() - began)));
  }
}
