import type { AcceptedRequest } from "./tenant.ts";

/** Time limits of requests, and the callbacks for exceeding them. */
export interface AgeLimits {
  /** After this many milliseconds `late` is called, once for each request. */
  readonly lateAfter: number;
  /** After this many milliseconds `stuck` is called, once for each request. */
  readonly stuckAfter: number;
  readonly late: (request: AcceptedRequest) => void;
  readonly stuck: (request: AcceptedRequest) => void;
}

const maxTickMs = 100;

/** Ticks with nothing inside after which the timer stops, so that an idle process is idle. */
const idleTicks = 10;

/**
 * How long each request has been inside, for the price of one stored number.
 *
 * Time is counted in ticks of at most 100 ms, so nothing asks for the clock when a request comes, and a process that was
 * stopped for a while has no late requests. Limits are met up to two ticks late, never early.
 */
export class RequestAges {
  readonly #requests: readonly AcceptedRequest[];
  readonly #limits: AgeLimits;
  readonly #tickMs: number;
  readonly #lateTicks: number;
  readonly #stuckTicks: number;
  #timer: NodeJS.Timeout | undefined;
  #now = 1;
  /** When the last tick was, while the timer does not run. */
  #stoppedAt = performance.now();
  #ticksIdle = 0;

  constructor(requests: readonly AcceptedRequest[], limits: AgeLimits) {
    this.#requests = requests;
    this.#limits = limits;
    this.#tickMs = Math.min(maxTickMs, limits.lateAfter);
    this.#lateTicks = Math.ceil(limits.lateAfter / this.#tickMs) + 1;
    this.#stuckTicks = Math.max(Math.ceil(limits.stuckAfter / this.#tickMs) + 1, this.#lateTicks + 1);
  }

  /** Milliseconds since the start, as coarse as the ticks. */
  get now(): number {
    const passed = this.#timer === undefined ? performance.now() - this.#stoppedAt : 0;
    return this.#now * this.#tickMs + passed;
  }

  /** A request has come; it ends where its `since` is set to 0. */
  begin(request: AcceptedRequest): void {
    if (this.#timer === undefined) this.#start();
    request.since = this.#now;
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
    this.#ticksIdle++;
    for (const request of this.#requests) {
      if (request.since === 0) continue;
      this.#ticksIdle = 0;
      const age = this.#now - request.since;
      if (age === this.#lateTicks) this.#limits.late(request);
      else if (age === this.#stuckTicks) this.#limits.stuck(request);
    }
    if (this.#ticksIdle < idleTicks) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stoppedAt = performance.now();
  }
}
