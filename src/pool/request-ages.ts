import type { AcceptedRequest } from "./tenant.ts";
import { Ticks } from "./ticks.ts";

/** Time limits of requests, and the callbacks for exceeding them. */
export interface AgeLimits {
  /** After this many milliseconds `late` is called, once for each request. */
  readonly lateAfter: number;
  /** After this many milliseconds `stuck` is called, once for each request. */
  readonly stuckAfter: number;
  readonly late: (request: AcceptedRequest) => void;
  readonly stuck: (request: AcceptedRequest) => void;
}

/** How long each request has been inside, for the price of one stored number. */
export class RequestAges {
  readonly #requests: readonly AcceptedRequest[];
  readonly #limits: AgeLimits;
  readonly #ticks: Ticks;
  readonly #lateTicks: number;
  readonly #stuckTicks: number;

  constructor(requests: readonly AcceptedRequest[], limits: AgeLimits) {
    this.#requests = requests;
    this.#limits = limits;
    this.#ticks = new Ticks(limits.lateAfter, () => this.#look());
    this.#lateTicks = this.#ticks.in(limits.lateAfter);
    this.#stuckTicks = Math.max(this.#ticks.in(limits.stuckAfter), this.#lateTicks + 1);
  }

  /** A request has come; it ends where its `since` is set to 0. */
  begin(request: AcceptedRequest): void {
    this.#ticks.start();
    request.since = this.#ticks.now;
  }

  /** Stops counting. */
  close(): void {
    this.#ticks.stop();
  }

  #look(): boolean {
    let isAnyInside = false;
    for (const request of this.#requests) {
      if (request.since === 0) continue;
      isAnyInside = true;
      const age = this.#ticks.now - request.since;
      if (age === this.#lateTicks) this.#limits.late(request);
      else if (age === this.#stuckTicks) this.#limits.stuck(request);
    }
    return isAnyInside;
  }
}
