import { tickMs } from "./clock.ts";
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

/**
 * How long each request has been inside, for the price of one stored number.
 *
 * Time is counted in ticks, so that a process that was stopped for a while has no late requests. Limits
 * are met up to two ticks late, never early. With nothing inside no timer runs, so that an idle process is idle.
 */
export class RequestAges {
  readonly #requests: readonly AcceptedRequest[];
  readonly #limits: AgeLimits;
  readonly #tickMs: number;
  readonly #lateTicks: number;
  readonly #stuckTicks: number;
  #timer: NodeJS.Timeout | undefined;
  #now = 1;

  constructor(requests: readonly AcceptedRequest[], limits: AgeLimits) {
    this.#requests = requests;
    this.#limits = limits;
    this.#tickMs = Math.min(tickMs, limits.lateAfter);
    this.#lateTicks = Math.ceil(limits.lateAfter / this.#tickMs) + 1;
    this.#stuckTicks = Math.max(Math.ceil(limits.stuckAfter / this.#tickMs) + 1, this.#lateTicks + 1);
  }

  /** A request has come; it ends where its `since` is set to 0. */
  begin(request: AcceptedRequest): void {
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    request.since = this.#now;
  }

  /** Stops counting. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.#now++;
    let isEmpty = true;
    for (const request of this.#requests) {
      if (request.since === 0) continue;
      isEmpty = false;
      const age = this.#now - request.since;
      if (age === this.#lateTicks) this.#limits.late(request);
      else if (age === this.#stuckTicks) this.#limits.stuck(request);
    }
    if (isEmpty) this.close();
  }
}
