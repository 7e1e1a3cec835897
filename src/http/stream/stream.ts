import { maxStreamLineBytes } from "../../contract/limits.ts";
import { streamMediaTypes } from "../../contract/schema/answer-schemas.ts";
import type { KeyHolder } from "../../keys/key-table.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import { type RequestOutcome, type Slot, SlotField } from "../../pool/slots.ts";
import type { streamOptionsOf } from "../../pool/stream/stream-options.ts";
import {
  BlockEnd,
  checksIn,
  decodeStreamProgress,
  encodeStreamBlock,
  newStreamState,
} from "../../pool/stream/stream-task.ts";
import { decodeFailure, decodeRefusal } from "../../pool/tasks.ts";
import type { Exchange } from "../exchange.ts";
import { openPacking } from "./gzip.ts";
import { openOutgoing } from "./outgoing-bytes.ts";
import type { Pace } from "./pace.ts";
import { openBody } from "./stream-body.ts";

/** How long until the pool is asked again for a place. */
const retryMs = 5;

/** A block that fails is tried once more: its worker may have ended for another reason. */
const maxAttempts = 2;

/** How long the client may be silent before CSV is recognised from the bytes received so far. */
const laterMs = 1_000;

/** Dependencies of a stream, and how long its client may send nothing, and take nothing. */
export interface StreamContext {
  readonly pool: CheckPool;
  readonly pace: Pace;
  /** Counts numbers whose answers were sent. */
  answered(checks: number, holder: KeyHolder | undefined): void;
  /** Whether the holder's key still opens the service. */
  isValid(holder: KeyHolder): boolean;
  /** Records a stream that is cut off in its answer, and why. */
  cutOff(exchange: Exchange, cause: string): void;
  readonly idleMs: number;
  readonly answerMs: number;
}

export type Stream = ReturnType<typeof openStream>;

/**
 * Opens a stream: lets the pool answer the body, which may be packed, block by block, and sends the answers in order,
 * packed if `packs` says so.
 *
 * One block is processed at a time, while the answer to the previous one is sent. Memory is bounded: what `openBody`
 * holds, and two answers. No block is made as long as the client does not take what is sent.
 */
export function openStream(
  exchange: Exchange,
  context: StreamContext,
  { flags, question }: ReturnType<typeof streamOptionsOf>,
  { isPacked, packs }: Readonly<Record<"isPacked" | "packs", boolean>>,
  closed: () => void,
) {
  const { pool, pace, answerMs } = context;
  const { holder } = exchange;
  const packed = packs ? openPacking() : undefined;
  let state = newStreamState(question);
  /** Why the stream ends before its body. */
  let earlyEnd: BlockEnd = BlockEnd.more;
  let isAtWork = false;
  let isClosed = false;
  let failures = 0;
  let allChecks = 0;
  /** What the last block took for a byte; the first block is short. */
  let msPerByte = Number.POSITIVE_INFINITY;
  /** Whether the summary is among what is sent. */
  let isFinished = false;
  let retry: NodeJS.Timeout | undefined;

  exchange.onClosed(() => {
    isClosed = true;
    clearTimeout(retry);
    body.close();
    outgoing.close();
    packed?.close();
    pace.blocks.forget(submit);
    closed();
  });
  const answer = exchange.beginStream(streamMediaTypes[question.output], packs ? "gzip" : undefined, () =>
    pool.editions.nameOf(),
  );
  // The first rows of CSV decide what to check, and may be refused.
  if (question.input !== "csv") answer.begin();
  const body = openBody(answer, pace.reads, isPacked, goOn, () => endEarly(BlockEnd.broken));
  const outgoing = openOutgoing(answer, answerMs, {
    blocked: body.pauseAgain,
    taken: goOn,
    sent: (checks) => context.answered(checks, holder),
  });
  exchange.onData(body.take);

  function endEarly(end: BlockEnd): void {
    if (isClosed || isFinished || earlyEnd !== BlockEnd.more) return;
    earlyEnd = end;
    body.end();
    goOn();
  }

  /** Asks for a turn where there is a block to be answered and the client has taken the answer before. */
  function goOn(): void {
    if (isClosed || isAtWork || outgoing.isBlocked() || isFinished) return;
    if (earlyEnd === BlockEnd.more && !body.isReady()) return;
    isAtWork = true;
    pace.blocks.ask(submit);
  }

  function submit(): void {
    const tenant = pool.tenantOf(holder);
    if (!pool.admission.accepts("large", tenant)) {
      // Other requests had a turn meanwhile, so the key may have reached one of its limits.
      retry = setTimeout(() => pace.blocks.ask(submit), retryMs);
      pace.blocks.end(0);
      return;
    }
    // A short block: not until CSV is recognised, nor after one without a whole row.
    const mayBeShort = answer.isBegun && !body.isIncomplete() && !body.isLate();
    const maxBytes = mayBeShort ? pace.blockBytes(msPerByte) : maxStreamLineBytes;
    const block = body.received.bytes.subarray(0, maxBytes);
    const given = block.length;
    const end = blockEnd(given);
    const isAll = given === maxStreamLineBytes || (end !== BlockEnd.more && end !== BlockEnd.later);
    try {
      pool.submit(
        "large",
        tenant,
        (slot) => {
          pace.submitting();
          encodeStreamBlock(slot, flags, block, state, end);
        },
        (slot, outcome) => {
          pace.blocks.end(outcome === "answered" ? workMs(slot) : 0);
          isAtWork = false;
          if (!isClosed) done(slot, outcome, given, isAll);
        },
      );
    } catch {
      // A kind of task that keeps killing workers is not tried.
      pace.blocks.end(0);
      fail();
    }
  }

  function blockEnd(given: number): BlockEnd {
    if (earlyEnd !== BlockEnd.more) return earlyEnd;
    if (body.isEnded() && body.received.length === given) return BlockEnd.body;
    return body.isLate() ? BlockEnd.later : BlockEnd.more;
  }

  /** Takes the answer to a block of `given` bytes; `isAll` says that no more can be added to it. */
  function done(slot: Slot, outcome: RequestOutcome, given: number, isAll: boolean): void {
    const refusal = outcome === "answered" ? decodeRefusal(slot) : undefined;
    if (refusal !== undefined && !answer.isBegun) {
      answer.refuse(refusal.code, refusal.detail);
      return;
    }
    if (outcome === "threw") exchange.failure = decodeFailure(slot);
    if (outcome !== "answered" || refusal !== undefined) {
      if (outcome === "refused" || ++failures < maxAttempts) goOn();
      else fail();
      return;
    }
    failures = 0;
    const progress = decodeStreamProgress(slot);
    const { consumed, state: stateAfter } = progress;
    const checks = slot.get(SlotField.count);
    if (consumed > 0) msPerByte = workMs(slot) / consumed;
    body.drop(consumed, given, checks);
    state = stateAfter;
    isFinished = progress.isFinished;
    allChecks += checks;
    if (consumed === 0 && isAll && !isFinished) {
      fail();
      return;
    }
    if (earlyEnd === BlockEnd.more) earlyEnd = body.excess(allChecks);
    if (isFinished || earlyEnd !== BlockEnd.more) body.end();
    const handOver = (bytes: Uint8Array) => {
      if (bytes.length > 0 || isFinished) {
        answer.begin();
        outgoing.add({
          bytes,
          checks,
          checksIn: (sent) => checksIn(packed?.unpackLast(sent) ?? sent, stateAfter),
          endLength: isFinished ? (packed === undefined ? progress.endLength : 0) : undefined,
        });
      }
      goOn();
    };
    if (packed !== undefined && (slot.answer.length > 0 || isFinished)) {
      isAtWork = true;
      packed.pack(slot.answer, isFinished, (bytes) => {
        isAtWork = false;
        if (!isClosed) handOver(bytes);
      });
      return;
    }
    // A worker processes the next block while the answer to this one is sent.
    goOn();
    handOver(slot.answer);
  }

  /** Ends a stream whose block cannot be answered. */
  function fail(): void {
    if (answer.isBegun) cutOff("a block failed");
    else answer.refuse("checker_failed");
  }

  function cutOff(cause: string): void {
    context.cutOff(exchange, cause);
    exchange.cut();
  }

  /** Ends it where the client has died: the native layer does not watch a paused socket, which has no address then. */
  function cutIfGone(): void {
    if (!isClosed && exchange.remoteAddress() === "") exchange.cut();
  }

  return {
    /** Answers the current block and ends with the line to continue from. */
    stop: () => endEarly(BlockEnd.stopped),

    cutIfGone,

    /** Bytes of memory that it keeps, besides those of zlib and of the native layer. */
    heldBytes: () => body.received.heldBytes + outgoing.heldBytes() + state.length,

    bodyBytes: () => body.received.length,

    /** Looks whether the client has been silent for too long and its key is still valid; at least every few seconds. */
    look: (now: number) => {
      if (isClosed) return;
      if (holder !== undefined && !context.isValid(holder)) endEarly(BlockEnd.stopped);
      if (outgoing.blockedSince() < now - answerMs) {
        const halfDuplex = body.isEnded() ? "" : ", which perhaps sends its whole body first";
        cutOff(`its client read nothing for ${answerMs / 1_000} s${halfDuplex}`);
      } else cutIfGone();
      if (isClosed) return;
      const silentMs = body.silentMs(now);
      const isWaiting = !isAtWork && !outgoing.isBlocked() && !body.isReady();
      if (isWaiting && silentMs > context.idleMs) endEarly(BlockEnd.idle);
      else if (body.isIncomplete() && silentMs > laterMs) {
        body.beLate();
        goOn();
      }
      if (!isClosed) body.look();
    },
  };
}

function workMs(slot: Slot): number {
  return slot.get(SlotField.busy) / 1_000;
}
