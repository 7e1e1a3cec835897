import type { StreamedAnswer } from "../exchange.ts";

/** How much is written at once: while the client takes it, and to find out whether one that did not takes it again. */
const maxPieceBytes = 65_536;
const maxProbeBytes = 1_024;
/** How long until a socket that takes nothing is asked again: twice as long each time, up to a part of the limit. */
const initialRetryMs = 5;
const maxRetryPart = 1 / 16;

const nothing = new Uint8Array(0);

/** Told of the socket's state. */
export interface SocketEvents {
  /** A write has failed: nothing more is sent for now. */
  blocked(): void;
  /** Everything was taken again. */
  taken(): void;
}

/**
 * What is on its way to the client of a stream, bounded though the native layer keeps whatever it is given.
 *
 * The native layer tells of a short piece only whether what came before it was taken, and of a paused socket not when it
 * takes more. So a blocked socket is asked by small pieces of what is left, ever more rarely. Where nothing is left to ask
 * with, the next answer asks.
 */
export class OutgoingBytes {
  readonly #answer: StreamedAnswer;
  readonly #events: SocketEvents;
  readonly #maxRetryMs: number;
  #rest: Uint8Array = nothing;
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

  /** Sends bytes as far as the client takes them, and keeps a copy of the rest. */
  add(bytes: Uint8Array): void {
    this.#answer.corked(() => {
      this.#rest = Uint8Array.from(this.#write(bytes));
    });
    this.#tell();
  }

  /** Sends the last bytes, the end of them as a chunk of its own, and ends the answer; all are handed over. */
  finish(bytes: Uint8Array, endLength: number): void {
    const end = bytes.length - endLength;
    this.#answer.corked(() => {
      if (end > 0) this.#answer.write(bytes.subarray(0, end));
      if (endLength > 0) this.#answer.write(bytes.subarray(end));
    });
    this.#answer.end();
  }

  /** Ends the watch. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#rest = nothing;
  }

  /** Writes until a write fails; returns what is left. */
  #write(bytes: Uint8Array): Uint8Array {
    let rest = bytes;
    while (rest.length > 0) {
      const piece = rest.subarray(0, this.#hasFailed ? maxProbeBytes : maxPieceBytes);
      this.#hasFailed = !this.#answer.write(piece);
      rest = rest.subarray(piece.length);
      if (!this.#hasFailed) {
        this.#retryMs = initialRetryMs;
        this.blockedSince = Number.POSITIVE_INFINITY;
      } else {
        if (!this.isBlocked) this.blockedSince = performance.now();
        return rest;
      }
    }
    return rest;
  }

  #tell(): void {
    if (!this.isBlocked || this.#isClosed) return;
    this.#events.blocked();
    this.#retry = setTimeout(() => this.#askAgain(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, this.#maxRetryMs);
  }

  #askAgain(): void {
    if (this.#rest.length === 0) this.blockedSince = Number.POSITIVE_INFINITY;
    else
      this.#answer.corked(() => {
        this.#rest = this.#write(this.#rest);
      });
    if (this.isBlocked) this.#tell();
    else if (!this.#isClosed) this.#events.taken();
  }
}
