import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Registry } from "prom-client";

const requestTimeout = 5_000;
const maxOpenConnections = 32;

/** Serves the metrics, `GET /metrics` and nothing else, on a separate port, without a key. */
export class AdminListener {
  readonly #server: Server;

  private constructor(registry: Registry, log: Logger) {
    this.#server = createServer({ requestTimeout, headersTimeout: requestTimeout }, (request, response) => {
      answer(registry, request, response).catch((error: unknown) => {
        log.error({ err: error }, "the metrics could not be read");
        response.writeHead(500).end();
      });
    });
    this.#server.maxConnections = maxOpenConnections;
  }

  /** Listens. Where the port cannot be had the log says so and undefined is given: the service continues without. */
  static async open(
    host: string,
    port: number,
    registry: Registry,
    log: Logger,
  ): Promise<AdminListener | undefined> {
    const listener = new AdminListener(registry, log);
    const server = listener.#server;
    try {
      await once(server.listen(port, host), "listening");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      log.error({ host, port, code }, "cannot listen on the admin port; metrics are not served");
      return undefined;
    }
    server.on("error", (error) => log.error({ err: error }, "the admin listener failed"));
    // The service decides when the process ends.
    server.unref();
    log.info({ host, port: listener.port }, "metrics are served");
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends all connections and releases the port. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
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
