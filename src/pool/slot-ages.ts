/** Time limits of requests, and the callbacks for exceeding them. */
export interface AgeLimits {
  /** After this many milliseconds `late` is called, once for each request. */
  readonly lateAfter: number;
  /** After this many milliseconds `stuck` is called, once for each request. */
  readonly stuckAfter: number;
  readonly late: (slotNumber: number) => void;
  readonly stuck: (slotNumber: number) => void;
}

const maxTick = 100;

/** Ticks with nothing inside after which the timer stops, so that an idle process is idle. */
const idleTicks = 10;

/**
 * How long the request in each slot has been inside, for the price of one stored number each.
 *
 * Time is counted in ticks of at most 100 ms, so nothing asks for the clock when a request comes; limits are met up to
 * two ticks late, never early.
 */
export class SlotAges {
  readonly #limits: AgeLimits;
  readonly #tickMs: number;
  /** The tick at which a slot's request came; 0 if it holds none. */
  readonly #since: Int32Array;
  readonly #lateTicks: number;
  readonly #stuckTicks: number;
  #timer: NodeJS.Timeout | undefined;
  #now = 1;
  /** When the last tick was, while the timer does not run. */
  #stoppedAt = performance.now();
  #inside = 0;
  #ticksIdle = 0;

  constructor(slots: number, limits: AgeLimits) {
    this.#limits = limits;
    this.#since = new Int32Array(slots);
    this.#tickMs = Math.min(maxTick, limits.lateAfter);
    this.#lateTicks = Math.ceil(limits.lateAfter / this.#tickMs) + 1;
    this.#stuckTicks = Math.max(Math.ceil(limits.stuckAfter / this.#tickMs) + 1, this.#lateTicks + 1);
  }

  /** Milliseconds since the start, as coarse as the ticks. */
  get now(): number {
    const passed = this.#timer === undefined ? performance.now() - this.#stoppedAt : 0;
    return this.#now * this.#tickMs + passed;
  }

  /** A request has come into a slot. */
  begin(slotNumber: number): void {
    if (this.#timer === undefined) this.#start();
    this.#inside++;
    this.#since[slotNumber] = this.#now;
  }

  /** A slot's request has left. */
  end(slotNumber: number): void {
    if (this.#since[slotNumber] === 0) return;
    this.#inside--;
    this.#since[slotNumber] = 0;
  }

  /** Stops counting. */
  close(): void {
    clearInterval(this.#timer);
  }

  #start(): void {
    this.#now += Math.ceil((performance.now() - this.#stoppedAt) / this.#tickMs);
    this.#ticksIdle = 0;
    this.#timer = setInterval(() => this.#tick(), this.#tickMs);
    this.#timer.unref();
  }

  #tick(): void {
    this.#now++;
    this.#ticksIdle = this.#inside === 0 ? this.#ticksIdle + 1 : 0;
    if (this.#ticksIdle >= idleTicks) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#stoppedAt = performance.now();
      return;
    }
    for (let slotNumber = 0; slotNumber < this.#since.length; slotNumber++) {
      const since = this.#since[slotNumber]!;
      if (since === 0) continue;
      const age = this.#now - since;
      if (age === this.#lateTicks) this.#limits.late(slotNumber);
      else if (age === this.#stuckTicks) this.#limits.stuck(slotNumber);
    }
  }
}
