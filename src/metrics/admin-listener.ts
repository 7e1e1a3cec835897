import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Registry } from "prom-client";

const requestTimeout = 5_000;
const maxOpenConnections = 32;

/** A listener that serves the metrics. */
interface AdminListener {
  readonly port: number;
  /** Ends all connections and releases the port. */
  close(): Promise<void>;
}

/**
 * Serves the metrics, `GET /metrics` and nothing else, on a separate port, without a key.
 *
 * Where the port cannot be had the log says so and undefined is returned: the service continues without.
 */
export async function serveMetrics(
  host: string,
  wanted: number,
  registry: Registry,
  log: Logger,
): Promise<AdminListener | undefined> {
  const server = createServer({ requestTimeout, headersTimeout: requestTimeout }, (request, response) => {
    answer(registry, request, response).catch((error: unknown) => {
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
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port, close };
}

async function answer(registry: Registry, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.split("?")[0] !== "/metrics") {
    response.writeHead(404).end();
  } else if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD" }).end();
  } else {
    const text = await registry.metrics();
    response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
  }
}
