import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { RequestError } from "../contract/errors.ts";
import { languageOf } from "../contract/language.ts";
import { type Message, message } from "../contract/message.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { RequestCounts } from "../metrics/request-counts.ts";
import { lightBodyBytes, type RequestWeight } from "../pool/admission.ts";
import type { CheckPool } from "../pool/check-pool.ts";
import { now } from "../pool/clock.ts";
import { anybody } from "../pool/share.ts";
import { freePort } from "../process/free-port.ts";
import { StartError } from "../settings.ts";
import { AddressCounts, type ClientFilter } from "./addresses.ts";
import type {
  ConnectionHandler,
  ListenSocket,
  NativeApp,
  NativeModule,
  NativeRequest,
  NativeResponse,
} from "./binding.ts";
import type { CertificateFiles } from "./certificate.ts";
import { Connections, connectionRoom, RateLimit, TurnLimit } from "./connections.ts";
import { Exchange, type ServerLife } from "./exchange.ts";
import { IncomingBodies, isJsonContentType, readBody, refuseTooLarge } from "./incoming-bodies.ts";
import {
  type Call,
  countChecks,
  type OperationContext,
  type ServiceFacts,
  type UsageReader,
  type WorkReader,
} from "./operations/operation.ts";
import { type DispatchedOperation, operations } from "./operations/operations.ts";
import { authenticate, readFraming, readHeaders, requestIdOf } from "./request-headers.ts";
import type { RequestLog } from "./request-log.ts";
import { type RouteMatch, RouteTree } from "./route-match.ts";
import { Streams } from "./stream/streams.ts";
import { UnsentAnswers } from "./unsent-answers.ts";

/** What the HTTP server works with. */
export interface HttpServerOptions {
  readonly native: NativeModule;
  readonly pool: CheckPool;
  readonly keys: KeyRing;
  /** Which client addresses are served; undefined serves all. */
  readonly clients: ClientFilter | undefined;
  /** How long a body may take to arrive, in milliseconds. */
  readonly bodyTimeout: number;
  /** How long a client may take to read one answer, in milliseconds. */
  readonly answerTimeout: number;
  /** How many streams may be open at once, and how long one waits for the next bytes, in milliseconds. */
  readonly maxStreams: number;
  readonly streamIdleTimeout: number;
  /** How many connections may be open at once; 0 for as many as the limit of descriptors allows. */
  readonly maxConnections: number;
  /** How many of them may come from one address; 0 for no bound. */
  readonly maxConnectionsPerAddress: number;
  /** For HTTPS; undefined for HTTP. */
  readonly certificate: CertificateFiles | undefined;
  readonly about: ServiceFacts;
  readonly usage: UsageReader;
  /** Where the requests are counted; made for the routes of the table in their order. */
  readonly counts: RequestCounts;
  readonly work: WorkReader;
  readonly requestLog: RequestLog;
  readonly log: Logger;
  /** Origins of the web pages whose scripts may call the service. */
  readonly corsOrigins: ReadonlySet<string>;
  /** Whether an account may be checked by a path that holds its number. */
  readonly accountInPath: boolean;
}

/** Listening option of the native layer under which several processes may have the port; it has no name there. */
const listenShared = 0;

/** How long closed connections are counted before the log is told. */
const closedReportMs = 1_000;

/** How often a server that stops looks whether it is idle. */
const idlePollMs = 10;

/**
 * How many answers to HEAD or with 304 leave their connection open, in each second. The native layer does not say
 * whether a client takes an answer without a body; this bounds what heaps up for those that never read.
 */
const bodilessPerSecond = 50;

/** How many requests without a valid key are answered in one turn; a connection that pipelines more is closed. */
const keylessPerTurn = 256;

const consolePath = "/service/console";
/** What people type who want the console; a client of the interface gets the error it would get anywhere else. */
const entrances: ReadonlySet<string> = new Set(["/", "/service", "/service/", "/service/console/"]);
const maxEntrance = Math.max(...[...entrances].map(({ length }) => length));

/** A segment that begins with a dot, percent-encoded or not. */
const hiddenPath = /\/(?:\.|%2e)/i;
const noBody = new Uint8Array(0);

/** The answer to a browser that asks whether a page may send a request. Source: Fetch Standard, section "CORS protocol". */
const preflightHeaders = {
  "Content-Type": "text/plain",
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Allow-Headers":
    "Authorization, X-API-Key, Content-Type, X-Request-Id, Accept-Language, If-None-Match",
  "Access-Control-Max-Age": "600",
};

/** The HTTP front end: authentication, routing, admission, body, and the answers of all operations. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #routes = new RouteTree();
  readonly #streams: Streams;
  readonly #incoming: IncomingBodies<Exchange>;
  /** The application that takes connections, behind those whose certificate it has replaced. */
  readonly #apps: NativeApp[] = [];
  #listening: { readonly host: string; readonly port: number; readonly mode: number } | undefined;
  readonly #context: OperationContext;
  #socket: ListenSocket | undefined;
  /** Connections closed early that the log has not been told of. */
  #closedCount = 0;
  /** Requests since the start. */
  #received = 0;
  readonly #life: { -readonly [Part in keyof ServerLife]: ServerLife[Part] };

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#life = {
      stopping: false,
      unsent: new UnsentAnswers(options.answerTimeout),
      bodiless: new RateLimit(bodilessPerSecond),
      keyless: new TurnLimit(keylessPerTurn),
      connections: new Connections(
        options.maxConnections || connectionRoom(),
        new AddressCounts(options.maxConnectionsPerAddress, () => this.#listening?.port ?? 0),
        () => this.#closedEarly(),
      ),
      answered: (exchange, status) => this.#answered(exchange, status),
    };
    this.#incoming = new IncomingBodies(options.bodyTimeout, (exchange) =>
      exchange.refuse("internal_error", { message: message("body_incomplete") }, undefined, true),
    );
    const { pool, about, usage, counts, work } = options;
    this.#context = { pool, about, usage, counts, work, isDraining: () => this.#life.stopping };
    this.#streams = new Streams(options.maxStreams, {
      pool,
      idleMs: options.streamIdleTimeout,
      answerMs: options.answerTimeout,
      answered: (lines, holder) => countChecks(this.#context, lines, holder),
    });
    this.#openApp();
  }

  #openApp(): NativeApp {
    const { native, certificate } = this.#options;
    const app =
      certificate === undefined
        ? native.App()
        : native.SSLApp({ cert_file_name: certificate.cert, key_file_name: certificate.key });
    const { connections } = this.#life;
    const countConnection: ConnectionHandler = (connection, change) => {
      if (change > 0) connections.opened(connection);
      else connections.closed();
    };
    app.filter(countConnection);
    // A method with a handler of its own need not be asked for, which spares a native call.
    app.get("/*", (response, request) => this.#receive(response, request, "GET"));
    app.post("/*", (response, request) => this.#receive(response, request, "POST"));
    app.any("/*", (response, request) => this.#receive(response, request, request.getMethod().toUpperCase()));
    this.#apps.unshift(app);
    return app;
  }

  /**
   * Listens, and returns the port: `port` itself or, for 0, a free one. Rejects with a StartError when it cannot be
   * listened on; a `shared` one may be listened on by several processes that all say so.
   */
  async listen(host: string, port: number, shared: boolean): Promise<number> {
    const { native, certificate } = this.#options;
    const mode = shared ? listenShared : native.LIBUS_LISTEN_EXCLUSIVE_PORT;
    // The native layer lets a port that it was told be taken over from a socket with open connections, no other.
    const wanted = certificate === undefined ? port : await freePort(host, port);
    const socket = await new Promise<ListenSocket | false>((resolve) => {
      this.#apps[0]!.listen(host, wanted, mode, resolve);
    });
    if (socket === false) {
      // The native layer does not say why; trying does.
      await freePort(host, port);
      throw new StartError(`The port ${port} of ${host} cannot be listened on.`);
    }
    this.#socket = socket;
    const taken = native.us_socket_local_port(socket);
    this.#listening = { host, port: taken, mode };
    return taken;
  }

  /**
   * Takes new connections with the certificate as its files are now; open ones keep theirs. While the port changes
   * hands, some milliseconds, connections are refused.
   */
  async renewCertificate(): Promise<void> {
    const listening = this.#listening;
    if (listening === undefined || this.#socket === undefined) return;
    const { host, port, mode } = listening;
    const app = this.#openApp();
    this.#options.native.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
    while (!this.#life.stopping && this.#socket === undefined) {
      // The native layer lets go of the port in the next turn.
      await delay(1);
      app.listen(host, port, mode, (socket) => {
        if (socket !== false) this.#socket = socket;
      });
    }
    if (!this.#life.stopping) this.#options.log.info("the TLS certificate was renewed");
  }

  /** Takes no new connection from now on, and ends each open one with its next answer. */
  stopListening(): void {
    this.#life.stopping = true;
    this.#streams.stop();
    if (this.#socket !== undefined) this.#options.native.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
  }

  /**
   * Resolves when all that came is answered and taken, and no connection is left or none has sent anything for
   * `graceMs`: what is sent on a kept connection at the moment it is closed is lost, so each is told by an answer first.
   */
  async idle(graceMs: number): Promise<void> {
    const { pool } = this.#options;
    let seen = -1;
    let quietSince = 0;
    for (;;) {
      const isOpen = this.#incoming.size > 0 || this.#streams.size > 0;
      const isBusy = isOpen || pool.inside > 0 || this.#life.unsent.size > 0;
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
    this.#streams.close();
    this.#life.unsent.close();
    this.#options.requestLog.close();
    for (const app of this.#apps) app.close();
  }

  #receive(response: NativeResponse, request: NativeRequest, method: string): void {
    this.#received++;
    this.#life.connections.routing();
    const exchange = new Exchange(response, request, method, this.#life);
    this.#guard(exchange, () => this.#route(exchange, request));
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

  /** Decides what becomes of a request; which refusal wins is the order of the steps here. */
  #route(exchange: Exchange, request: NativeRequest): void {
    const headers = readHeaders(request);
    exchange.isLast = headers.wantsClose;
    exchange.requestId = requestIdOf(headers.requestId);
    exchange.language = languageOf(exchange.query, headers.acceptLanguage);
    const framing = readFraming(headers);
    if (!framing.ok) {
      exchange.expectBody();
      refuseFraming(exchange, framing.why);
      return;
    }
    if (framing.declaredLength === undefined) exchange.expectChunks();
    else if (framing.declaredLength > 0) exchange.expectBody();
    // Before the key: an outsider must not learn which keys are right.
    if (!this.#isServed(exchange)) {
      exchange.refuse("forbidden");
      return;
    }
    if (headers.origin !== "" && this.#options.corsOrigins.has(headers.origin)) {
      exchange.allowedOrigin = headers.origin;
      if (exchange.method === "OPTIONS" && headers.preflightMethod !== "") {
        exchange.answer(200, "", preflightHeaders);
        return;
      }
    }
    if (isEntrance(exchange.path) && isPageRequest(exchange, request)) {
      exchange.answer(302, consolePath, { "Content-Type": "text/plain", Location: consolePath });
      return;
    }
    const match = this.#routes.match(exchange.path);
    const holder = authenticate(headers, this.#options.keys);
    exchange.holder = holder;
    if (holder === undefined && match?.isOpen !== true) {
      exchange.refuse("invalid_key");
      return;
    }
    if (isHidden(exchange.path, match)) {
      exchange.refuse("forbidden");
      return;
    }
    if (match === undefined) {
      exchange.refuse(exchange.path.startsWith("/v1/") ? "invalid_request" : "not_found");
      return;
    }
    const route = match.routes.get(exchange.method);
    if (route === undefined) {
      refuseMethod(exchange, match);
      return;
    }
    exchange.route = match.numbers.get(exchange.method)!;
    if (route.accountInPath === true && !this.#options.accountInPath) {
      exchange.refuse("forbidden", { message: message("account_in_path") });
      return;
    }
    const { operation } = route;
    if (operation === "stream") {
      if (!this.#options.pool.hasEdition) exchange.refuse("configuration_error");
      else {
        const [contentEncoding, accept] = [
          request.getHeader("content-encoding"),
          request.getHeader("accept"),
        ];
        this.#streams.open(exchange, { ...headers, contentEncoding, accept });
      }
      return;
    }
    const isPost = route.method === "POST";
    if (isPost && !isJsonContentType(headers.contentType)) {
      exchange.refuse("invalid_content_type");
      return;
    }
    if (isPost && refuseTooLarge(exchange, framing.declaredLength)) return;
    if (route.pooled && !this.#options.pool.hasEdition) {
      exchange.refuse("configuration_error");
      return;
    }
    const weight = weightOf(framing.declaredLength);
    if (route.pooled) this.#options.pool.admit(weight, holder ?? anybody);
    const { ifNoneMatch, acceptEncoding } = headers;
    const { parameters } = match;
    const { query, language } = exchange;
    const call: Call = {
      exchange,
      parameters,
      query,
      language,
      weight,
      holder,
      ifNoneMatch,
      acceptEncoding,
      body: noBody,
    };
    if (isPost) this.#receiveBody(call, operation);
    else this.#perform(call, operation);
  }

  #isServed(exchange: Exchange): boolean {
    const { clients } = this.#options;
    return clients === undefined || clients(exchange.remoteAddress());
  }

  #receiveBody(call: Call, operation: DispatchedOperation): void {
    const { exchange } = call;
    const received = (body: Uint8Array) => {
      this.#incoming.end(exchange);
      this.#guard(exchange, () => this.#perform({ ...call, body }, operation));
    };
    const noRoom = () => this.#guard(exchange, () => this.#options.pool.refuse("body_memory"));
    readBody(exchange, this.#incoming, received, noRoom);
    exchange.onClosed(() => this.#incoming.end(exchange));
    this.#incoming.begin(exchange);
  }

  #perform(call: Call, operation: DispatchedOperation): void {
    call.exchange.arrivedAt = now();
    operations[operation](this.#context, call);
  }

  /** Tells the log of connections that were closed to stay within a bound, at most once in a while. */
  #closedEarly(): void {
    this.#closedCount++;
    if (this.#closedCount > 1) return;
    setTimeout(() => {
      this.#options.log.warn(
        { closed: this.#closedCount },
        "connections were closed to stay within their bound",
      );
      this.#closedCount = 0;
    }, closedReportMs).unref();
  }

  #answered(exchange: Exchange, status: number): void {
    const { counts, requestLog } = this.#options;
    const { route, arrivedAt } = exchange;
    const ms = arrivedAt === 0 ? undefined : now() - arrivedAt;
    counts.count(route, status);
    if (ms !== undefined) counts.durations[route]!.observe(ms);
    requestLog.answered(exchange, status, ms);
  }
}

/** To look a longer path up would cost a hash of it. */
function isEntrance(path: string): boolean {
  return path.length <= maxEntrance && entrances.has(path);
}

/** Of a path that leads somewhere only the parameters can begin with a dot. */
function isHidden(path: string, match: RouteMatch | undefined): boolean {
  return match === undefined
    ? hiddenPath.test(path)
    : match.parameters.some(
        (parameter) => (parameter[0] === "." || parameter[0] === "%") && hiddenPath.test(`/${parameter}`),
      );
}

/** Whether a browser asks for a page, and no client of the interface for JSON. */
function isPageRequest({ method }: Exchange, request: NativeRequest): boolean {
  return (method === "GET" || method === "HEAD") && request.getHeader("accept").includes("text/html");
}

/** A body that comes in chunks may be long. */
function weightOf(declaredLength: number | undefined): RequestWeight {
  return declaredLength === undefined || declaredLength > lightBodyBytes ? "heavy" : "light";
}

/**
 * Refuses a request whose end cannot be told and ends its connection.
 *
 * The answer waits for the next turn of the event loop: what stands behind the request in the same packet would
 * otherwise be taken for one more, and the native layer cuts a connection that sends on behind an open request.
 */
function refuseFraming(exchange: Exchange, why: Message): void {
  exchange.detach();
  exchange.refuse("invalid_request", { message: why }, undefined, true);
}

function refuseMethod(exchange: Exchange, { allow }: RouteMatch): void {
  const detail = { message: message("method_allowed", { method: exchange.method, allow }) };
  exchange.refuse("method_not_allowed", detail, { Allow: allow });
}
