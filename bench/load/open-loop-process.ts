import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "../iban-mix.ts";
import { machineBusySeconds } from "./machine-time.ts";
import type { LoadOutcome, OpenLoad, Stream, StreamResult } from "./open-loop.ts";
import { readProcessorTime } from "./process.ts";

interface Seen {
  readonly times: number[];
  retryAfter: number;
}

const tickMs = 1;
/** The longest pause between two looks at what is due and what has been answered, where requests come at random. */
const pauseMs = 0.2;
/** What is less than this away is waited for without a pause. */
const shortestPauseMs = 0.03;
/** From which lateness on a request that comes at random is left out. */
const mostLateMs = 5;
/** How long answers that are on their way when the sending ends are waited for. */
const settleMs = 300;
const headEnd = "\r\n\r\n";

/** Seed of the next stream: no two loads come at the same times, but those of two runs do. */
let seed = 1;

/** Sends one stream over connections of its own and keeps what comes back. */
class Sender {
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

  async open(port: number): Promise<void> {
    const sockets = Array.from({ length: this.#stream.connections }, () =>
      connect(port, "127.0.0.1").setNoDelay(),
    );
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    for (const socket of sockets) {
      const connection = new Connection(socket, (status, retryAfter, ms) => {
        this.#note(status, retryAfter, ms);
        this.#idle.push(connection);
        // Not only when the timer comes: a busy generator would send in bursts what is due evenly.
        this.sendDue();
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        if (!this.#isOver) this.#lost++;
      });
      this.#connections.push(connection);
      this.#idle.push(connection);
    }
  }

  begin(): void {
    this.#begin = performance.now();
  }

  /** Sends what has become due since the last time. */
  sendDue(): void {
    if (this.#isOver) return;
    const { perSecond } = this.#stream;
    if (perSecond === "closed") {
      for (const connection of this.#idle.splice(0)) this.#sendOn(connection);
      return;
    }
    const now = performance.now() - this.#begin;
    const isRandom = this.#stream.isRandom === true;
    for (; this.#nextDue <= now; this.#due++) {
      const late = now - this.#nextDue;
      const connection = isRandom && late > mostLateMs ? undefined : this.#idle.pop();
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

/** One keep-alive connection with at most one request on its way; it reads no more of an answer than its head. */
class Connection {
  readonly socket: Socket;
  readonly #answered: (status: number, retryAfter: boolean, ms: number) => void;
  #head = "";
  #status = 0;
  #retryAfter = false;
  /** Bytes of the body still to come; undefined while the head comes. */
  #left: number | undefined;
  #sentAt = 0;

  constructor(socket: Socket, answered: (status: number, retryAfter: boolean, ms: number) => void) {
    this.socket = socket;
    this.#answered = answered;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  send(request: Buffer): void {
    this.#sentAt = performance.now();
    this.socket.write(request);
  }

  #read(chunk: Buffer): void {
    if (this.#left === undefined) {
      // The head is a few hundred bytes; what follows is only counted.
      const seen = this.#head.length;
      this.#head += chunk.toString("latin1", 0, Math.min(chunk.length, 1_024));
      const end = this.#head.indexOf(headEnd);
      if (end === -1) return;
      const head = this.#head.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      this.#retryAfter = /\r\nretry-after: 2(\r|$)/i.test(head);
      this.#left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) + end + headEnd.length - seen;
      this.#head = "";
    }
    this.#left -= chunk.length;
    if (this.#left > 0) return;
    this.#left = undefined;
    this.#answered(this.#status, this.#retryAfter, performance.now() - this.#sentAt);
  }
}

/** Sends what is due every millisecond; the function it gives ends that. */
function pace(senders: readonly Sender[]): () => void {
  const timer = setInterval(() => {
    for (const sender of senders) sender.sendDue();
  }, tickMs);
  return () => clearInterval(timer);
}

/**
 * Sends what is due as soon as it is: timers are a millisecond coarse, and what had gathered meanwhile would come in a
 * burst. Sleeps in between, since the service wants the processor too.
 */
function paceFinely(senders: readonly Sender[]): () => void {
  let isOver = false;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const turn = () => {
    if (isOver) return;
    for (const sender of senders) sender.sendDue();
    const pause = Math.min(pauseMs, ...senders.map(({ dueInMs }) => dueInMs));
    if (pause > shortestPauseMs) Atomics.wait(sleeper, 0, 0, pause);
    setImmediate(turn);
  };
  turn();
  return () => {
    isOver = true;
  };
}

async function run(load: OpenLoad): Promise<LoadOutcome> {
  const senders = load.streams.map((stream) => new Sender(stream));
  await Promise.all(senders.map((sender) => sender.open(load.port)));
  const before = { own: readProcessorTime(process.pid).all, machine: machineBusySeconds() };
  const begin = performance.now();
  for (const sender of senders) sender.begin();
  const endPacing = load.streams.some(({ isRandom }) => isRandom) ? paceFinely(senders) : pace(senders);
  await delay(load.seconds * 1_000);
  endPacing();
  for (const sender of senders) sender.stop();
  const seconds = (performance.now() - begin) / 1_000;
  const generatorSeconds = readProcessorTime(process.pid).all - before.own;
  const machineSeconds = machineBusySeconds() - before.machine;
  const settledAt = performance.now() + settleMs;
  while (performance.now() < settledAt && senders.some(({ isWaiting }) => isWaiting)) await delay(tickMs);
  for (const sender of senders) sender.end();
  return { streams: senders.map((sender) => sender.result()), seconds, generatorSeconds, machineSeconds };
}

process.on("message", (load: OpenLoad) => {
  run(load).then((outcome) => process.send?.(outcome));
});
// A terminal's Ctrl-C reaches this process too; it ends when the one that started it says so, or is gone.
process.on("SIGINT", () => {});
process.once("disconnect", () => process.exit());
