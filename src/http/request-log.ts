import type { Logger } from "pino";
import type { RouteLabels } from "../metrics/request-counts.ts";
import type { Exchange } from "./exchange.ts";

/** A request as it is logged: the route, never the path, since that could hold an account number. */
type LoggedRequest = Pick<Exchange, "requestId" | "route" | "holder" | "failure">;

/** How many failures of one status are reported in a window. */
const maxFailures = 10;
const windowMs = 1_000;

/** Logs one request in every N, all failures (5xx), up to ten a second of each status, and each second what was closed. */
export class RequestLog {
  readonly #log: Logger;
  readonly #sample: number;
  readonly #routes: readonly RouteLabels[];
  readonly #failures = new Map<number, { logged: number; suppressed: number }>();
  readonly #window: NodeJS.Timeout;
  #sinceLast = 0;
  /** Connections closed to stay within a bound since the last window. */
  #closed = 0;

  /** `sample` 1 logs every request, 0 none; `routes` are by route number. */
  constructor(log: Logger, sample: number, routes: readonly RouteLabels[]) {
    this.#log = log;
    this.#sample = sample;
    this.#routes = routes;
    // The window is opened by a timer, so that no failure asks for the clock.
    this.#window = setInterval(() => {
      for (const failure of this.#failures.values()) failure.logged = 0;
      const closed = this.#closed;
      this.#closed = 0;
      if (closed > 0) log.warn({ closed }, "connections were closed to stay within the limit");
    }, windowMs);
    this.#window.unref();
  }

  /** Records an answer; `ms` is undefined for a request that was refused before it began. */
  answered(request: LoggedRequest, status: number, ms: number | undefined): void {
    if (status >= 500) this.#failed(request, status, ms, "request failed");
    else if (this.#sample > 0 && ++this.#sinceLast >= this.#sample) {
      this.#sinceLast = 0;
      this.#log.info(this.#line(request, status, ms), "request");
    }
  }

  cutOff(request: LoggedRequest, cause: string): void {
    this.#failed(request, 200, undefined, `a stream was cut off because ${cause}`);
  }

  closedEarly(): void {
    this.#closed++;
  }

  close(): void {
    clearInterval(this.#window);
  }

  #failed(request: LoggedRequest, status: number, ms: number | undefined, text: string): void {
    let failure = this.#failures.get(status);
    if (failure === undefined) {
      failure = { logged: 0, suppressed: 0 };
      this.#failures.set(status, failure);
    }
    if (failure.logged === maxFailures) {
      failure.suppressed++;
      return;
    }
    failure.logged++;
    const { suppressed } = failure;
    failure.suppressed = 0;
    const line = { ...this.#line(request, status, ms), ...request.failure };
    this.#log.warn(suppressed === 0 ? line : { ...line, suppressed }, text);
  }

  #line({ requestId, route, holder }: LoggedRequest, status: number, ms: number | undefined): object {
    const rounded = ms === undefined ? undefined : Math.round(ms * 1_000) / 1_000;
    return { request_id: requestId, ...this.#routes[route], status, ms: rounded, holder: holder?.name };
  }
}
