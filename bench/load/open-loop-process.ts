import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { OpenLoad, Stream, StreamResult } from "./open-loop.ts";

interface Seen {
  readonly times: number[];
  retryAfter: number;
}

const tickMs = 1;
const settleMs = 300;
const headEnd = "\r\n\r\n";

/** Sends one stream over connections of its own and keeps what comes back. */
class Sender {
  readonly #stream: Stream;
  readonly #idle: Connection[] = [];
  readonly #connections: Connection[] = [];
  readonly #seen = new Map<number, Seen>();
  readonly #requests: readonly Buffer[];
  #due = 0;
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
    const due = Math.floor(((performance.now() - this.#begin) / 1_000) * perSecond);
    for (; this.#due < due; this.#due++) {
      const connection = this.#idle.pop();
      if (connection !== undefined) this.#sendOn(connection);
    }
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
      const sorted = times.sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
      return [status, { count: sorted.length, retryAfter, p50: at(0.5), p99: at(0.99), max: at(1) }] as const;
    });
    const due = Math.max(this.#due, this.#sent);
    return {
      name: this.#stream.name,
      due,
      sent: this.#sent,
      statuses: Object.fromEntries(statuses),
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

async function run(load: OpenLoad): Promise<readonly StreamResult[]> {
  const senders = load.streams.map((stream) => new Sender(stream));
  await Promise.all(senders.map((sender) => sender.open(load.port)));
  for (const sender of senders) sender.begin();
  const timer = setInterval(() => {
    for (const sender of senders) sender.sendDue();
  }, tickMs);
  await delay(load.seconds * 1_000);
  clearInterval(timer);
  for (const sender of senders) sender.stop();
  await delay(settleMs);
  for (const sender of senders) sender.end();
  return senders.map((sender) => sender.result());
}

process.once("message", (load: OpenLoad) => {
  run(load).then((results) => {
    process.send?.(results, () => process.disconnect());
  });
});
