import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Registry } from "prom-client";

const requestTimeout = 5_000;
const maxOpenConnections = 32;

/**
 * Serves `GET /metrics`, `/service/live` and `/service/ready` on a separate port: without a key, and without TLS, whose
 * certificate is not for the addresses that probes use. `stateOf` returns the service's state, `up` if it is ready.
 *
 * Where the port cannot be had the log says so and undefined is returned: the service continues without.
 */
export async function serveMetrics(
  host: string,
  wanted: number,
  registry: Registry,
  stateOf: () => string,
  log: Logger,
) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split("?")[0];
    const state = path === "/service/ready" ? stateOf() : path === "/service/live" ? "up" : undefined;
    if (path !== "/metrics" && state === undefined) response.writeHead(404).end();
    else if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else if (state === undefined) {
      const text = await registry.metrics();
      response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
    } else {
      response.writeHead(state === "up" ? 200 : 503, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ status: state }));
    }
  };
  const server = createServer({ requestTimeout, headersTimeout: requestTimeout }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, "the metrics could not be read");
      response.writeHead(500).end();
    });
  });
  server.maxConnections = maxOpenConnections;
  try {
    await once(server.listen(wanted, host), "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    log.error({ host, port: wanted, code }, "cannot listen on the admin port; metrics are not served");
    return undefined;
  }
  server.on("error", (error) => log.error({ err: error }, "the admin listener failed"));
  // The service decides when the process ends.
  server.unref();
  const { port } = server.address() as AddressInfo;
  log.info({ host, port }, "metrics are served");
  return {
    port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
