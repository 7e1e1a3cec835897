import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Target } from "./open-loop.ts";

const headEnd = "\r\n\r\n";
const lastChunk = "\r\n0\r\n\r\n";
/** How much of a read is searched for the end of a head first; proxies may add more. */
const usualHeadBytes = 1_024;
/** What is longer and has no end is not a head. */
const maxHeadBytes = 65_536;

/** What comes in on any connection; each reads it at once, so that all share it and none is allocated. */
const incoming = Buffer.allocUnsafeSlow(256 * 1_024);

const latin1 = (from: number, to: number) => incoming.toString("latin1", Math.max(0, from), to);

/** What a connection reports to its sender. */
export interface ConnectionEvents {
  opened(): void;
  answered(status: number, retryAfter: boolean, ms: number): void;
  /** It is closed, by whichever side, or was never opened. */
  closed(error: NodeJS.ErrnoException | undefined): void;
}

/** One keep-alive connection with at most one request in flight; it reads only the head of an answer. */
export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  isBusy = false;
  hasAnswered = false;
  /** Whether an answer said that it is the last one. */
  isEnding = false;
  #head = "";
  #status = 0;
  #retryAfter = false;
  /** Bytes of the body still to come, NaN for a body in chunks, infinite for one that ends with the connection; undefined while the head comes. */
  #left: number | undefined;
  /** The last bytes of a body in chunks. */
  #tail = "";
  #sentAt = 0;

  constructor({ port, host = "127.0.0.1", isTls = false }: Target, events: ConnectionEvents) {
    const callback = (length: number) => {
      this.#read(length);
      return true;
    };
    const options = { port, host, noDelay: true, onread: { buffer: incoming, callback } };
    // An address has no place in the name that TLS sends.
    const servername = isIP(host) === 0 ? host : "";
    this.#socket = isTls ? connectTls({ ...options, servername }) : connect(options);
    this.#events = events;
    let reason: NodeJS.ErrnoException | undefined;
    this.#socket
      .once(isTls ? "secureConnect" : "connect", () => events.opened())
      .on("error", (error) => {
        reason = error;
      })
      .once("close", () => {
        if (this.#left === Number.POSITIVE_INFINITY) this.#finish();
        events.closed(reason);
      });
  }

  send(request: Buffer): void {
    this.isBusy = true;
    this.#sentAt = performance.now();
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(length: number): void {
    // What was not asked for precedes the end of the connection, as a proxy's 408 does.
    if (!this.isBusy) this.end();
    else if (this.#left !== undefined || this.#readHead(length)) this.#readBody(length);
  }

  #readBody(length: number): void {
    this.#left! -= length;
    if (Number.isNaN(this.#left)) {
      this.#tail = (this.#tail + latin1(length - lastChunk.length, length)).slice(-lastChunk.length);
      if (this.#tail === lastChunk) this.#finish();
    } else if (this.#left! <= 0) {
      if (this.#left! < 0) this.isEnding = true;
      this.#finish();
    }
  }

  /** Returns false until the head is whole. */
  #readHead(length: number): boolean {
    const seen = this.#head.length;
    let text = this.#head + latin1(0, Math.min(length, usualHeadBytes));
    let end = text.indexOf(headEnd);
    if (end === -1 && length > usualHeadBytes) {
      text = this.#head + latin1(0, length);
      end = text.indexOf(headEnd);
    }
    if (end === -1) {
      this.#head = text;
      if (text.length > maxHeadBytes) this.end();
      return false;
    }
    const head = text.slice(0, end);
    this.#status = Number(head.slice(9, 12));
    this.#retryAfter = this.#status === 503 && /\r\nretry-after: 2(\r|$)/i.test(head);
    const bodyLength = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const before = end + headEnd.length - seen;
    if (bodyLength !== undefined) this.#left = Number(bodyLength) + before;
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#left = Number.NaN;
    else this.#left = this.#status === 204 ? before : Number.POSITIVE_INFINITY;
    this.isEnding =
      this.#left === Number.POSITIVE_INFINITY ||
      /\r\nconnection: *close/i.test(head) ||
      (head.startsWith("HTTP/1.0") && !/\r\nconnection: *keep-alive/i.test(head));
    return true;
  }

  #finish(): void {
    this.#left = undefined;
    this.#head = "";
    this.#tail = "";
    this.isBusy = false;
    this.hasAnswered = true;
    this.#events.answered(this.#status, this.#retryAfter, performance.now() - this.#sentAt);
  }
}
