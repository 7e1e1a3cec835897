import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "../../test/support/random.ts";
import type { Stream, StreamResult, Target } from "./open-loop.ts";
import { Connection } from "./open-loop-connection.ts";

interface Seen {
  readonly times: number[];
  retryAfter: number;
}

/** From which lateness on a request of an open loop is left out. */
const maxLateMs = 5;
/** How long all connections may take to open. */
const openingMs = 15_000;
/** How soon a connection is opened again that was closed before it had answered. */
const reopenMs = 250;
/** How much of a limit a closed loop may make up for: what a service that stalled has not taken is not sent in one burst. */
const burstSeconds = 0.1;
/** More than any generator sends. */
const unlimited = 1e9;

/** Seed of the next stream: no two loads come at the same times, but those of two runs do. */
let seed = 1;

/** Sends one stream over its own connections and keeps what comes back. */
export class Sender {
  readonly #stream: Stream;
  readonly #target: Target;
  readonly #idle: Connection[] = [];
  readonly #connections = new Set<Connection>();
  readonly #seen = new Map<number, Seen>();
  readonly #requests: readonly Buffer[];
  readonly #late: number[] = [];
  readonly #random = seededRandom(seed++);
  #phase: "opening" | "sending" | "over" = "opening";
  #begin = 0;
  #due = 0;
  /** Milliseconds from the beginning at which the next request is due. */
  #nextDue = 0;
  /** How many requests the limit allows now, and as of which millisecond. */
  #allowance = 1;
  #allowedAt = 0;
  #sent = 0;
  #tooLate = 0;
  #aboveLimit = 0;
  #reopened = 0;
  #lost = 0;

  constructor(stream: Stream, target: Target) {
    this.#stream = stream;
    this.#target = target;
    this.#requests = stream.requests.map((request) => Buffer.from(request));
  }

  /** Opens all connections; rejects where one of them cannot be opened. */
  async open(): Promise<void> {
    const opened = Array.from(
      { length: this.#stream.connections },
      () => new Promise<void>((resolve, reject) => this.#connect(resolve, reject)),
    );
    const tooLate = delay(openingMs, undefined, { ref: false }).then(() => {
      throw new Error(`not all connections were opened within ${openingMs / 1_000} seconds`);
    });
    await Promise.race([Promise.all(opened), tooLate]);
  }

  /** Opens a connection, and another one when that is closed. */
  #connect(opened?: () => void, failed?: (error: Error) => void): void {
    const connection: Connection = new Connection(this.#target, {
      opened: () => {
        this.#idle.push(connection);
        opened?.();
        this.sendDue();
      },
      answered: (status, retryAfter, ms) => {
        this.#record(status, retryAfter, ms);
        if (connection.isEnding) connection.end();
        else this.#idle.push(connection);
        // Not only when the timer comes: a busy generator would send in bursts what is due evenly.
        this.sendDue();
      },
      closed: (error) => {
        // An error of several addresses has a code, but no message.
        failed?.(new Error(error?.message || error?.code || "the connection was closed"));
        this.#connections.delete(connection);
        const place = this.#idle.indexOf(connection);
        if (place !== -1) this.#idle.splice(place, 1);
        if (this.#phase === "over") return;
        if (connection.hasAnswered && !connection.isBusy) this.#reopened++;
        else this.#lost++;
        const reopen = () => {
          if (this.#phase !== "over") this.#connect();
        };
        setTimeout(reopen, connection.hasAnswered ? 0 : reopenMs);
      },
    });
    this.#connections.add(connection);
  }

  begin(): void {
    this.#begin = performance.now();
    this.#phase = "sending";
  }

  sendDue(): void {
    if (this.#phase !== "sending") return;
    const { perSecond, maxPerSecond = unlimited } = this.#stream;
    const now = performance.now() - this.#begin;
    this.#allowance += ((now - this.#allowedAt) * maxPerSecond) / 1_000;
    this.#allowedAt = now;
    if (perSecond === "closed") {
      this.#allowance = Math.min(this.#allowance, 1 + maxPerSecond * burstSeconds);
      while (this.#idle.length > 0 && this.#allowance >= 1) this.#sendOn(this.#idle.pop()!);
      return;
    }
    for (; this.#nextDue <= now; this.#due++) {
      const late = now - this.#nextDue;
      this.#nextDue += (-Math.log(1 - this.#random()) * 1_000) / perSecond;
      if (late > maxLateMs) this.#tooLate++;
      else if (this.#allowance < 1) this.#aboveLimit++;
      else if (this.#idle.length > 0) {
        this.#late.push(late);
        this.#sendOn(this.#idle.pop()!);
      }
    }
  }

  get dueInMs(): number {
    return this.#nextDue - (performance.now() - this.#begin);
  }

  get isWaiting(): boolean {
    return [...this.#connections].some(({ isBusy }) => isBusy);
  }

  stop(): void {
    this.#phase = "over";
  }

  end(): void {
    this.stop();
    for (const connection of this.#connections) connection.end();
  }

  result(): StreamResult {
    const statuses = [...this.#seen].map(([status, { times, retryAfter }]) => {
      const at = sharesOf(times);
      const [p50, p90, p99, p999, max] = [at(0.5), at(0.9), at(0.99), at(0.999), at(1)];
      return [status, { count: times.length, retryAfter, p50, p90, p99, p999, max }] as const;
    });
    const due = Math.max(this.#due, this.#sent);
    return {
      name: this.#stream.name,
      due,
      sent: this.#sent,
      statuses: Object.fromEntries(statuses),
      tooLate: this.#tooLate,
      aboveLimit: this.#aboveLimit,
      lateP99: sharesOf(this.#late)(0.99),
      reopened: this.#reopened,
      lost: this.#lost,
    };
  }

  #sendOn(connection: Connection): void {
    this.#allowance--;
    connection.send(this.#requests[this.#sent++ % this.#requests.length]!);
  }

  #record(status: number, retryAfter: boolean, ms: number): void {
    const seen = this.#seen.get(status) ?? { times: [], retryAfter: 0 };
    this.#seen.set(status, seen);
    seen.times.push(ms);
    if (retryAfter) seen.retryAfter++;
  }
}

/** The value below which a share of the values lies; NaN for none. */
function sharesOf(values: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(values).sort();
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
