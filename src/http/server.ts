import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { now } from "../pool/clock.ts";
import { RateAllowance } from "../pool/rate-allowance.ts";
import { AddressCounts } from "./addresses.ts";
import { readBody } from "./body.ts";
import { BoundedBytes, UnsentAnswers } from "./bounded-bytes.ts";
import type { CertificateFiles } from "./certificate.ts";
import { Connections, connectionRoom } from "./connections.ts";
import { Exchange } from "./exchange.ts";
import { admit, type GateOptions } from "./gate.ts";
import { Listener } from "./listener.ts";
import { memoryBudget } from "./memory-budget.ts";
import type { NativeApp, NativeHandler, NativeModule } from "./native.ts";
import type { ServerLife } from "./open-response.ts";
import {
  countChecks,
  type DispatchedOperation,
  type OperationContext,
  operations,
  statusOf,
} from "./operations/operations.ts";
import { RequestLog } from "./request-log.ts";
import { Streams } from "./stream/streams.ts";
import { turnLimit } from "./turn-limit.ts";

interface HttpServerOptions extends GateOptions, Omit<OperationContext, "isDraining"> {
  readonly native: NativeModule;
  /** For HTTPS; undefined for HTTP. */
  readonly certificate: CertificateFiles | undefined;
  readonly log: Logger;
}

/** How often a server that stops looks whether it is idle, in milliseconds. */
const idlePollMs = 10;

/**
 * Number of answers to HEAD or with 304 per second that leave their connection open. The native layer does not say
 * whether a client takes an answer without a body; this bounds what piles up for those that never read.
 */
const bodilessPerSecond = 50;

/** Requests without a valid key answered in one turn, at 10 µs each; a connection that pipelines more is closed. */
const keylessPerTurn = 256;

/** The HTTP front end: takes connections, and leads each request through the gate and its body to its operation. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #requestLog: RequestLog;
  /** The port; without it the open connections continue. */
  readonly listener: Listener;
  readonly streams: Streams;
  readonly #incoming: BoundedBytes<Exchange>;
  readonly #context: OperationContext;
  #received = 0;
  readonly #life: ServerLife<Exchange>;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { settings, native, certificate, counts, pool, log } = options;
    this.#requestLog = new RequestLog(log, settings.logSample, counts.routes);
    const bodiless = new RateAllowance();
    this.#life = {
      stopping: false,
      unsent: new UnsentAnswers(settings.answerTimeout),
      takeBodiless: () => bodiless.take(bodilessPerSecond, now()),
      takeKeyless: turnLimit(keylessPerTurn),
      connections: new Connections(
        settings.maxConnections || connectionRoom(),
        new AddressCounts(settings.maxConnectionsPerAddress),
        () => this.#requestLog.closedEarly(),
      ),
      answered: (exchange, status) => this.#answered(exchange, status),
    };
    this.#incoming = new BoundedBytes(
      { milliseconds: settings.bodyTimeout, maxBytes: memoryBudget.unfinishedBodies },
      (exchange) =>
        exchange.refuse("internal_error", { message: message("body_incomplete") }, undefined, true),
    );
    this.#context = { ...options, isDraining: () => this.#life.stopping };
    this.streams = new Streams(settings.streams, {
      pool,
      idleMs: settings.streamIdleTimeout,
      answerMs: settings.answerTimeout,
      answered: (lines, holder) => countChecks(this.#context, lines, holder),
      isValid: (holder) => options.keys.isValid(holder),
      cutOff: (exchange, cause) => this.#requestLog.cutOff(exchange, cause),
    });
    this.listener = new Listener({ native, certificate, log, install: (app) => this.#install(app) });
  }

  #install(app: NativeApp): void {
    const { connections } = this.#life;
    const takeYielded: NativeHandler = (response, request) => {
      if (connections.ofAddress.yielded(response)) request.setYield(true);
      else response.close();
    };
    app.filter((connection, change) => (change > 0 ? connections.opened(connection) : connections.closed()));
    if (connections.ofAddress.isBounded) {
      // Matches everything, as the handlers below do, by another pattern: two handlers cannot have the same one.
      app.get("/**", takeYielded).post("/**", takeYielded).any("/**", takeYielded);
    }
    // A method with its own handler need not be asked for, which spares a native call.
    app.get("/*", (response, request) => this.#receive(new Exchange(response, request, "GET", this.#life)));
    app.post("/*", (response, request) => this.#receive(new Exchange(response, request, "POST", this.#life)));
    app.any("/*", (response, request) =>
      this.#receive(new Exchange(response, request, request.getMethod().toUpperCase(), this.#life)),
    );
  }

  /** State of the service: `up` if it is ready. */
  get status(): string {
    return statusOf(this.#context);
  }

  /** Stops accepting connections, and ends each open one with its next answer. */
  stopListening(): void {
    this.#life.stopping = true;
    this.streams.stop();
    this.listener.stop();
  }

  /**
   * Resolves when all that came is answered and taken, and no connection is left or none has sent anything for
   * `graceMs`: a request sent on a kept connection at the moment it is closed is lost, so an answer announces the end first.
   */
  async idle(graceMs: number): Promise<void> {
    const { pool } = this.#options;
    let seen = -1;
    let quietSince = 0;
    for (;;) {
      const isOpen = this.#incoming.size > 0 || this.streams.size > 0;
      const isBusy = isOpen || pool.admission.inside > 0 || this.#life.unsent.size > 0;
      if (!isBusy && this.#life.connections.size === 0) return;
      if (isBusy || this.#received !== seen) quietSince = performance.now();
      else if (performance.now() - quietSince >= graceMs) return;
      seen = this.#received;
      await delay(idlePollMs);
    }
  }

  /** Cuts every connection. */
  close(): void {
    this.#incoming.close();
    this.streams.close();
    this.#life.unsent.close();
    this.#requestLog.close();
    this.listener.close();
  }

  #receive(exchange: Exchange): void {
    this.#received++;
    this.#guard(exchange, () => this.#route(exchange));
    if (!exchange.closed) exchange.detach();
  }

  /** Nothing thrown may leave a handler: the native layer would end the process. */
  #guard(exchange: Exchange, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof RequestError)) this.#options.log.error({ err: error }, "request failed");
      exchange.fail(error);
    }
  }

  #route(exchange: Exchange): void {
    const admitted = admit(exchange, this.#options, this.#life.connections);
    if (admitted === undefined) return;
    const { route, size } = admitted;
    const { operation, pooled } = route;
    const { pool } = this.#options;
    if (pooled && !pool.editions.isLoaded) {
      exchange.refuse("configuration_error");
      return;
    }
    if (operation === "stream") {
      this.streams.open(exchange);
      return;
    }
    if (pooled) pool.admission.admit(size, pool.tenantOf(exchange.holder));
    if (route.method === "POST") this.#receiveBody(exchange, operation);
    else this.#perform(exchange, operation);
  }

  #receiveBody(exchange: Exchange, operation: DispatchedOperation): void {
    const received = (body: Uint8Array) => {
      exchange.body = body;
      this.#guard(exchange, () => this.#perform(exchange, operation));
    };
    const noRoom = () => this.#guard(exchange, () => this.#options.pool.admission.refuse("body_memory"));
    readBody(exchange, this.#incoming, received, noRoom);
  }

  #perform(exchange: Exchange, operation: DispatchedOperation): void {
    exchange.arrivedAt = now();
    operations[operation](this.#context, exchange);
  }

  #answered(exchange: Exchange, status: number): void {
    const { counts } = this.#options;
    const { route, arrivedAt } = exchange;
    const ms = arrivedAt === 0 ? undefined : now() - arrivedAt;
    counts.count(route, status);
    if (ms !== undefined) counts.durations[route]!.observe(ms);
    this.#requestLog.answered(exchange, status, ms);
  }
}
