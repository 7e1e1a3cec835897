import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { now } from "../pool/clock.ts";
import { RateAllowance } from "../pool/rate-allowance.ts";
import { readBody } from "./body.ts";
import { boundedBytes, unsentAnswers } from "./bounded-bytes.ts";
import type { CertificateFiles } from "./certificate.ts";
import { boundedConnections, connectionRoom } from "./connections.ts";
import { Exchange } from "./exchange.ts";
import { admit, type GateOptions } from "./gate.ts";
import { openListener } from "./listener.ts";
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
import { openRequestLog } from "./request-log.ts";
import { openStreams } from "./stream/streams.ts";
import { turnLimit } from "./turn-limit.ts";

interface HttpServerOptions extends GateOptions, Omit<OperationContext, "isDraining"> {
  readonly native: NativeModule;
  /** For HTTPS; undefined for HTTP. */
  readonly certificate: CertificateFiles | undefined;
  readonly log: Logger;
}

const idlePollMs = 10;

/**
 * Number of answers to HEAD or with 304 per second that leave their connection open. The native layer does not say
 * whether a client takes an answer without a body; this bounds what piles up for those that never read.
 */
const bodilessPerSecond = 50;

/** Requests without a valid key answered in one turn, at 10 µs each; a connection that pipelines more is closed. */
const keylessPerTurn = 256;

/** Opens the HTTP front end: takes connections, and leads each request through the gate and its body to its operation. */
export function openServer(options: HttpServerOptions) {
  const { settings, native, certificate, keys, counts, pool, log } = options;
  const requestLog = openRequestLog(log, settings.logSample);
  const connections = boundedConnections(
    settings.maxConnections || connectionRoom(),
    settings.maxConnectionsPerAddress,
    requestLog.closedEarly,
  );
  const bodiless = new RateAllowance();
  const life: ServerLife<Exchange> = {
    stopping: false,
    unsent: unsentAnswers(settings.answerTimeout),
    takeBodiless: () => bodiless.take(bodilessPerSecond, now()),
    takeKeyless: turnLimit(keylessPerTurn),
    connections,
    answered,
  };
  const incoming = boundedBytes<Exchange>(settings.bodyTimeout, memoryBudget.unfinishedBodies, (exchange) =>
    exchange.refuse("internal_error", { message: message("body_incomplete") }, undefined, true),
  );
  const context: OperationContext = { ...options, isDraining: () => life.stopping };
  const streams = openStreams(settings.streams, {
    pool,
    idleMs: settings.streamIdleTimeout,
    answerMs: settings.answerTimeout,
    answered: (lines, holder) => countChecks(context, lines, holder),
    isValid: (holder) => keys.isValid(holder),
    cutOff: requestLog.cutOff,
  });
  const listener = openListener(native, certificate, install, log);
  let received = 0;

  function install(app: NativeApp): void {
    const { ofAddress } = connections;
    app.filter((connection, change) => (change > 0 ? connections.opened(connection) : connections.closed()));
    if (ofAddress !== undefined) {
      const takeYielded: NativeHandler = (response, request) => {
        if (ofAddress.yielded(response)) request.setYield(true);
        else response.close();
      };
      // Matches everything, as the handlers below do, by another pattern: two handlers cannot have the same one.
      app.get("/**", takeYielded).post("/**", takeYielded).any("/**", takeYielded);
    }
    // A method with its own handler need not be asked for, which spares a native call.
    app.get("/*", (response, request) => receive(new Exchange(response, request, "GET", life)));
    app.post("/*", (response, request) => receive(new Exchange(response, request, "POST", life)));
    app.any("/*", (response, request) =>
      receive(new Exchange(response, request, request.getMethod().toUpperCase(), life)),
    );
  }

  function receive(exchange: Exchange): void {
    received++;
    guard(exchange, () => handle(exchange));
    if (!exchange.closed) exchange.detach();
  }

  /** Nothing thrown may leave a handler: the native layer would end the process. */
  function guard(exchange: Exchange, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof RequestError)) log.error({ err: error }, "request failed");
      exchange.fail(error);
    }
  }

  function handle(exchange: Exchange): void {
    const admitted = admit(exchange, options, connections);
    if (admitted === undefined) return;
    const { route, size } = admitted;
    const { operation, pooled } = route;
    if (pooled && !pool.editions.isLoaded) {
      exchange.refuse("configuration_error");
      return;
    }
    if (operation === "stream") {
      streams.open(exchange);
      return;
    }
    if (pooled) pool.admission.admit(size, pool.tenantOf(exchange.holder));
    if (route.method !== "POST") {
      perform(exchange, operation);
      return;
    }
    const whole = (body: Uint8Array) => {
      exchange.body = body;
      guard(exchange, () => perform(exchange, operation));
    };
    const noRoom = () => guard(exchange, () => pool.admission.refuse("body_memory"));
    readBody(exchange, incoming, whole, noRoom);
  }

  function perform(exchange: Exchange, operation: DispatchedOperation): void {
    exchange.arrivedAt = now();
    operations[operation](context, exchange);
  }

  function answered(exchange: Exchange, status: number): void {
    const { route, arrivedAt } = exchange;
    const ms = arrivedAt === 0 ? undefined : now() - arrivedAt;
    counts.count(route, status);
    if (ms !== undefined) counts.durations[route]!.observe(ms);
    requestLog.answered(exchange, status, ms);
  }

  return {
    /** The port; without it the open connections continue. */
    listener,
    streams,

    status: () => statusOf(context),

    /** Stops accepting connections, and ends each open one with its next answer. */
    stopListening: () => {
      life.stopping = true;
      streams.stop();
      listener.stop();
    },

    /**
     * Resolves when all that came is answered and taken, and no connection is left or none has sent anything for
     * `graceMs`: a request sent on a kept connection at the moment it is closed is lost, so an answer announces the end first.
     */
    idle: async (graceMs: number) => {
      let seen = -1;
      let quietSince = 0;
      for (;;) {
        const isOpen = incoming.size > 0 || streams.size > 0;
        const isBusy = isOpen || pool.admission.inside > 0 || life.unsent.size > 0;
        if (!isBusy && connections.size === 0) return;
        if (isBusy || received !== seen) quietSince = performance.now();
        else if (performance.now() - quietSince >= graceMs) return;
        seen = received;
        await delay(idlePollMs);
      }
    },

    /** Cuts every connection. */
    close: () => {
      incoming.close();
      streams.close();
      life.unsent.close();
      requestLog.close();
      listener.close();
    },
  };
}
