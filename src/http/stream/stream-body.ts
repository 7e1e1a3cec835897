import { createGunzip } from "node:zlib";
import {
  freePackedLines,
  maxBlankBytes,
  maxLinesPerPackedByte,
  maxStreamLineBytes,
} from "../../contract/limits.ts";
import { BlockEnd } from "../../pool/stream/stream-task.ts";
import type { StreamedAnswer } from "../exchange.ts";
import { ReceivedBytes } from "../received-bytes.ts";
import { chunkBytes } from "./gzip.ts";
import type { Turns } from "./pace.ts";

const lineFeed = 0x0a;
/** How long until a block of which no row was whole is tried again. */
const incompleteMs = 20;

/** Memory of streams that have ended, for the next ones: most of what a packet costs is memory that nothing was in yet. */
const spare: ReceivedBytes[] = [];

export function forgetSpare(): void {
  for (const received of spare.splice(0)) received.clear();
}

/**
 * Opens the body of a stream, received as fast as it is answered: a block that waits and a packet of 512 KB after it, then
 * the socket is paused. `came` is called when there is more to answer or something to try again, `broken` where it is not
 * whole gzip.
 *
 * A paused body still brings what the native layer reads in the same turn: it ends only where less than 512 KB wait in
 * the socket, so the kernel's receive buffer must be small for the bound to be kept. All that waits there is read at once
 * after a pause, so only one stream of the service resumes at a time.
 */
export function openBody(
  socket: Pick<StreamedAnswer, "pause" | "resume">,
  reads: Turns,
  isPacked: boolean,
  came: () => void,
  broken: () => void,
) {
  const received = spare.pop() ?? new ReceivedBytes();
  /** Unpacks on zlib's threads as fast as it is taken: of what a packet unpacks to, one chunk is in memory at a time. */
  const gunzip = isPacked ? createGunzip({ chunkSize: chunkBytes }) : undefined;
  let packedBytes = 0;
  let blankBytes = 0;
  let isEnded = false;
  let hasLine = false;
  /** The length of the last block if none of its rows was whole, otherwise 0; and the pause after it. */
  let incompleteBytes = 0;
  let retry: NodeJS.Timeout | undefined;
  let isLate = false;
  let isPaused = false;
  /** Whether nothing more of it is wanted. */
  let isOver = false;
  let isClosed = false;
  let receivedAt = performance.now();
  gunzip?.on("data", (piece: Buffer) => add(piece, false));
  gunzip?.on("end", () => add(Buffer.alloc(0), true));
  gunzip?.on("drain", pauseOrResume);
  gunzip?.on("error", broken);

  const isFull = () => received.length >= maxStreamLineBytes;

  function readOn(): void {
    isPaused = false;
    receivedAt = performance.now();
    socket.resume();
    // The socket is read in the turn of the event loop that begins then.
    setImmediate(() => {
      const begun = performance.now();
      setImmediate(() => reads.end(performance.now() - begun));
    });
  }

  /**
   * Pauses the socket where enough waits, and resumes it where it does not. A compressed body waits both before and after
   * unpacking, so that neither part grows.
   */
  function pauseOrResume(): void {
    if (isClosed) return;
    const mayPause = !isEnded && !isOver;
    const isToWait = mayPause && isFull();
    if (isToWait) gunzip?.pause();
    else gunzip?.resume();
    if (isToWait || (mayPause && gunzip?.writableNeedDrain === true)) {
      reads.forget(readOn);
      if (!isPaused) socket.pause();
      isPaused = true;
    } else if (isPaused) reads.ask(readOn);
  }

  function add(piece: Uint8Array, isLast: boolean): void {
    if (isOver) return;
    isEnded ||= isLast;
    received.add(piece);
    hasLine ||= piece.includes(lineFeed);
    came();
    pauseOrResume();
  }

  /** Wants no more: what waits and what comes is thrown away. */
  function end(): void {
    isOver = true;
    clearTimeout(retry);
    received.drop(received.length);
    pauseOrResume();
  }

  return {
    /** What waits to be answered. */
    received,
    end,
    isEnded: () => isEnded,
    isIncomplete: () => incompleteBytes > 0,
    /** Whether a block is made of the bytes at hand, since no more may come for long. */
    isLate: () => isLate,
    beLate: () => {
      isLate = true;
    },
    /**
     * Whether a block can be made: there is a whole line, as much as a block holds, or the end. Where no row was whole, more
     * must have come, and some time passed.
     */
    isReady: () => {
      if (isEnded || isFull()) return true;
      return hasLine && (isLate || (received.length > incompleteBytes && retry === undefined));
    },
    /** Takes a piece from the socket, which is copied. */
    take: (piece: Uint8Array, isLast: boolean) => {
      receivedAt = performance.now();
      if (gunzip === undefined) add(piece, isLast);
      else if (!isOver) {
        packedBytes += piece.length;
        gunzip.write(Buffer.from(piece));
        if (isLast) gunzip.end();
        pauseOrResume();
      }
    },
    /** Why it is not worth more work, of which `lines` lines were answered so far; `more` where it is. */
    excess: (lines: number) => {
      if (blankBytes > maxBlankBytes) return BlockEnd.blank;
      const isDense = isPacked && lines > freePackedLines + maxLinesPerPackedByte * packedBytes;
      return isDense ? BlockEnd.dense : BlockEnd.more;
    },
    /** How long the client has sent nothing although it might have. */
    silentMs: (now: number) => (isPaused ? 0 : now - receivedAt),
    /** Releases the first `count` bytes of a block of `given`, in which `lines` lines are answered; with none, no row was whole. */
    drop: (count: number, given: number, lines: number) => {
      if (isOver) return;
      blankBytes = lines > 0 ? 0 : blankBytes + count;
      isLate = false;
      incompleteBytes = count === 0 ? given : 0;
      clearTimeout(retry);
      const tryAgain = () => {
        retry = undefined;
        came();
      };
      retry = count > 0 ? undefined : setTimeout(tryAgain, incompleteMs);
      received.drop(count);
      hasLine = received.bytes.includes(lineFeed);
      pauseOrResume();
      // Others may have waited for all streams to hold less.
      reads.beginNext();
    },
    /** Pauses a paused socket again: a write that fails makes the native layer take from it. */
    pauseAgain: () => {
      if (isPaused) socket.pause();
    },
    /** Call it every few seconds: the native layer's watch over time is shorter than those of a stream and asks for 16 KB a second. */
    look: () => {
      if (!isFull()) received.trim();
      socket.pause();
      if (!isPaused) socket.resume();
    },
    close: () => {
      isClosed = true;
      end();
      spare.push(received);
      gunzip?.destroy();
      reads.forget(readOn);
      reads.beginNext();
    },
  };
}
