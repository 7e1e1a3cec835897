import { maxBodyBytes } from "../contract/limits.ts";
import { message } from "../contract/message.ts";
import { isWholeDespiteFraming } from "./chunked-request.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Deadlines of one fixed length for many things at once, for the price of one map entry each.
 *
 * Since all run equally long, they expire in the order they were added; a sweep looks at the oldest only. Time is
 * counted in sweeps, so nothing asks for the clock when an item is added.
 */
export class Deadlines<Item> {
  readonly #sweeps: number;
  readonly #expire: (item: Item) => void;
  readonly #added = new Map<Item, number>();
  readonly #sweepMs: number;
  /** Runs as long as there is something to look at. */
  #timer: NodeJS.Timeout | undefined;
  #now = 0;

  /**
   * `expire` is called once for each item whose time is up, between `milliseconds` and two `sweep`s later; errors in
   * it are the caller's.
   */
  constructor(milliseconds: number, expire: (item: Item) => void, sweep = Math.min(100, milliseconds)) {
    this.#sweeps = Math.ceil(milliseconds / sweep) + 1;
    this.#expire = expire;
    this.#sweepMs = sweep;
  }

  /** How many items' time is running. */
  get size(): number {
    return this.#added.size;
  }

  /** Starts an item's time. */
  add(item: Item): void {
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#sweep(), this.#sweepMs);
      this.#timer.unref();
    }
    this.#added.set(item, this.#now);
  }

  /** Ends an item's time; unknown ones are ignored. */
  delete(item: Item): void {
    this.#added.delete(item);
  }

  /** Stops sweeping: nothing expires any more. */
  close(): void {
    clearInterval(this.#timer);
    this.#added.clear();
  }

  #sweep(): void {
    this.#now++;
    if (this.#added.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const [item, added] of this.#added) {
      if (this.#now - added < this.#sweeps) return;
      this.#added.delete(item);
      this.#expire(item);
    }
  }
}

/** The most bytes of unfinished bodies that are kept, over all connections. */
const maxIncomingBytes = 64 * 1_048_576;

/**
 * Requests whose body is still on its way: each has a deadline, and what has come of all of them is bounded.
 *
 * A body that comes in one piece costs no more than its deadline.
 */
export class IncomingBodies<Request> {
  readonly #deadlines: Deadlines<Request>;
  readonly #bytes = new Map<Request, number>();
  readonly #maxBytes: number;
  #total = 0;

  /** `expire` is called for each request whose body has not come whole within `milliseconds`. */
  constructor(milliseconds: number, expire: (request: Request) => void, maxBytes = maxIncomingBytes) {
    this.#deadlines = new Deadlines(milliseconds, expire);
    this.#maxBytes = maxBytes;
  }

  /** How many bodies are on their way. */
  get size(): number {
    return this.#deadlines.size;
  }

  /** How many bytes are kept. */
  get total(): number {
    return this.#total;
  }

  /** A request's body begins to come. */
  begin(request: Request): void {
    this.#deadlines.add(request);
  }

  /** Notes that so many more bytes are kept for a request; false where there is no room for them. */
  keep(request: Request, bytes: number): boolean {
    if (this.#total + bytes > this.#maxBytes) return false;
    this.#total += bytes;
    this.#bytes.set(request, (this.#bytes.get(request) ?? 0) + bytes);
    return true;
  }

  /** A request's body has come, or never will; what was kept of it is let go. */
  end(request: Request): void {
    this.#deadlines.delete(request);
    const bytes = this.#bytes.get(request);
    if (bytes !== undefined) {
      this.#bytes.delete(request);
      this.#total -= bytes;
    }
  }

  /** Ends the watch over time. */
  close(): void {
    this.#deadlines.close();
  }
}

/** A body declared longer than this is not read to its end and thrown away: the connection is cut after the answer. */
const discardLimit = 8 * 1_048_576;

/** A chunked body that stops for so long is looked at whether its framing was misread. */
const stallMs = 300;

/** Whether a Content-Type is JSON: `application/json`, in any case and with any parameters. */
export function isJsonContentType(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType);
}

/** Answers with payload_too_large where the declared length is beyond 128 KB, and says whether it did. */
export function refuseTooLarge(exchange: Exchange, declaredLength: number | undefined): boolean {
  if (declaredLength === undefined || declaredLength <= maxBodyBytes) return false;
  exchange.refuse("payload_too_large", undefined, undefined, declaredLength > discardLimit);
  return true;
}

/**
 * Reads a body of at most 128 KB and hands it over in one piece, valid only during the call.
 *
 * One that turns out larger while it is read is answered with payload_too_large; `noRoom` is to answer one for which no
 * memory is left. What the client still sends is thrown away, since a cut could cost it the answer.
 */
export function readBody(
  exchange: Exchange,
  incoming: IncomingBodies<Exchange>,
  done: (body: Uint8Array) => void,
  noRoom: () => void,
): void {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let stalled: NodeJS.Timeout | undefined;
  const refuseMisread = () => {
    if (!exchange.closed && isWholeDespiteFraming(Buffer.concat(pieces))) {
      exchange.refuse("invalid_request", { message: message("framing_chunks") }, undefined, true);
    }
  };
  exchange.onData((piece, isLast) => {
    if (exchange.closed) return;
    clearTimeout(stalled);
    length += piece.length;
    if (length > maxBodyBytes) {
      pieces = [];
      exchange.refuse("payload_too_large");
    } else if (isLast) {
      done(pieces.length === 0 ? piece : Buffer.concat([...pieces, piece], length));
    } else if (incoming.keep(exchange, piece.length)) {
      pieces.push(piece.slice());
      if (exchange.isChunked) stalled = setTimeout(refuseMisread, stallMs);
    } else {
      pieces = [];
      noRoom();
    }
  });
}
