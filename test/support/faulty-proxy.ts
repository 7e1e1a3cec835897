import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { errorBody } from "../../src/contract/errors.ts";
import { listen } from "./listen.ts";

/** Fault of a request on its way: an error of the service, an answer of another server, or a closed connection. */
export type Fault =
  | {
      readonly code: "server_busy" | "internal_error" | "checker_failed" | "configuration_error";
      readonly retryAfter?: number;
    }
  | { readonly status: number; readonly retryAfter?: number | string }
  | "cut"
  | "cut within the answer";

/** A server in front of the service through which requests fail as a test wants. */
export interface FaultyProxy {
  readonly url: string;
  /** How many requests have come. */
  readonly requests: number;
  /** How many requests are on their way. */
  readonly open: number;
  /** How many requests were on their way at once at most. */
  readonly maxAtOnce: number;
  close(): Promise<void>;
}

/** Starts a proxy; `faultOf` is called for each request with its number from 0, and undefined lets it pass. */
export async function startFaultyProxy(
  target: string,
  faultOf: (number: number) => Fault | undefined,
): Promise<FaultyProxy> {
  const server = createServer((incoming, outgoing) => {
    const fault = faultOf(proxy.requests++);
    proxy.maxAtOnce = Math.max(proxy.maxAtOnce, ++proxy.open);
    outgoing.once("close", () => proxy.open--);
    if (fault === "cut") {
      incoming.socket.destroy();
      return;
    }
    if (typeof fault === "object") {
      incoming.resume();
      if (fault.retryAfter !== undefined) outgoing.setHeader("Retry-After", fault.retryAfter);
      if ("status" in fault) {
        outgoing.writeHead(fault.status, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
        return;
      }
      const body = errorBody(fault.code);
      outgoing.writeHead(body.error.http_status, { "Content-Type": "application/json" });
      outgoing.end(JSON.stringify(body));
      return;
    }
    const { method, url, headers } = incoming;
    const forward = send(new URL(url ?? "/", target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (fault === "cut within the answer") answer.once("data", () => incoming.socket.destroy());
      else answer.pipe(outgoing);
    });
    forward.on("error", () => outgoing.destroy());
    incoming.pipe(forward);
  });
  const proxy = {
    url: `http://127.0.0.1:${await listen(server)}`,
    ...{ requests: 0, open: 0, maxAtOnce: 0 },
    close: async () => {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  };
  return proxy;
}
