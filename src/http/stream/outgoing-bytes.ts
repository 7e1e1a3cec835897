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

interface SocketEvents {
  /** A write has failed: nothing more is sent for now. */
  blocked(): void;
  /** Everything was taken again. */
  taken(): void;
  /** The answers to `checks` numbers were handed to the socket. */
  sent(checks: number): void;
}

interface BlockOfAnswers {
  readonly bytes: Uint8Array;
  readonly checks: number;
  /** How many of them a part of it answers that was sent. */
  checksIn(sent: Uint8Array): number;
  /** Of the last one: how many bytes are its end, which is sent as a separate chunk. */
  readonly endLength: number | undefined;
}

/**
 * Sends bytes to the client of a stream, which may take nothing for `answerMs`; those in flight are bounded although the
 * native layer keeps all that it is passed.
 *
 * The native layer reports for a piece only whether the pieces before it were taken, and of a paused socket not when it takes
 * more. So a blocked socket is tried with small pieces of the rest at growing intervals. If nothing is left to try
 * with, the next answer asks.
 *
 * A number is answered once the end of its line is handed to the socket: what a client that goes away was not sent is not
 * counted.
 */
export function openOutgoing(
  answer: Pick<StreamedAnswer, "write" | "end">,
  answerMs: number,
  events: SocketEvents,
) {
  /** The block being sent, the number of bytes sent of it, and the block after it. */
  let current: BlockOfAnswers | undefined;
  let sent = 0;
  let following: BlockOfAnswers | undefined;
  let retryMs = initialRetryMs;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  let hasFailed = false;
  /** When the socket was first found to take nothing; infinite if it takes everything. */
  let blockedSince = Number.POSITIVE_INFINITY;

  const isBlocked = () => blockedSince !== Number.POSITIVE_INFINITY;

  function write(): void {
    while (current !== undefined) {
      const { bytes, checks, endLength } = current;
      const end = bytes.length - (endLength ?? 0);
      const length = hasFailed ? maxProbeBytes : maxPieceBytes;
      const piece = bytes.subarray(sent, sent < end ? Math.min(sent + length, end) : bytes.length);
      hasFailed = !answer.write(piece);
      sent += piece.length;
      if (sent === bytes.length) {
        sent = 0;
        current = following;
        following = undefined;
        events.sent(checks);
        if (endLength !== undefined) answer.end();
      }
      if (hasFailed) {
        if (!isBlocked()) blockedSince = performance.now();
        return;
      }
      retryMs = initialRetryMs;
      blockedSince = Number.POSITIVE_INFINITY;
    }
  }

  function watch(): void {
    clearTimeout(retry);
    if (!isBlocked() || isClosed) return;
    events.blocked();
    retry = setTimeout(askAgain, retryMs);
    retryMs = Math.min(2 * retryMs, answerMs * maxRetryPart);
  }

  function askAgain(): void {
    if (current === undefined) blockedSince = Number.POSITIVE_INFINITY;
    else write();
    if (isBlocked()) watch();
    else if (!isClosed) events.taken();
  }

  return {
    blockedSince: () => blockedSince,
    /** Whether the client has not taken what was sent; then one more block may be added, and no other. */
    isBlocked,
    heldBytes: () => (current?.bytes.length ?? 0) + (following?.bytes.length ?? 0),
    /** Sends a block as far as the client takes it, and keeps a copy of the rest. The last block ends the answer. */
    add: (block: BlockOfAnswers) => {
      if (current !== undefined) {
        following = copied(block);
        return;
      }
      current = block;
      write();
      if (current === block) current = copied(block);
      watch();
    },
    /** Ends the watch, and counts what was sent of a block that was sent in part. */
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      if (current === undefined) return;
      events.sent(Math.min(current.checksIn(current.bytes.subarray(0, sent)), current.checks));
    },
  };
}

function copied(block: BlockOfAnswers): BlockOfAnswers {
  return { ...block, bytes: new Uint8Array(block.bytes) };
}
