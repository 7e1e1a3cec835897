import type { Socket } from "node:net";

const headEnd = "\r\n\r\n";

/** One keep-alive connection with at most one request in flight; it reads only the head of an answer. */
export class Connection {
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
