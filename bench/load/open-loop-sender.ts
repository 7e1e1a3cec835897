import { once } from "node:events";
import { seededRandom } from "../../test/support/iban-mix.ts";
import type { Stream, StreamResult, Target } from "./open-loop.ts";
import { Connection } from "./open-loop-connection.ts";

interface Seen {
  readonly times: number[];
  retryAfter: number;
}

/** From which lateness on a request that comes at random is left out. */
const maxLateMs = 5;

/** Seed of the next stream: no two loads come at the same times, but those of two runs do. */
let seed = 1;

/** Sends one stream over its own connections and keeps what comes back. */
export class Sender {
  readonly #stream: Stream;
  readonly #idle: Connection[] = [];
  readonly #connections: Connection[] = [];
  readonly #seen = new Map<number, Seen>();
  readonly #requests: readonly Buffer[];
  readonly #late: number[] = [];
  readonly #random = seededRandom(seed++);
  #due = 0;
  /** Milliseconds from the beginning at which the next request is due. */
  #nextDue = 0;
  #sent = 0;
  #lost = 0;
  #isOver = false;
  #begin = 0;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#requests = stream.requests.map((request) => Buffer.from(request));
  }

  async open(target: Target): Promise<void> {
    for (let opened = 0; opened < this.#stream.connections; opened++) {
      const connection = new Connection(target, (status, retryAfter, ms) => {
        this.#note(status, retryAfter, ms);
        this.#idle.push(connection);
        // Not only when the timer comes: a busy generator would send in bursts what is due evenly.
        this.sendDue();
      });
      this.#connections.push(connection);
      this.#idle.push(connection);
    }
    const event = target.isTls === true ? "secureConnect" : "connect";
    await Promise.all(this.#connections.map(({ socket }) => once(socket, event)));
    for (const { socket } of this.#connections) {
      socket.on("error", () => {});
      socket.on("close", () => {
        if (!this.#isOver) this.#lost++;
      });
    }
  }

  begin(): void {
    this.#begin = performance.now();
  }

  /** Sends what has become due since the last time. */
  sendDue(): void {
    if (this.#isOver) return;
    const { perSecond, maxPerSecond = Number.POSITIVE_INFINITY } = this.#stream;
    const now = performance.now() - this.#begin;
    const allowed = (maxPerSecond * (now + 1)) / 1_000;
    if (perSecond === "closed") {
      while (this.#idle.length > 0 && this.#sent < allowed) this.#sendOn(this.#idle.pop()!);
      return;
    }
    const isRandom = this.#stream.isRandom === true;
    for (; this.#nextDue <= now; this.#due++) {
      const late = now - this.#nextDue;
      const isLeftOut = (isRandom && late > maxLateMs) || this.#sent >= allowed;
      const connection = isLeftOut ? undefined : this.#idle.pop();
      if (connection !== undefined) {
        this.#late.push(late);
        this.#sendOn(connection);
      }
      const share = isRandom ? -Math.log(1 - this.#random()) : 1;
      this.#nextDue += (share * 1_000) / perSecond;
    }
  }

  /** Milliseconds until the next request is due. */
  get dueInMs(): number {
    return this.#nextDue - (performance.now() - this.#begin);
  }

  /** Whether answers are still to come. */
  get isWaiting(): boolean {
    return this.#idle.length < this.#connections.length;
  }

  /** Sends nothing more. */
  stop(): void {
    this.#isOver = true;
  }

  /** Ends all connections. */
  end(): void {
    for (const { socket } of this.#connections) socket.destroy();
  }

  result(): StreamResult {
    const statuses = [...this.#seen].map(([status, { times, retryAfter }]) => {
      const at = sharesOf(times);
      return [status, { count: times.length, retryAfter, p50: at(0.5), p99: at(0.99), max: at(1) }] as const;
    });
    const due = Math.max(this.#due, this.#sent);
    return {
      name: this.#stream.name,
      due,
      sent: this.#sent,
      statuses: Object.fromEntries(statuses),
      lateP99: sharesOf(this.#late)(0.99),
      lost: this.#lost,
    };
  }

  #sendOn(connection: Connection): void {
    connection.send(this.#requests[this.#sent++ % this.#requests.length]!);
  }

  #note(status: number, retryAfter: boolean, ms: number): void {
    let seen = this.#seen.get(status);
    if (seen === undefined) {
      seen = { times: [], retryAfter: 0 };
      this.#seen.set(status, seen);
    }
    seen.times.push(ms);
    if (retryAfter) seen.retryAfter++;
  }
}

/** The value below which a share of the values lies; NaN for none. */
function sharesOf(values: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(values).sort();
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
