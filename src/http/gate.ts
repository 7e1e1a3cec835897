import { maxBodyBytes } from "../contract/limits.ts";
import { message } from "../contract/message.ts";
import { refuseUnknownParameters } from "../contract/query-parameters.ts";
import type { DescribedRoute } from "../contract/routes.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { type SlotSize, smallRoom } from "../pool/slots.ts";
import type { Settings } from "../settings-table.ts";
import type { ClientFilter } from "./addresses.ts";
import type { Connections } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import { maxDiscardedBytes } from "./last-body.ts";
import { authenticate, readFraming } from "./request.ts";
import { matchRoute } from "./route-tree.ts";

const consolePath = "/service/console";

/** Paths that people type to reach the console; API clients get the same error here as on any unknown path. */
const entrances: ReadonlySet<string> = new Set(["/", "/service", "/service/", "/service/console/"]);

const hiddenPath = /\/(?:\.|%2e)/i;
const jsonContentType = /^application\/json\s*(;|$)/i;

/** The answer to a browser that asks whether a page may send a request. Source: Fetch Standard, section "CORS protocol". */
const preflightHeaders = {
  "Content-Type": "text/plain",
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Allow-Headers":
    "Authorization, X-API-Key, Content-Type, Content-Encoding, X-Request-Id, Accept-Language, If-None-Match",
  "Access-Control-Max-Age": "600",
};

export interface GateOptions {
  readonly keys: KeyRing;
  /** Which client addresses are served; undefined serves all. */
  readonly clients: ClientFilter | undefined;
  readonly settings: Settings;
}

/**
 * Admits a request to its operation, or answers it: returns where it leads and the slot that it needs, by the declared
 * length of its body; undefined if it has been answered. Which refusal wins is the order of the steps here.
 */
export function admit(
  exchange: Exchange,
  { keys, clients, settings }: GateOptions,
  connections: Connections,
): { readonly route: DescribedRoute; readonly size: SlotSize } | undefined {
  const { headers } = exchange;
  const framing = readFraming(headers);
  const isChunked = framing === undefined;
  const isRefused = typeof framing === "object";
  // Its body would replace the callbacks of a silent connection, and strangers must not end the watch over any.
  if (connections.hasSilent && (isRefused || (isChunked && authenticate(headers, keys) === undefined))) {
    connections.closedEarly();
    exchange.drop();
    return undefined;
  }
  if (isRefused) {
    // The rest of the packet would be parsed as another request. Until the next turn the native layer cuts a
    // connection that continues.
    exchange.detach();
    return exchange.refuse("invalid_request", { message: framing }, undefined, true);
  }
  if (isChunked) exchange.expectChunks();
  // Before the key: an outsider must not learn which keys are right.
  if (clients?.(exchange.remoteAddress()) === false) return exchange.refuse("forbidden");
  if (answerPage(exchange, settings.corsOrigins)) return undefined;
  const match = matchRoute(exchange.path);
  exchange.holder = authenticate(headers, keys);
  if (exchange.holder === undefined && match?.node.isOpen !== true) return exchange.refuse("invalid_key");
  if (hiddenPath.test(exchange.path)) return exchange.refuse("forbidden");
  if (match === undefined) {
    const { method, path } = exchange;
    const named = message("endpoint_unknown", { method, path: shownPath(path) });
    return exchange.refuse(path.startsWith("/v1/") ? "invalid_request" : "not_found", { message: named });
  }
  const { node } = match;
  exchange.parameters = match.parameters;
  const route = node.routes.get(exchange.method);
  if (route === undefined) {
    const { allow } = node;
    const detail = { message: message("method_allowed", { method: exchange.method, allow }) };
    return exchange.refuse("method_not_allowed", detail, { Allow: allow });
  }
  exchange.route = route.number;
  if (route.accountInPath === true && settings.getIban === "off") {
    return exchange.refuse("forbidden", { message: message("account_in_path") });
  }
  if (route.method === "POST" && route.operation !== "stream") {
    if (!jsonContentType.test(headers.contentType)) return exchange.refuse("invalid_content_type");
    if (framing !== undefined && framing > maxBodyBytes) {
      return exchange.refuse("payload_too_large", undefined, undefined, framing > maxDiscardedBytes);
    }
  }
  if (exchange.query !== "") refuseUnknownParameters(route.operation, exchange.query);
  // A body that comes in chunks may be long.
  const isLarge = isChunked || framing > smallRoom.input;
  return { route, size: isLarge ? "large" : "small" };
}

/** Answers what browsers ask besides the interface: whether a page may send a request, and where the console is. */
function answerPage(exchange: Exchange, corsOrigins: string): boolean {
  const { accept, origin, preflightMethod } = exchange.headers;
  if (origin !== "" && corsOrigins.split(",").includes(origin)) {
    exchange.allowedOrigin = origin;
    if (exchange.method === "OPTIONS" && preflightMethod !== "") {
      exchange.answer(200, "", preflightHeaders);
      return true;
    }
  }
  const { method, path } = exchange;
  // A client of the interface asks for JSON.
  if (!accept.includes("text/html") || !entrances.has(path) || (method !== "GET" && method !== "HEAD"))
    return false;
  exchange.answer(302, consolePath, { "Content-Type": "text/plain", Location: consolePath });
  return true;
}

/** How much of an unknown path its error repeats, and what it repeats of that: short words, never a number or a key. */
const maxShownPath = 80;

const shownSegment = /^(?:v\d|[A-Za-z_.-]{0,12})$/;

function shownPath(path: string): string {
  const segments = path.slice(0, maxShownPath).split("/");
  return segments.map((segment) => (shownSegment.test(segment) ? segment : "…")).join("/");
}
