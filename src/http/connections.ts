import { readdirSync, readFileSync } from "node:fs";
import { addressCounts, addressOf } from "./addresses.ts";
import type { NativeResponse } from "./native.ts";

/** Maximum number of silent connections watched: each request with a body looks at all of them. */
const maxSilent = 256;

export type Connections = ReturnType<typeof boundedConnections>;

/**
 * The open connections, at most `max` and of one address `maxPerAddress`, 0 for any number; `closedEarly` is called for each
 * that is closed to stay within a bound. Beyond `max` those that have never sent a request go first, the oldest
 * of them first, and without any the new one is refused.
 *
 * The native layer does not say which connection a request came on, and a response must not be touched once its
 * connection is closed. So a silent connection is held by two callbacks: it closes, or its first request ends without
 * one of its own for the body. A request with a key that receives its body replaces both; it may be on any silent
 * connection of its address, and all of those are forgotten. Only connections opened while more than half of the bound is
 * in use are watched; below that none has to go.
 */
export function boundedConnections(max: number, maxPerAddress: number, closedEarly: () => void) {
  /** The oldest first. */
  const silent = new Set<{ readonly connection: NativeResponse; readonly address: string }>();
  const ofAddress = maxPerAddress === 0 ? undefined : addressCounts(maxPerAddress);
  let size = 0;
  const isCrowded = () => size * 2 > max;
  return {
    /** Undefined where an address has no bound of its own. */
    ofAddress,
    closedEarly,
    /** Whether more than half of the bound is in use, so that a refusal without a key ends its connection. */
    isCrowded,

    get size() {
      return size;
    },

    get hasSilent() {
      return silent.size > 0;
    },

    opened: (connection: NativeResponse) => {
      size++;
      const closed = ofAddress?.opened(connection);
      if (ofAddress !== undefined && closed === undefined) {
        closedEarly();
        return;
      }
      if (size > max) {
        closedEarly();
        const [oldest] = silent;
        (oldest?.connection ?? connection).close();
        if (oldest === undefined) return;
        silent.delete(oldest);
      }
      if (!isCrowded() || silent.size >= maxSilent) return;
      const watched = { connection, address: addressOf(connection) };
      silent.add(watched);
      connection.onAborted(() => {
        silent.delete(watched);
        closed?.();
      });
      // Reported right after the handler of a request, empty or not, unless the request is in chunks.
      connection.onData(() => silent.delete(watched));
    },

    closed: () => {
      size--;
      ofAddress?.closing();
    },

    /** A request with a key receives its body; call it before its callbacks are set. */
    receiving: (response: NativeResponse) => {
      if (silent.size === 0) return;
      const address = addressOf(response);
      for (const watched of silent) {
        if (address === "" || watched.address === address) silent.delete(watched);
      }
    },
  };
}

/** Minimum number of connections allowed, however few descriptors are left. */
const minConnections = 8;
/** Descriptors for the service's own files and connections (state, bank data, usage store); a quarter where there are few. */
const ownDescriptors = 64;
/** Connections where the limit is unknown or infinite. */
const unknownLimit = 10_000;

/** Returns how many connections the descriptors that the process has left allow. */
export function connectionRoom(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? unknownLimit);
    const free = limit - readdirSync("/proc/self/fd").length;
    return Math.max(minConnections, free - Math.min(ownDescriptors, Math.ceil(free / 4)));
  } catch {
    // Not Linux.
    return unknownLimit;
  }
}
