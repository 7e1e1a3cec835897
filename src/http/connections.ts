import { readdirSync, readFileSync } from "node:fs";
import { MessageChannel } from "node:worker_threads";
import type { AddressCounts } from "./addresses.ts";
import type { NativeResponse } from "./binding.ts";

/** Receives one piece of a body, valid only during the call. */
export type BodyReceiver = (piece: ArrayBuffer, isLast: boolean) => void;

/** Maximum number of silent connections watched; a request with a body has to look at each. */
const maxSilent = 256;

/** The connection of a request that still sends chunks after so long must not pass for a silent one. */
const quickChunksMs = 300;

/** A request in chunks that may be on a silent connection. */
interface UnplacedRequest {
  /** The newest silent connection that it may be on. */
  readonly lastId: number;
  readonly receive: BodyReceiver;
  /** Called when its client has gone. */
  readonly aborted: () => void;
}

/**
 * The open connections, bounded in number. Beyond the bound those that have never sent a request go first, the oldest
 * of them first, and without any the new one is refused.
 *
 * The native layer does not say which connection a request came on, and a response must not be touched once its
 * connection is closed. So a silent connection is held by two callbacks: it closes, or its first request brings a body,
 * which the native layer reports right after the handler, for every request that is not chunked, empty or not. Only
 * connections opened while more than half of the bound is in use are watched; below that none has to go.
 */
export class Connections {
  readonly #max: number;
  readonly #silent = new Map<number, NativeResponse>();
  readonly #unplaced = new Map<NativeResponse, UnplacedRequest>();
  #open = 0;
  #lastId = 0;
  /** Takes the body of the request whose handler has just returned. */
  #routed: BodyReceiver | undefined;
  readonly #ofAddress: AddressCounts;
  /** Called for each connection that is closed to stay within a bound. */
  readonly closedEarly: () => void;

  constructor(max: number, ofAddress: AddressCounts, closedEarly: () => void) {
    this.#max = max;
    this.#ofAddress = ofAddress;
    this.closedEarly = closedEarly;
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open;
  }

  /** Whether enough are open that those that may be closed should be. */
  get isCrowded(): boolean {
    return this.#open * 2 > this.#max;
  }

  /** A connection was opened. */
  opened(connection: NativeResponse): void {
    this.#open++;
    if (this.#ofAddress.isTooMany(() => addressOf(connection))) {
      this.closedEarly();
      connection.close();
      return;
    }
    if (this.#open > this.#max) {
      this.closedEarly();
      if (!this.#closeOldestSilent()) {
        connection.close();
        return;
      }
    }
    if (this.isCrowded) this.#watch(connection);
  }

  /** A connection was closed. */
  closed(): void {
    this.#open--;
    this.#ofAddress.closed(this.#open);
  }

  /** A request begins. */
  routing(): void {
    this.#routed = undefined;
  }

  /** Whether any silent connection is watched. */
  get hasSilent(): boolean {
    return this.#silent.size > 0;
  }

  /** Receives the body of a request whose length was declared; call it from within the handler of the request. */
  onData(response: NativeResponse, receive: BodyReceiver): void {
    if (!this.hasSilent) {
      response.onData(receive);
      return;
    }
    const receiveRouted: BodyReceiver = (piece, isLast) => {
      this.#routed = undefined;
      receive(piece, isLast);
    };
    this.#routed = receiveRouted;
    response.onData(receiveRouted);
    // The response may be that of a silent connection, whose callback has just been replaced. The body is reported next.
    for (const [id, connection] of this.#silent) {
      let isOwn = false;
      connection.onData((piece, isLast) => {
        this.#silent.delete(id);
        isOwn ||= this.#routed === receiveRouted;
        if (isOwn) receiveRouted(piece, isLast);
      });
    }
    this.#restoreUnplaced();
  }

  /**
   * Receives a body in chunks, and `aborted` once its client has gone; call `chunksEnded` in the same turn as either that
   * or the answer.
   *
   * The first chunk may come at any time, so the request may be on any of the silent connections, where its callbacks have
   * replaced those of the watch. Which one shows when it ends and that one closes; until then it may go like the others,
   * unless chunks keep coming: then none of those is watched any more.
   */
  onChunks(response: NativeResponse, receive: BodyReceiver, aborted: () => void): void {
    if (!this.hasSilent) {
      response.onData(receive);
      return;
    }
    const lastId = this.#lastId;
    const begunAt = performance.now();
    const request = {
      lastId,
      receive: (piece: ArrayBuffer, isLast: boolean) => {
        if (performance.now() - begunAt > quickChunksMs) this.#forgetWith(response);
        receive(piece, isLast);
      },
      aborted,
    };
    response.onData(request.receive);
    this.#unplaced.set(response, request);
  }

  /** A request in chunks has been answered or aborted. */
  chunksEnded(response: NativeResponse): void {
    if (!this.#unplaced.delete(response)) return;
    for (const [id, connection] of this.#silent) {
      if (isClosed(connection)) this.#silent.delete(id);
      else this.#expectFirst(id, connection);
    }
    this.#restoreUnplaced();
  }

  /** Forgets the silent connections that a request in chunks may be on: none of them may be touched any more. */
  #forgetWith(response: NativeResponse): void {
    const request = this.#unplaced.get(response);
    if (request === undefined) return;
    this.#unplaced.delete(response);
    for (const id of this.#silent.keys()) {
      if (id > request.lastId) break;
      this.#silent.delete(id);
    }
  }

  /** Restores the callbacks of requests in chunks after those of all silent connections were set. */
  #restoreUnplaced(): void {
    for (const [response, { receive, aborted }] of this.#unplaced) {
      response.onAborted(aborted);
      response.onData(receive);
    }
  }

  #watch(connection: NativeResponse): void {
    if (this.#silent.size === maxSilent) return;
    const id = ++this.#lastId;
    this.#expectFirst(id, connection);
    this.#silent.set(id, connection);
  }

  /** Forgets a silent connection when it closes or sends its first request. */
  #expectFirst(id: number, connection: NativeResponse): void {
    const forget = () => this.#silent.delete(id);
    connection.onAborted(forget);
    connection.onData(forget);
  }

  #closeOldestSilent(): boolean {
    for (const [id, connection] of this.#silent) {
      this.#silent.delete(id);
      connection.close();
      return true;
    }
    return false;
  }
}

/** Returns the address of a client as text. Only valid while its connection is open. */
export function addressOf(connection: NativeResponse): string {
  return Buffer.from(connection.getRemoteAddressAsText()).toString("latin1");
}

/** Whether a connection is closed, or its client gone. Only valid in the turn in which it was closed. */
function isClosed(connection: NativeResponse): boolean {
  return connection.getRemoteAddressAsText().byteLength === 0;
}

/** Minimum number of connections allowed, however few descriptors are left. */
const minConnections = 8;
/** Descriptors kept for files and connections of the service's own, if there are enough. */
const ownDescriptors = 64;
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

const { port1: arrivals, port2: calls } = new MessageChannel();
let due: (() => void)[] = [];

arrivals.on("message", () => {
  const now = due;
  due = [];
  for (const run of now) run();
});
// A process that has nothing else to do may end.
arrivals.unref();

/**
 * Calls a function on the next turn of the event loop, where it may close connections.
 *
 * That is where the loop takes what has arrived. The native layer never frees the memory of a connection that is closed
 * in a callback of `setImmediate`: it does so at the end of each turn, before those are called, and by the next turn it
 * takes the socket for one that is still being closed. Each would leave 440 bytes behind.
 */
export function nextTurn(run: () => void): void {
  due.push(run);
  if (due.length === 1) calls.postMessage(undefined);
}

/** Limits how often something may happen in one second, on average and in a burst. */
export class RateLimit {
  readonly #perSecond: number;
  #left: number;
  #filledAt = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** Returns whether it may happen once more now, and counts it if so. */
  take(): boolean {
    if (this.#left < 1) this.#refill();
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  #refill(): void {
    const now = performance.now();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#filledAt) * this.#perSecond) / 1_000);
    this.#filledAt = now;
  }
}

/** Limits how often something may happen in one turn of the event loop. */
export class TurnLimit {
  readonly #perTurn: number;
  #taken = 0;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Returns whether it may happen once more in this turn, and counts it. */
  take(): boolean {
    if (this.#taken === 0) {
      setImmediate(() => {
        this.#taken = 0;
      });
    }
    this.#taken++;
    return this.#taken <= this.#perTurn;
  }
}
