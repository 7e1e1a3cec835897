import { Deadlines } from "./deadlines.ts";

/** The most bytes of unfinished bodies that are kept, over all connections. */
const mostIncomingBytes = 64 * 1_048_576;

/**
 * Requests whose body is still on its way: each has a deadline, and what has come of all of them is bounded.
 *
 * A body that comes in one piece costs no more than its deadline.
 */
export class IncomingBodies<Request> {
  readonly #deadlines: Deadlines<Request>;
  readonly #bytes = new Map<Request, number>();
  readonly #mostBytes: number;
  #total = 0;

  /** `expire` is called for each request whose body has not come whole within `milliseconds`. */
  constructor(milliseconds: number, expire: (request: Request) => void, mostBytes = mostIncomingBytes) {
    this.#deadlines = new Deadlines(milliseconds, expire);
    this.#mostBytes = mostBytes;
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
    if (this.#total + bytes > this.#mostBytes) return false;
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
