import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Target } from "./open-loop.ts";

const headEnd = "\r\n\r\n";
const lastChunk = "\r\n0\r\n\r\n";

/** What comes in on any connection; each reads it at once, so that all share it and none is allocated. */
const incoming = Buffer.allocUnsafeSlow(256 * 1_024);

/** One keep-alive connection with at most one request in flight; it reads only the head of an answer. */
export class Connection {
  readonly socket: Socket;
  readonly #answered: (status: number, retryAfter: boolean, ms: number) => void;
  #head = "";
  #status = 0;
  #retryAfter = false;
  /** Bytes of the body still to come, NaN for a body in chunks; undefined while the head comes. */
  #left: number | undefined;
  #sentAt = 0;

  constructor(
    { port, host = "127.0.0.1", isTls = false }: Target,
    answered: (status: number, retryAfter: boolean, ms: number) => void,
  ) {
    const callback = (length: number) => {
      this.#read(length);
      return true;
    };
    const options = { port, host, noDelay: true, onread: { buffer: incoming, callback } };
    this.socket = isTls ? connectTls({ ...options, servername: host }) : connect(options);
    this.#answered = answered;
  }

  send(request: Buffer): void {
    this.#sentAt = performance.now();
    this.socket.write(request);
  }

  #read(length: number): void {
    if (this.#left === undefined) {
      const seen = this.#head.length;
      // The head is a few hundred bytes; what follows is only counted.
      this.#head += incoming.toString("latin1", 0, Math.min(length, 1_024));
      const end = this.#head.indexOf(headEnd);
      if (end === -1) return;
      const head = this.#head.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      this.#retryAfter = this.#status === 503 && /\r\nretry-after: 2(\r|$)/i.test(head);
      const bodyLength = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      const isChunked = bodyLength === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
      this.#left = isChunked ? Number.NaN : Number(bodyLength ?? 0) + end + headEnd.length - seen;
      this.#head = "";
    }
    this.#left -= length;
    const isWhole = Number.isNaN(this.#left)
      ? incoming.toString("latin1", length - lastChunk.length, length) === lastChunk
      : this.#left <= 0;
    if (!isWhole) return;
    this.#left = undefined;
    this.#answered(this.#status, this.#retryAfter, performance.now() - this.#sentAt);
  }
}
