/** What is done with requests that take too long. */
export interface AgeLimits {
  /** After so many milliseconds `late` is told, once for each request. */
  readonly lateAfter: number;
  /** After so many milliseconds `stuck` is told, once for each request. */
  readonly stuckAfter: number;
  readonly late: (slotNumber: number) => void;
  readonly stuck: (slotNumber: number) => void;
}

const longestTick = 100;

/**
 * How long the request in each slot has been inside, for the price of one stored number each.
 *
 * Time is counted in ticks of at most 100 ms, so nothing asks for the clock when a request comes; limits are met up to
 * two ticks late, never early.
 */
export class SlotAges {
  readonly #limits: AgeLimits;
  readonly #tickMs: number;
  /** The tick at which a slot's request came; 0 where it holds none. */
  readonly #since: Int32Array;
  readonly #lateTicks: number;
  readonly #stuckTicks: number;
  readonly #timer: NodeJS.Timeout;
  #now = 1;

  constructor(slots: number, limits: AgeLimits) {
    this.#limits = limits;
    this.#since = new Int32Array(slots);
    this.#tickMs = Math.min(longestTick, limits.lateAfter);
    this.#lateTicks = Math.ceil(limits.lateAfter / this.#tickMs) + 1;
    this.#stuckTicks = Math.max(Math.ceil(limits.stuckAfter / this.#tickMs) + 1, this.#lateTicks + 1);
    this.#timer = setInterval(() => this.#tick(), this.#tickMs);
    this.#timer.unref();
  }

  /** Milliseconds since the start, as coarse as the ticks. */
  get now(): number {
    return this.#now * this.#tickMs;
  }

  /** A request has come into a slot. */
  begin(slotNumber: number): void {
    this.#since[slotNumber] = this.#now;
  }

  /** A slot's request has left. */
  end(slotNumber: number): void {
    this.#since[slotNumber] = 0;
  }

  /** Stops counting. */
  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#now++;
    for (let slotNumber = 0; slotNumber < this.#since.length; slotNumber++) {
      const since = this.#since[slotNumber]!;
      if (since === 0) continue;
      const age = this.#now - since;
      if (age === this.#lateTicks) this.#limits.late(slotNumber);
      else if (age === this.#stuckTicks) this.#limits.stuck(slotNumber);
    }
  }
}
