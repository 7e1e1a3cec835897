import { streamMediaType } from "../../contract/schema/stream-schemas.ts";
import type { KeyHolder } from "../../keys/key-ring.ts";
import type { CheckPool, RequestOutcome } from "../../pool/check-pool.ts";
import { anybody } from "../../pool/share.ts";
import { SlotField } from "../../pool/slot-layout.ts";
import type { Slot } from "../../pool/slot-memory.ts";
import { BlockEnd, decodeStreamProgress, encodeStreamBlock } from "../../pool/stream/stream-task.ts";
import { decodeRefusal } from "../../pool/tasks.ts";
import type { Turns } from "../../pool/turns.ts";
import type { Exchange, StreamedAnswer } from "../exchange.ts";
import { IncomingBytes } from "./incoming-bytes.ts";
import { OutgoingBytes } from "./outgoing-bytes.ts";

/** What a stream works with. */
export interface StreamContext {
  readonly pool: CheckPool;
  /** Turns at the pool, which all streams share. */
  readonly turns: Turns;
  /** Told how many lines were answered. */
  answered(lines: number, holder: KeyHolder | undefined): void;
  /** How long the client may send nothing, and how long it may take nothing, in milliseconds. */
  readonly idleMs: number;
  readonly answerMs: number;
}

/** What one stream is asked. */
export interface StreamRequest {
  readonly flags: number;
  /** The state before the first line. */
  readonly state: Uint8Array;
}

/** How long until the pool is asked for a place again. */
const retryMs = 5;
/** A block that fails is tried once more: its worker may have ended for another reason. */
const maxAttempts = 2;

/**
 * One stream: takes the body as it comes, lets the pool answer it block by block, and sends the answers in order.
 *
 * One block is at work at a time. What is kept is bounded: a block that waits and a packet of 512 KB behind it, and the
 * answer to one block. Beyond that the body is paused, and no block is made before the client has taken its answer.
 */
export class Stream {
  readonly #exchange: Exchange;
  readonly #context: StreamContext;
  readonly #request: StreamRequest;
  readonly #answer: StreamedAnswer;
  readonly #incoming = new IncomingBytes();
  #state: Uint8Array;
  /** Why the stream ends before its body. */
  #earlyEnd: BlockEnd = BlockEnd.more;
  #isAtWork = false;
  #isPaused = false;
  #isClosed = false;
  #failures = 0;
  readonly #outgoing: OutgoingBytes;
  /** Whether the summary is among what is sent. */
  #isFinished = false;
  #retry: NodeJS.Timeout | undefined;
  #receivedAt: number;
  readonly #begin = () => this.#submit();

  constructor(exchange: Exchange, context: StreamContext, request: StreamRequest, closed: () => void) {
    this.#exchange = exchange;
    this.#context = context;
    this.#request = request;
    this.#state = request.state;
    this.#receivedAt = performance.now();
    exchange.onClosed(() => {
      this.#isClosed = true;
      clearTimeout(this.#retry);
      this.#incoming.clear();
      this.#outgoing.close();
      context.turns.forget(this.#begin);
      closed();
    });
    this.#answer = exchange.beginStream(streamMediaType);
    this.#outgoing = new OutgoingBytes(this.#answer, context.answerMs, {
      // A failed write makes the native layer take from the socket again.
      blocked: () => this.#isPaused && this.#answer.pause(),
      taken: () => this.#goOn(),
    });
    exchange.onData((piece, isLast) => this.#receive(piece, isLast));
  }

  /** Answers what is at work and ends, saying from which line to go on. */
  stop(): void {
    this.#endEarly(BlockEnd.stopped);
  }

  /** Looks whether the client has been silent for too long; at least every few seconds. */
  look(now: number): void {
    if (this.#isClosed) return;
    if (this.#outgoing.blockedSince < now - this.#context.answerMs) {
      this.#exchange.cut();
      return;
    }
    if (!this.#outgoing.isBlocked && this.#isWaiting && now - this.#receivedAt > this.#context.idleMs) {
      this.#endEarly(BlockEnd.idle);
      if (this.#isClosed) return;
    }
    // Begins the native layer's watch over time anew, which is shorter than these and asks for 16 KB a second.
    this.#answer.pause();
    if (!this.#isPaused) this.#answer.resume();
  }

  /** Whether the client is to send something. */
  get #isWaiting(): boolean {
    return !this.#isAtWork && !this.#incoming.isReady;
  }

  #endEarly(end: BlockEnd): void {
    if (this.#isFinished || this.#earlyEnd !== BlockEnd.more) return;
    this.#earlyEnd = end;
    this.#goOn();
  }

  #receive(piece: Uint8Array, isLast: boolean): void {
    if (this.#isClosed || this.#isFinished || this.#earlyEnd !== BlockEnd.more) return;
    this.#receivedAt = performance.now();
    this.#incoming.add(piece, isLast);
    this.#goOn();
    this.#pauseOrResume();
  }

  #pauseOrResume(): void {
    const mayPause = !this.#incoming.isEnded && !this.#isFinished && this.#earlyEnd === BlockEnd.more;
    const isPaused = mayPause && this.#incoming.isFull;
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#answer.pause();
    else this.#answer.resume();
  }

  /** Asks for a turn where there is a block to be answered and the client has taken the answer before. */
  #goOn(): void {
    if (this.#isClosed || this.#isAtWork || this.#outgoing.isBlocked || this.#isFinished) return;
    if (this.#earlyEnd === BlockEnd.more && !this.#incoming.isReady) return;
    this.#isAtWork = true;
    this.#context.turns.ask(this.#begin);
  }

  #submit(): void {
    const { pool, turns } = this.#context;
    const owner = this.#exchange.holder ?? anybody;
    if (this.#isClosed) {
      turns.end();
      return;
    }
    if (!pool.accepts("heavy", owner)) {
      // The turn is for others meanwhile: the key may have reached a limit of its own.
      this.#retry = setTimeout(() => turns.ask(this.#begin), retryMs);
      turns.end();
      return;
    }
    const end =
      this.#earlyEnd === BlockEnd.more && this.#incoming.isLastBlock ? BlockEnd.body : this.#earlyEnd;
    const pieces = this.#earlyEnd === BlockEnd.more ? this.#incoming.pieces : [];
    try {
      pool.submit(
        "heavy",
        owner,
        "large",
        (slot) => encodeStreamBlock(slot, this.#request.flags, pieces, this.#state, end),
        (slot, outcome) => {
          turns.end();
          this.#isAtWork = false;
          if (!this.#isClosed) this.#done(slot, outcome);
        },
      );
    } catch {
      turns.end();
      this.#exchange.cut();
    }
  }

  #done(slot: Slot, outcome: RequestOutcome): void {
    if (outcome !== "answered" || decodeRefusal(slot) !== undefined) {
      if (outcome !== "refused" && ++this.#failures === maxAttempts) this.#exchange.cut();
      else this.#goOn();
      return;
    }
    this.#failures = 0;
    const { consumed, isFinished, state } = decodeStreamProgress(slot);
    this.#incoming.drop(consumed);
    this.#state = state;
    this.#isFinished = isFinished;
    this.#context.answered(slot.get(SlotField.count), this.#exchange.holder);
    if (isFinished) this.#incoming.clear();
    this.#pauseOrResume();
    this.#outgoing.add(slot.answer(slot.get(SlotField.outputLength)), isFinished);
    if (isFinished) this.#answer.end();
    else this.#goOn();
  }
}
