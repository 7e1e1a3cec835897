import type { StreamedAnswer } from "../exchange.ts";

/** The native layer collects less than this before it asks the socket, so that only longer pieces tell its state. */
const tellingBytes = 17_408;
const maxPieceBytes = 65_536;
/** So many bytes may be sent in short pieces before one has to tell. */
const maxUntoldBytes = 262_144;
/** How long until a socket that takes nothing is asked again: twice as long each time, up to a part of the limit. */
const initialRetryMs = 5;
const maxRetryPart = 1 / 16;

const space = 0x20;
const padding = new Uint8Array(tellingBytes).fill(space);
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
 * The native layer tells only of a long piece whether the socket took it, and of a paused socket not when it takes more.
 * So a blocked socket is asked by further pieces, ever more rarely, and where a piece is too short it gets spaces before
 * it, which JSON allows between lines.
 */
export class OutgoingBytes {
  readonly #answer: StreamedAnswer;
  readonly #events: SocketEvents;
  readonly #maxRetryMs: number;
  #rest: Uint8Array = nothing;
  #untold = 0;
  #retryMs = initialRetryMs;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
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

  /** Sends bytes as far as the client takes them, and keeps a copy of the rest; the last ones are all handed over. */
  add(bytes: Uint8Array, isLast: boolean): void {
    this.#answer.corked(() => {
      const rest = this.#write(bytes);
      if (isLast && rest.length > 0) this.#answer.write(rest);
      else this.#rest = Uint8Array.from(rest);
    });
    this.#tell();
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
    while (rest.length >= tellingBytes) {
      const isShortAfter = rest.length - maxPieceBytes < tellingBytes;
      const length = this.isBlocked ? tellingBytes : isShortAfter ? rest.length : maxPieceBytes;
      const isTaken = this.#writeTelling(rest.subarray(0, length));
      rest = rest.subarray(length);
      if (!isTaken) return rest;
    }
    if (rest.length === 0) return rest;
    if (this.#untold < maxUntoldBytes) {
      this.#untold += rest.length;
      this.#answer.write(rest);
    } else {
      this.#writeTelling(Buffer.concat([padding, rest]));
    }
    return nothing;
  }

  #writeTelling(piece: Uint8Array): boolean {
    const isTaken = this.#answer.write(piece);
    if (isTaken) {
      this.#untold = 0;
      this.#retryMs = initialRetryMs;
      this.blockedSince = Number.POSITIVE_INFINITY;
    } else if (!this.isBlocked) this.blockedSince = performance.now();
    return isTaken;
  }

  #tell(): void {
    if (!this.isBlocked || this.#isClosed) return;
    this.#events.blocked();
    this.#retry = setTimeout(() => this.#askAgain(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, this.#maxRetryMs);
  }

  #askAgain(): void {
    this.#answer.corked(() => {
      const rest = this.#rest.length < tellingBytes ? Buffer.concat([padding, this.#rest]) : this.#rest;
      this.#rest = this.#write(rest);
    });
    if (this.isBlocked) this.#tell();
    else if (!this.#isClosed) this.#events.taken();
  }
}
