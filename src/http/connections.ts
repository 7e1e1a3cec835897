import { readdirSync, readFileSync } from "node:fs";
import { AddressCounts, addressOf } from "./addresses.ts";
import type { NativeResponse } from "./native.ts";

/** Maximum number of silent connections watched: each request with a body looks at all of them. */
const maxSilent = 256;

/**
 * The open connections, bounded in number. Beyond the bound those that have never sent a request go first, the oldest
 * of them first, and without any the new one is refused.
 *
 * The native layer does not say which connection a request came on, and a response must not be touched once its
 * connection is closed. So a silent connection is held by two callbacks: it closes, or its first request ends without
 * one of its own for the body. A request with a key that receives its body replaces both; it may be on any silent
 * connection of its address, and all of those are forgotten. Only connections opened while more than half of the bound is
 * in use are watched; below that none has to go.
 */
export class Connections {
  readonly #max: number;
  /** The oldest first. */
  readonly #silent = new Set<{ readonly connection: NativeResponse; readonly address: string }>();
  /** How many are open. */
  size = 0;
  /** Undefined where an address has no bound of its own. */
  readonly ofAddress: AddressCounts | undefined;
  /** Called for each connection that is closed to stay within a bound. */
  readonly closedEarly: () => void;

  /** At most `max` are open, and of one address `maxPerAddress`, 0 for any number. */
  constructor(max: number, maxPerAddress: number, closedEarly: () => void) {
    this.#max = max;
    this.ofAddress = maxPerAddress === 0 ? undefined : new AddressCounts(maxPerAddress);
    this.closedEarly = closedEarly;
  }

  get hasSilent(): boolean {
    return this.#silent.size > 0;
  }

  /** Whether enough are open that those that may be closed should be. */
  get isCrowded(): boolean {
    return this.size * 2 > this.#max;
  }

  opened(connection: NativeResponse): void {
    this.size++;
    const closed = this.ofAddress?.opened(connection);
    if (this.ofAddress !== undefined && closed === undefined) {
      this.closedEarly();
      connection.close();
      this.ofAddress.refused();
      return;
    }
    if (this.size > this.#max) {
      this.closedEarly();
      const [oldest] = this.#silent;
      (oldest?.connection ?? connection).close();
      if (oldest === undefined) return;
      this.#silent.delete(oldest);
    }
    if (!this.isCrowded || this.#silent.size >= maxSilent) return;
    const silent = { connection, address: addressOf(connection) };
    this.#silent.add(silent);
    connection.onAborted(() => {
      this.#silent.delete(silent);
      closed?.();
    });
    // Reported right after the handler of a request, empty or not, unless the request is in chunks.
    connection.onData(() => this.#silent.delete(silent));
  }

  closed(): void {
    this.size--;
    this.ofAddress?.closing();
  }

  /** A request with a key receives its body; call it before its callbacks are set. */
  receiving(response: NativeResponse): void {
    if (this.#silent.size === 0) return;
    const address = addressOf(response);
    for (const silent of this.#silent) {
      if (address === "" || silent.address === address) this.#silent.delete(silent);
    }
  }
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
