import { maxStreamLineBytes } from "../../contract/limits.ts";
import { streamMediaTypes } from "../../contract/schema/answer-schemas.ts";
import { type RequestOutcome, type Slot, SlotField } from "../../pool/slots.ts";
import {
  BlockEnd,
  checksIn,
  decodeStreamProgress,
  encodeStreamBlock,
  newStreamState,
} from "../../pool/stream/stream-task.ts";
import { decodeFailure, decodeRefusal } from "../../pool/tasks.ts";
import type { Exchange, StreamedAnswer } from "../exchange.ts";
import { PackedAnswer } from "./gzip.ts";
import { type BlockOfAnswers, OutgoingBytes } from "./outgoing-bytes.ts";
import { StreamBody } from "./stream-body.ts";
import type { StreamContext, StreamRequest } from "./stream-request.ts";

/** How long until the pool is asked again for a place. */
const retryMs = 5;

/** A block that fails is tried once more: its worker may have ended for another reason. */
const maxAttempts = 2;

/** How long the client may be silent before CSV is recognised from the bytes received so far. */
const laterMs = 1_000;

/**
 * One stream: lets the pool answer the body block by block, and sends the answers in order.
 *
 * One block is processed at a time, while the answer to the previous one is sent. Memory is bounded: what `StreamBody`
 * holds, and two answers. No block is made as long as the client does not take what is sent.
 */
export class Stream {
  readonly #exchange: Exchange;
  readonly #context: StreamContext;
  readonly #request: StreamRequest;
  readonly #answer: StreamedAnswer;
  readonly #body: StreamBody;
  readonly #outgoing: OutgoingBytes;
  readonly #packed: PackedAnswer | undefined;
  #state: Uint8Array;
  /** Why the stream ends before its body. */
  #earlyEnd: BlockEnd = BlockEnd.more;
  #isAtWork = false;
  #isClosed = false;
  #failures = 0;
  #checks = 0;
  /** What the last block took for a byte; the first block is short. */
  #msPerByte = Number.POSITIVE_INFINITY;
  /** Whether the summary is among what is sent. */
  #isFinished = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #begin = () => this.#submit();

  constructor(exchange: Exchange, context: StreamContext, request: StreamRequest, closed: () => void) {
    this.#exchange = exchange;
    this.#context = context;
    this.#request = request;
    this.#state = newStreamState(request.question);
    this.#packed = request.packs ? new PackedAnswer() : undefined;
    exchange.onClosed(() => {
      this.#isClosed = true;
      clearTimeout(this.#retry);
      this.#body.close();
      this.#outgoing.close();
      this.#packed?.close();
      context.pace.blocks.forget(this.#begin);
      closed();
    });
    const { input, output } = request.question;
    const encoding = request.packs ? "gzip" : undefined;
    this.#answer = exchange.beginStream(streamMediaTypes[output], encoding, () =>
      context.pool.editions.nameOf(),
    );
    // The first rows of CSV decide what to check, and may be refused.
    if (input !== "csv") this.#answer.begin();
    this.#body = new StreamBody(this.#answer, context.pace.reads, request.isPacked, {
      came: () => this.#goOn(),
      broken: () => this.#endEarly(BlockEnd.broken),
    });
    this.#outgoing = new OutgoingBytes(this.#answer, context.answerMs, {
      blocked: () => this.#body.pauseAgain(),
      taken: () => this.#goOn(),
      sent: (checks) => context.answered(checks, exchange.holder),
    });
    exchange.onData((piece, isLast) => this.#body.take(piece, isLast));
  }

  /** Bytes of memory that it keeps, besides those of zlib and of the native layer. */
  get heldBytes(): number {
    return this.#body.received.heldBytes + this.#outgoing.heldBytes + this.#state.length;
  }

  get bodyBytes(): number {
    return this.#body.received.length;
  }

  /** Answers the current block and ends with the line to continue from. */
  stop(): void {
    this.#endEarly(BlockEnd.stopped);
  }

  /** Looks whether the client has been silent for too long and its key is still valid; at least every few seconds. */
  look(now: number): void {
    if (this.#isClosed) return;
    const { answerMs } = this.#context;
    const { holder } = this.#exchange;
    if (holder !== undefined && !this.#context.isValid(holder)) this.stop();
    if (this.#outgoing.blockedSince < now - answerMs) {
      const halfDuplex = this.#body.isEnded ? "" : ", which perhaps sends its whole body first";
      this.#cutOff(`its client read nothing for ${answerMs / 1_000} s${halfDuplex}`);
    } else this.cutIfGone();
    if (this.#isClosed) return;
    const silentMs = this.#body.silentMs(now);
    const isWaiting = !this.#isAtWork && !this.#outgoing.isBlocked && !this.#body.isReady;
    if (isWaiting && silentMs > this.#context.idleMs) this.#endEarly(BlockEnd.idle);
    else if (this.#body.isIncomplete && silentMs > laterMs) {
      this.#body.isLate = true;
      this.#goOn();
    }
    if (!this.#isClosed) this.#body.look();
  }

  /** Ends it where the client has died: the native layer does not watch a paused socket, which has no address then. */
  cutIfGone(): void {
    if (!this.#isClosed && this.#exchange.remoteAddress() === "") this.#exchange.cut();
  }

  #endEarly(end: BlockEnd): void {
    if (this.#isFinished || this.#earlyEnd !== BlockEnd.more) return;
    this.#earlyEnd = end;
    this.#body.end();
    this.#goOn();
  }

  /** Asks for a turn where there is a block to be answered and the client has taken the answer before. */
  #goOn(): void {
    if (this.#isClosed || this.#isAtWork || this.#outgoing.isBlocked || this.#isFinished) return;
    if (this.#earlyEnd === BlockEnd.more && !this.#body.isReady) return;
    this.#isAtWork = true;
    this.#context.pace.blocks.ask(this.#begin);
  }

  #submit(): void {
    const { pool, pace } = this.#context;
    const tenant = pool.tenantOf(this.#exchange.holder);
    if (this.#isClosed) {
      pace.blocks.end(0);
      return;
    }
    if (!pool.admission.accepts("large", tenant)) {
      // Other requests had a turn meanwhile, so the key may have reached one of its limits.
      this.#retry = setTimeout(() => pace.blocks.ask(this.#begin), retryMs);
      pace.blocks.end(0);
      return;
    }
    const block = this.#body.received.bytes.subarray(0, this.#maxBlockBytes);
    const given = block.length;
    const end = this.#blockEnd(given);
    const isAll = given === maxStreamLineBytes || (end !== BlockEnd.more && end !== BlockEnd.later);
    try {
      pool.submit(
        "large",
        tenant,
        (slot) => {
          pace.submitting();
          encodeStreamBlock(slot, this.#request.flags, block, this.#state, end);
        },
        (slot, outcome) => {
          pace.blocks.end(outcome === "answered" ? workMs(slot) : 0);
          this.#isAtWork = false;
          if (!this.#isClosed) this.#done(slot, outcome, given, isAll);
        },
      );
    } catch {
      // A kind of task that keeps killing workers is not tried.
      pace.blocks.end(0);
      this.#fail();
    }
  }

  /** The maximum size of the next block: full until CSV is recognised, and after a block without a whole row. */
  get #maxBlockBytes(): number {
    const { isIncomplete, isLate } = this.#body;
    const mayBeShort = this.#answer.isBegun && !isIncomplete && !isLate;
    return mayBeShort ? this.#context.pace.blockBytes(this.#msPerByte) : maxStreamLineBytes;
  }

  #blockEnd(given: number): BlockEnd {
    if (this.#earlyEnd !== BlockEnd.more) return this.#earlyEnd;
    if (this.#body.isEnded && this.#body.received.length === given) return BlockEnd.body;
    return this.#body.isLate ? BlockEnd.later : BlockEnd.more;
  }

  /** Takes the answer to a block of `given` bytes; `isAll` says that no more can be added to it. */
  #done(slot: Slot, outcome: RequestOutcome, given: number, isAll: boolean): void {
    const refusal = outcome === "answered" ? decodeRefusal(slot) : undefined;
    if (refusal !== undefined && !this.#answer.isBegun) {
      this.#answer.refuse(refusal.code, refusal.detail);
      return;
    }
    if (outcome === "threw") this.#exchange.failure = decodeFailure(slot);
    if (outcome !== "answered" || refusal !== undefined) {
      if (outcome === "refused" || ++this.#failures < maxAttempts) this.#goOn();
      else this.#fail();
      return;
    }
    this.#failures = 0;
    const { consumed, isFinished, state, endLength } = decodeStreamProgress(slot);
    const checks = slot.get(SlotField.count);
    if (consumed > 0) this.#msPerByte = workMs(slot) / consumed;
    this.#body.drop(consumed, given, checks);
    this.#state = state;
    this.#isFinished = isFinished;
    this.#checks += checks;
    if (consumed === 0 && isAll && !isFinished) {
      this.#fail();
      return;
    }
    if (this.#earlyEnd === BlockEnd.more) this.#earlyEnd = this.#body.excess(this.#checks);
    if (isFinished || this.#earlyEnd !== BlockEnd.more) this.#body.end();
    const block: BlockOfAnswers = {
      bytes: slot.answer,
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

  #fail(): void {
    if (this.#answer.isBegun) this.#cutOff("a block failed");
    else this.#answer.refuse("checker_failed");
  }

  #cutOff(cause: string): void {
    this.#context.cutOff(this.#exchange, cause);
    this.#exchange.cut();
  }

  #handOver(block: BlockOfAnswers): void {
    if (block.bytes.length > 0 || this.#isFinished) {
      this.#answer.begin();
      this.#outgoing.add(block);
    }
    this.#goOn();
  }
}

function workMs(slot: Slot): number {
  return slot.get(SlotField.busy) / 1_000;
}
