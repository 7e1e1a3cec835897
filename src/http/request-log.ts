import type { Logger } from "pino";
import { routeLabels } from "../metrics/request-counts.ts";
import type { Exchange } from "./exchange.ts";

/** A request as it is logged: the route, never the path, since that could hold an account number. */
type LoggedRequest = Pick<Exchange, "requestId" | "route" | "holder" | "failure">;

/** How many failures of one status are reported in a window. */
const maxFailures = 10;
const windowMs = 1_000;

/**
 * Opens the log of requests: one in every `sample`, 0 for none, all failures (5xx), up to ten a second of each status, and
 * each second the connections that were closed.
 */
export function openRequestLog(log: Logger, sample: number) {
  const failures = new Map<number, { logged: number; suppressed: number }>();
  let sinceLast = 0;
  let closed = 0;
  // The window is opened by a timer, so that no failure asks for the clock.
  const window = setInterval(() => {
    for (const failure of failures.values()) failure.logged = 0;
    if (closed > 0) log.warn({ closed }, "connections were closed to stay within the limit");
    closed = 0;
  }, windowMs).unref();

  const lineOf = ({ requestId, route, holder }: LoggedRequest, status: number, ms: number | undefined) => {
    const rounded = ms === undefined ? undefined : Math.round(ms * 1_000) / 1_000;
    return { request_id: requestId, ...routeLabels[route], status, ms: rounded, holder: holder?.name };
  };

  const failed = (request: LoggedRequest, status: number, ms: number | undefined, text: string) => {
    const failure = failures.get(status) ?? { logged: 0, suppressed: 0 };
    failures.set(status, failure);
    if (failure.logged === maxFailures) {
      failure.suppressed++;
      return;
    }
    failure.logged++;
    const { suppressed } = failure;
    failure.suppressed = 0;
    const line = { ...lineOf(request, status, ms), ...request.failure };
    log.warn(suppressed === 0 ? line : { ...line, suppressed }, text);
  };

  return {
    /** Records an answer; `ms` is undefined for a request that was refused before it began. */
    answered: (request: LoggedRequest, status: number, ms: number | undefined) => {
      if (status >= 500) failed(request, status, ms, "request failed");
      else if (sample > 0 && ++sinceLast >= sample) {
        sinceLast = 0;
        log.info(lineOf(request, status, ms), "request");
      }
    },
    cutOff: (request: LoggedRequest, cause: string) =>
      failed(request, 200, undefined, `a stream was cut off because ${cause}`),
    closedEarly: () => {
      closed++;
    },
    close: () => clearInterval(window),
  };
}
