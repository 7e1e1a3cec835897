import type { StreamedAnswer } from "../exchange.ts";

/**
 * How much is written at once: while the client takes it, and to find out whether one that did not takes it again.
 *
 * A piece fits the native layer's buffer for small writes, of 16 KB, with what comes before it. Of a longer one the native
 * layer sends that buffer first, and where the socket does not take all of it loses the piece itself.
 */
const maxPieceBytes = 15_872;
const maxProbeBytes = 1_024;
/**
 * How long until a socket that takes nothing is tried again, in milliseconds: twice as long each time, up to a part of the
 * limit, so that a client is cut at most a sixteenth late.
 */
const initialRetryMs = 5;
const maxRetryPart = 1 / 16;

type Socket = Pick<StreamedAnswer, "write" | "end">;

export interface SocketEvents {
  /** A write has failed: nothing more is sent for now. */
  blocked(): void;
  /** Everything was taken again. */
  taken(): void;
  /** The answers to `checks` numbers were handed to the socket. */
  sent(checks: number): void;
}

export interface BlockOfAnswers {
  readonly bytes: Uint8Array;
  readonly checks: number;
  /** How many of them a part of it answers that was sent. */
  checksIn(sent: Uint8Array): number;
  /** Of the last one: how many bytes are its end, which is sent as a separate chunk. */
  readonly endLength?: number;
}

/**
 * Bytes in flight to the client of a stream, bounded although the native layer keeps all that it is passed.
 *
 * The native layer reports for a piece only whether the pieces before it were taken, and of a paused socket not when it takes
 * more. So a blocked socket is tried with small pieces of the rest at growing intervals. If nothing is left to try
 * with, the next answer asks.
 *
 * A number is answered once the end of its line is handed to the socket: what a client that goes away was not sent is not
 * counted.
 */
export class OutgoingBytes {
  readonly #answer: Socket;
  readonly #events: SocketEvents;
  readonly #maxRetryMs: number;
  /** The block being sent, the number of bytes sent of it, and the block after it. */
  #block: BlockOfAnswers | undefined;
  #sent = 0;
  #next: BlockOfAnswers | undefined;
  #retryMs = initialRetryMs;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #hasFailed = false;
  /** When the socket was first found to take nothing; infinite if it takes everything. */
  blockedSince = Number.POSITIVE_INFINITY;

  /** A client may take nothing for `answerMs`. */
  constructor(answer: Socket, answerMs: number, events: SocketEvents) {
    this.#answer = answer;
    this.#events = events;
    this.#maxRetryMs = answerMs * maxRetryPart;
  }

  /** Whether the client has not taken what was sent; then one more block may be added, and no other. */
  get isBlocked(): boolean {
    return this.blockedSince !== Number.POSITIVE_INFINITY;
  }

  get heldBytes(): number {
    return (this.#block?.bytes.length ?? 0) + (this.#next?.bytes.length ?? 0);
  }

  /**
   * Sends a block as far as the client takes it, and keeps a copy of the rest. The last block ends the answer.
   */
  add(block: BlockOfAnswers): void {
    if (this.#block !== undefined) {
      this.#next = copied(block);
      return;
    }
    this.#block = block;
    this.#write();
    if (this.#block === block) this.#block = copied(block);
    this.#watch();
  }

  /** Ends the watch, and counts what was sent of a block that was sent in part. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const block = this.#block;
    if (block === undefined) return;
    this.#block = undefined;
    this.#next = undefined;
    this.#events.sent(Math.min(block.checksIn(block.bytes.subarray(0, this.#sent)), block.checks));
  }

  #write(): void {
    while (this.#block !== undefined) {
      const piece = this.#nextPiece(this.#block);
      this.#hasFailed = !this.#answer.write(piece);
      this.#sent += piece.length;
      if (this.#sent === this.#block.bytes.length) this.#finish(this.#block);
      if (this.#hasFailed) {
        if (!this.isBlocked) this.blockedSince = performance.now();
        return;
      }
      this.#retryMs = initialRetryMs;
      this.blockedSince = Number.POSITIVE_INFINITY;
    }
  }

  #nextPiece({ bytes, endLength = 0 }: BlockOfAnswers): Uint8Array {
    const begin = this.#sent;
    const end = bytes.length - endLength;
    const length = this.#hasFailed ? maxProbeBytes : maxPieceBytes;
    return bytes.subarray(begin, begin < end ? Math.min(begin + length, end) : bytes.length);
  }

  #finish({ checks, endLength }: BlockOfAnswers): void {
    this.#sent = 0;
    this.#block = this.#next;
    this.#next = undefined;
    this.#events.sent(checks);
    if (endLength !== undefined) this.#answer.end();
  }

  #watch(): void {
    clearTimeout(this.#retry);
    if (!this.isBlocked || this.#isClosed) return;
    this.#events.blocked();
    this.#retry = setTimeout(() => this.#askAgain(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, this.#maxRetryMs);
  }

  #askAgain(): void {
    if (this.#block === undefined) this.blockedSince = Number.POSITIVE_INFINITY;
    else this.#write();
    if (this.isBlocked) this.#watch();
    else if (!this.#isClosed) this.#events.taken();
  }
}

function copied(block: BlockOfAnswers): BlockOfAnswers {
  return { ...block, bytes: new Uint8Array(block.bytes) };
}
