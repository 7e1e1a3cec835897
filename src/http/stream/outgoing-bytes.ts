import type { StreamedAnswer } from "../exchange.ts";

/** How much is written at once: while the client takes it, and to find out whether one that did not takes it again. */
const maxPieceBytes = 65_536;
const maxProbeBytes = 1_024;
/** How long until a socket that takes nothing is tried again: twice as long each time, up to a part of the limit. */
const initialRetryMs = 5;
const maxRetryPart = 1 / 16;
const lineFeed = 0x0a;

const nothing = new Uint8Array(0);

/** Notified of the socket's state. */
export interface SocketEvents {
  /** A write has failed: nothing more is sent for now. */
  blocked(): void;
  /** Everything was taken again. */
  taken(): void;
  /** Lines were handed to the socket. */
  sent(lines: number): void;
}

/**
 * What is on its way to the client of a stream, bounded although the native layer keeps all that it is passed.
 *
 * The native layer says of a short piece only whether what came before it was taken, and of a paused socket not when it
 * takes more. So a blocked socket is tried with small pieces of the rest, ever more rarely. Where nothing is left to try
 * with, the next answer asks.
 *
 * A line is sent once its end is handed to the socket: what a client that goes away was not sent is not counted.
 */
export class OutgoingBytes {
  readonly #answer: StreamedAnswer;
  readonly #events: SocketEvents;
  readonly #maxRetryMs: number;
  /** The answer to a block that is being sent, how much of it is, and how many of its lines are not counted. */
  #block: Uint8Array = nothing;
  #sent = 0;
  #lines = 0;
  #retryMs = initialRetryMs;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Whether the last write failed. */
  #hasFailed = false;
  /** When the socket was first found to take nothing; infinite where it takes everything. */
  blockedSince = Number.POSITIVE_INFINITY;

  /** A client may take nothing for `answerMs`. */
  constructor(answer: StreamedAnswer, answerMs: number, events: SocketEvents) {
    this.#answer = answer;
    this.#events = events;
    this.#maxRetryMs = answerMs * maxRetryPart;
  }

  /** Whether the client has not taken what was sent. */
  get isBlocked(): boolean {
    return this.blockedSince !== Number.POSITIVE_INFINITY;
  }

  /** Bytes of memory that wait to be sent. */
  get heldBytes(): number {
    return this.#block.length;
  }

  /** Sends the answer to some lines as far as the client takes it, and keeps a copy of the rest. */
  add(bytes: Uint8Array, lines: number): void {
    this.#block = bytes;
    this.#sent = 0;
    this.#lines = lines;
    this.#write();
    if (this.#block.length > 0) this.#block = Uint8Array.from(bytes);
    this.#watch();
  }

  /** Sends the last bytes, the end of them as a chunk of its own, and ends the answer; all are handed over. */
  finish(bytes: Uint8Array, lines: number, endLength: number): void {
    const end = bytes.length - endLength;
    this.#answer.corked(() => {
      if (end > 0) this.#answer.write(bytes.subarray(0, end));
      if (endLength > 0) this.#answer.write(bytes.subarray(end));
    });
    this.#events.sent(lines);
    this.#answer.end();
  }

  /** Ends the watch, and counts the lines of a block that was sent in part; a packed one has none. */
  close(isPacked: boolean): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    if (this.#block.length === 0) return;
    let lines = 0;
    if (!isPacked) {
      const sent = this.#block.subarray(0, this.#sent);
      for (let at = sent.indexOf(lineFeed); at >= 0; at = sent.indexOf(lineFeed, at + 1)) lines++;
    }
    this.#block = nothing;
    this.#events.sent(Math.min(lines, this.#lines));
  }

  /** Writes until a write fails. */
  #write(): void {
    this.#answer.corked(() => {
      while (this.#sent < this.#block.length) {
        const length = this.#hasFailed ? maxProbeBytes : maxPieceBytes;
        const piece = this.#block.subarray(this.#sent, this.#sent + length);
        this.#hasFailed = !this.#answer.write(piece);
        this.#sent += piece.length;
        if (this.#hasFailed) {
          if (!this.isBlocked) this.blockedSince = performance.now();
          break;
        }
        this.#retryMs = initialRetryMs;
        this.blockedSince = Number.POSITIVE_INFINITY;
      }
    });
    if (this.#sent < this.#block.length) return;
    this.#block = nothing;
    const lines = this.#lines;
    this.#lines = 0;
    if (lines > 0) this.#events.sent(lines);
  }

  #watch(): void {
    if (!this.isBlocked || this.#isClosed) return;
    this.#events.blocked();
    this.#retry = setTimeout(() => this.#askAgain(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, this.#maxRetryMs);
  }

  #askAgain(): void {
    if (this.#block.length === 0) this.blockedSince = Number.POSITIVE_INFINITY;
    else this.#write();
    if (this.isBlocked) this.#watch();
    else if (!this.#isClosed) this.#events.taken();
  }
}
