import { maxStreamLineBytes } from "../../contract/limits.ts";
import { streamMediaTypes } from "../../contract/schema/answer-schemas.ts";
import type { KeyHolder } from "../../keys/key-ring.ts";
import type { Turns } from "../../pool/admission.ts";
import type { CheckPool, RequestOutcome } from "../../pool/check-pool.ts";
import { anybody } from "../../pool/share.ts";
import { type Slot, SlotField } from "../../pool/slots.ts";
import {
  BlockEnd,
  checksIn,
  decodeStreamProgress,
  encodeStreamBlock,
  newStreamState,
  type StreamQuestion,
} from "../../pool/stream/stream-task.ts";
import { decodeRefusal } from "../../pool/tasks.ts";
import type { Exchange, StreamedAnswer } from "../exchange.ts";
import { PackedAnswer, UnpackedBody } from "./gzip.ts";
import { IncomingBytes, incompleteMs } from "./incoming-bytes.ts";
import { type BlockOfAnswers, OutgoingBytes } from "./outgoing-bytes.ts";

/** Dependencies of a stream. */
export interface StreamContext {
  readonly pool: CheckPool;
  /** Turns at the pool, and at reading on after a pause, which all streams share. */
  readonly turns: Turns;
  readonly reads: Turns;
  /** Counts numbers whose answers were sent. */
  answered(checks: number, holder: KeyHolder | undefined): void;
  /** Notes a stream that is cut off in its answer, since a block of it failed. */
  failed(exchange: Exchange): void;
  /** How long the client may send nothing, and how long it may take nothing, in milliseconds. */
  readonly idleMs: number;
  readonly answerMs: number;
}

/** The options of one stream. */
export interface StreamRequest {
  readonly flags: number;
  readonly question: StreamQuestion;
  /** Whether the body is packed, and whether the answer must be. */
  readonly isPacked: boolean;
  readonly packs: boolean;
}

/** How long until the pool is asked again for a place. */
const retryMs = 5;
/** A block that fails is tried once more: its worker may have ended for another reason. */
const maxAttempts = 2;
/** How long the client may be silent before CSV is recognised from the bytes received so far. */
const laterMs = 1_000;

/**
 * One stream: takes the body as it comes, lets the pool answer it block by block, and sends the answers in order.
 *
 * One block is processed at a time, while the answer to the previous one is sent. Memory is bounded: a block that waits
 * and a packet of 512 KB after it, and two answers. Beyond that the body is paused, and no block is made as long as the
 * client does not take what is sent. A paused body still brings what the native layer reads in the same turn: it ends
 * only where less than 512 KB wait in the socket, so the kernel's receive buffer must be small for the bound to be kept.
 */
export class Stream {
  readonly #exchange: Exchange;
  readonly #context: StreamContext;
  readonly #request: StreamRequest;
  readonly #answer: StreamedAnswer;
  readonly #incoming = new IncomingBytes();
  readonly #outgoing: OutgoingBytes;
  readonly #unpacked: UnpackedBody | undefined;
  readonly #packed: PackedAnswer | undefined;
  #state: Uint8Array;
  /** Why the stream ends before its body. */
  #earlyEnd: BlockEnd = BlockEnd.more;
  #isAtWork = false;
  #isPaused = false;
  #isClosed = false;
  #failures = 0;
  /** Whether the summary is among what is sent. */
  #isFinished = false;
  #retry: NodeJS.Timeout | undefined;
  #receivedAt: number;
  readonly #begin = () => this.#submit();
  readonly #readOn = () => {
    setImmediate(() => this.#context.reads.end());
    if (this.#isClosed) return;
    this.#isPaused = false;
    this.#answer.resume();
  };

  constructor(exchange: Exchange, context: StreamContext, request: StreamRequest, closed: () => void) {
    this.#exchange = exchange;
    this.#context = context;
    this.#request = request;
    this.#state = newStreamState(request.question);
    this.#receivedAt = performance.now();
    this.#packed = request.packs ? new PackedAnswer() : undefined;
    this.#unpacked = request.isPacked ? this.#unpack() : undefined;
    exchange.onClosed(() => {
      this.#isClosed = true;
      clearTimeout(this.#retry);
      this.#incoming.clear();
      this.#outgoing.close();
      this.#unpacked?.close();
      this.#packed?.close();
      context.turns.forget(this.#begin);
      context.reads.forget(this.#readOn);
      closed();
    });
    const { input, output } = request.question;
    this.#answer = exchange.beginStream(streamMediaTypes[output], request.packs ? "gzip" : undefined);
    // The first rows of CSV decide what to check, and may be refused.
    if (input !== "csv") this.#answer.begin();
    this.#outgoing = new OutgoingBytes(this.#answer, context.answerMs, {
      // A failed write makes the native layer take from the socket again.
      blocked: () => this.#isPaused && this.#answer.pause(),
      taken: () => this.#goOn(),
      sent: (checks) => context.answered(checks, exchange.holder),
    });
    exchange.onData((piece, isLast) => {
      this.#receivedAt = performance.now();
      if (this.#unpacked === undefined) this.#receive(piece, isLast);
      else if (!this.#hasEnd) this.#unpacked.add(piece, isLast);
      this.#pauseOrResume();
    });
  }

  /** Bytes of memory that it keeps, besides those of zlib and of the native layer. */
  get heldBytes(): number {
    return this.#incoming.heldBytes + this.#outgoing.heldBytes + this.#state.length;
  }

  /** Answers the current block and ends with the line to continue from. */
  stop(): void {
    this.#endEarly(BlockEnd.stopped);
  }

  /** Looks whether the client has been silent for too long; at least every few seconds. */
  look(now: number): void {
    if (this.#isClosed) return;
    if (this.#outgoing.blockedSince < now - this.#context.answerMs) this.#exchange.cut();
    else this.cutIfGone();
    if (this.#isClosed) return;
    const silentMs = now - this.#receivedAt;
    if (this.#incoming.isIncomplete && silentMs > laterMs && this.#incoming.setLate()) this.#goOn();
    if (!this.#outgoing.isBlocked && this.#isWaiting && silentMs > this.#context.idleMs) {
      this.#endEarly(BlockEnd.idle);
      if (this.#isClosed) return;
    }
    // Restarts the native layer's watch over time, which is shorter than these and asks for 16 KB a second.
    this.#answer.pause();
    if (!this.#isPaused) this.#answer.resume();
  }

  /** Ends it where the client has died: the native layer does not watch a paused socket, which has no address then. */
  cutIfGone(): void {
    if (!this.#isClosed && this.#exchange.remoteAddress() === "") this.#exchange.cut();
  }

  /** Whether the client is to send something. */
  get #isWaiting(): boolean {
    return !this.#isAtWork && !this.#incoming.isReady;
  }

  /** Whether nothing more of the body is wanted. */
  get #hasEnd(): boolean {
    return this.#isFinished || this.#earlyEnd !== BlockEnd.more;
  }

  #unpack(): UnpackedBody {
    const unpacked = new UnpackedBody({
      piece: (piece, isLast) => {
        this.#receive(piece, isLast);
        this.#pauseOrResume();
      },
      broken: () => this.#endEarly(BlockEnd.broken),
    });
    unpacked.onRoom(() => this.#pauseOrResume());
    return unpacked;
  }

  #endEarly(end: BlockEnd): void {
    if (this.#hasEnd) return;
    this.#earlyEnd = end;
    this.#goOn();
  }

  #receive(piece: Uint8Array, isLast: boolean): void {
    if (this.#isClosed || this.#hasEnd) return;
    this.#incoming.add(piece, isLast);
    this.#goOn();
  }

  /** Pauses or resumes reading. A compressed body waits both before and after unpacking, so that neither part grows. */
  #pauseOrResume(): void {
    const mayPause = !this.#incoming.isEnded && !this.#hasEnd;
    const isFull = mayPause && this.#incoming.isFull;
    if (this.#unpacked !== undefined && !this.#isClosed) {
      if (isFull) this.#unpacked.pause();
      else this.#unpacked.resume();
    }
    const isPaused = isFull || (mayPause && this.#unpacked?.isFull === true);
    if (this.#isClosed) return;
    const { reads } = this.#context;
    if (!isPaused) {
      // All that waits in a socket is read at once, so other requests come between one socket and the next.
      if (this.#isPaused) reads.ask(this.#readOn);
      return;
    }
    reads.forget(this.#readOn);
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#answer.pause();
  }

  /** Asks for a turn where there is a block to be answered and the client has taken the answer before. */
  #goOn(): void {
    if (this.#isClosed || this.#isAtWork || this.#outgoing.isBlocked || this.#isFinished) return;
    if (this.#earlyEnd === BlockEnd.more && !this.#incoming.isReady) {
      if (!this.#incoming.hasMore) return;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#goOn(), incompleteMs);
      return;
    }
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
      // Other requests had a turn meanwhile, so the key may have reached one of its limits.
      this.#retry = setTimeout(() => turns.ask(this.#begin), retryMs);
      turns.end();
      return;
    }
    const end = this.#blockEnd;
    const pieces = this.#earlyEnd === BlockEnd.more ? this.#incoming.pieces : [];
    const given = Math.min(this.#incoming.length, maxStreamLineBytes);
    const isAll = given === maxStreamLineBytes || (end !== BlockEnd.more && end !== BlockEnd.later);
    try {
      pool.submit(
        "heavy",
        owner,
        "large",
        (slot) => encodeStreamBlock(slot, this.#request.flags, pieces, this.#state, end),
        (slot, outcome) => {
          turns.end();
          this.#isAtWork = false;
          if (!this.#isClosed) this.#done(slot, outcome, given, isAll);
        },
      );
    } catch {
      turns.end();
      this.#exchange.cut();
    }
  }

  get #blockEnd(): BlockEnd {
    if (this.#earlyEnd !== BlockEnd.more) return this.#earlyEnd;
    if (this.#incoming.isLastBlock) return BlockEnd.body;
    return this.#incoming.isLate ? BlockEnd.later : BlockEnd.more;
  }

  #done(slot: Slot, outcome: RequestOutcome, given: number, isAll: boolean): void {
    const refusal = outcome === "answered" ? decodeRefusal(slot) : undefined;
    if (refusal !== undefined && !this.#answer.isBegun) {
      this.#exchange.refuse(refusal.code, refusal.detail, undefined, true);
      return;
    }
    if (outcome !== "answered" || refusal !== undefined) {
      if (outcome === "refused" || ++this.#failures < maxAttempts) this.#goOn();
      else this.#fail();
      return;
    }
    this.#failures = 0;
    const { consumed, isFinished, state, endLength } = decodeStreamProgress(slot);
    const checks = slot.get(SlotField.count);
    this.#incoming.drop(consumed, given, checks);
    this.#state = state;
    this.#isFinished = isFinished;
    const isStuck = consumed === 0 && isAll && !isFinished;
    if (isStuck || this.#incoming.isBlank) {
      this.#exchange.cut();
      return;
    }
    if (isFinished) this.#incoming.clear();
    this.#pauseOrResume();
    const block: BlockOfAnswers = {
      bytes: slot.answer(slot.get(SlotField.outputLength)),
      checks,
      checksIn: (sent) => checksIn(this.#packed?.unpackLast(sent) ?? sent, state),
      ...(isFinished ? { endLength: this.#packed === undefined ? endLength : 0 } : {}),
    };
    if (this.#packed !== undefined && (block.bytes.length > 0 || isFinished)) {
      this.#isAtWork = true;
      this.#packed.pack(block.bytes, isFinished, (bytes) => {
        this.#isAtWork = false;
        if (!this.#isClosed) this.#handOver({ ...block, bytes });
      });
      return;
    }
    // A worker processes the next block while the answer to this one is sent.
    this.#goOn();
    this.#handOver(block);
  }

  /** Ends a stream whose block cannot be answered. */
  #fail(): void {
    if (this.#answer.isBegun) {
      this.#context.failed(this.#exchange);
      this.#exchange.cut();
    } else this.#exchange.refuse("checker_failed", undefined, undefined, true);
  }

  #handOver(block: BlockOfAnswers): void {
    if (block.bytes.length > 0 || this.#isFinished) {
      this.#answer.begin();
      this.#outgoing.add(block);
    }
    this.#goOn();
  }
}
