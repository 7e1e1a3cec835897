import { createGunzip, type Gunzip } from "node:zlib";
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
 * The body of a stream, received as fast as it is answered: a block that waits and a packet of 512 KB after it, then the
 * socket is paused.
 *
 * A paused body still brings what the native layer reads in the same turn: it ends only where less than 512 KB wait in
 * the socket, so the kernel's receive buffer must be small for the bound to be kept. All that waits there is read at once
 * after a pause, so only one stream of the service resumes at a time.
 */
export class StreamBody {
  /** What waits to be answered. */
  readonly received = spare.pop() ?? new ReceivedBytes();
  readonly #socket: Pick<StreamedAnswer, "pause" | "resume">;
  readonly #reads: Turns;
  readonly #came: () => void;
  /** Unpacks on zlib's threads as fast as it is taken: of what a packet unpacks to, one chunk is in memory at a time. */
  readonly #gunzip: Gunzip | undefined;
  #packedBytes = 0;
  #blankBytes = 0;
  isEnded = false;
  #hasLine = false;
  /** The length of the last block if none of its rows was whole, otherwise 0; and the pause after it. */
  #incompleteBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  /** Whether a block is made of the bytes at hand, since no more may come for long. */
  isLate = false;
  #isPaused = false;
  /** Whether nothing more of it is wanted. */
  #isOver = false;
  #isClosed = false;
  #receivedAt = performance.now();
  readonly #readOn = () => {
    this.#isPaused = false;
    this.#receivedAt = performance.now();
    this.#socket.resume();
    // The socket is read in the turn of the event loop that begins then.
    setImmediate(() => {
      const begun = performance.now();
      setImmediate(() => this.#reads.end(performance.now() - begun));
    });
  };

  /** `came` is called when there is more to answer or something to try again, `broken` where it is not whole gzip. */
  constructor(
    socket: Pick<StreamedAnswer, "pause" | "resume">,
    reads: Turns,
    isPacked: boolean,
    came: () => void,
    broken: () => void,
  ) {
    this.#socket = socket;
    this.#reads = reads;
    this.#came = came;
    if (!isPacked) return;
    this.#gunzip = createGunzip({ chunkSize: chunkBytes });
    this.#gunzip.on("data", (piece: Buffer) => this.#add(piece, false));
    this.#gunzip.on("end", () => this.#add(Buffer.alloc(0), true));
    this.#gunzip.on("drain", () => this.#pauseOrResume());
    this.#gunzip.on("error", () => {
      if (!this.#isClosed) broken();
    });
  }

  get isIncomplete(): boolean {
    return this.#incompleteBytes > 0;
  }

  /**
   * Whether a block can be made: there is a whole line, as much as a block holds, or the end. Where no row was whole, more
   * must have come, and some time passed.
   */
  get isReady(): boolean {
    if (this.isEnded || this.#isFull) return true;
    const isWorthIt =
      this.isLate || (this.received.length > this.#incompleteBytes && this.#retry === undefined);
    return this.#hasLine && isWorthIt;
  }

  get #isFull(): boolean {
    return this.received.length >= maxStreamLineBytes;
  }

  /** Takes a piece from the socket, which is copied. */
  take(piece: Uint8Array, isLast: boolean): void {
    if (this.#isClosed) return;
    this.#receivedAt = performance.now();
    if (this.#gunzip === undefined) this.#add(piece, isLast);
    else if (!this.#isOver) {
      this.#packedBytes += piece.length;
      this.#gunzip.write(Buffer.from(piece));
      if (isLast) this.#gunzip.end();
      this.#pauseOrResume();
    }
  }

  /** Why it is not worth more work, of which `lines` lines were answered so far; `more` where it is. */
  excess(lines: number): BlockEnd {
    if (this.#blankBytes > maxBlankBytes) return BlockEnd.blank;
    const max = freePackedLines + maxLinesPerPackedByte * this.#packedBytes;
    return this.#gunzip !== undefined && lines > max ? BlockEnd.dense : BlockEnd.more;
  }

  /** How long the client has sent nothing although it might have. */
  silentMs(now: number): number {
    return this.#isPaused ? 0 : now - this.#receivedAt;
  }

  /** Wants no more: what waits and what comes is thrown away. */
  end(): void {
    this.#isOver = true;
    this.#letGo();
    this.#pauseOrResume();
  }

  /** Releases the first `count` bytes of a block of `given`, in which `lines` lines are answered; with none, no row was whole. */
  drop(count: number, given: number, lines: number): void {
    if (this.#isOver) return;
    this.#blankBytes = lines > 0 ? 0 : this.#blankBytes + count;
    this.isLate = false;
    this.#incompleteBytes = count === 0 ? given : 0;
    clearTimeout(this.#retry);
    this.#retry = count > 0 ? undefined : setTimeout(() => this.#tryAgain(), incompleteMs);
    this.received.drop(count);
    this.#hasLine = this.received.bytes.includes(lineFeed);
    this.#pauseOrResume();
    // Others may have waited for all streams to hold less.
    this.#reads.beginNext();
  }

  /** Pauses a paused socket again: a write that fails makes the native layer take from it. */
  pauseAgain(): void {
    if (this.#isPaused) this.#socket.pause();
  }

  /** Call it every few seconds: the native layer's watch over time is shorter than those of a stream and asks for 16 KB a second. */
  look(): void {
    if (!this.#isFull) this.received.trim();
    this.#socket.pause();
    if (!this.#isPaused) this.#socket.resume();
  }

  close(): void {
    this.#isClosed = true;
    this.#letGo();
    spare.push(this.received);
    this.#gunzip?.destroy();
    this.#reads.forget(this.#readOn);
    this.#reads.beginNext();
  }

  /**
   * Pauses the socket where enough waits, and resumes it where it does not. A compressed body waits both before and after
   * unpacking, so that neither part grows.
   */
  #pauseOrResume(): void {
    if (this.#isClosed) return;
    const mayPause = !this.isEnded && !this.#isOver;
    const isFull = mayPause && this.#isFull;
    if (isFull) this.#gunzip?.pause();
    else this.#gunzip?.resume();
    if (isFull || (mayPause && this.#gunzip?.writableNeedDrain === true)) {
      this.#reads.forget(this.#readOn);
      if (!this.#isPaused) this.#socket.pause();
      this.#isPaused = true;
    } else if (this.#isPaused) this.#reads.ask(this.#readOn);
  }

  #tryAgain(): void {
    this.#retry = undefined;
    this.#came();
  }

  #letGo(): void {
    clearTimeout(this.#retry);
    this.received.drop(this.received.length);
  }

  #add(piece: Uint8Array, isLast: boolean): void {
    if (this.#isClosed || this.#isOver) return;
    this.isEnded ||= isLast;
    this.received.add(piece);
    this.#hasLine ||= piece.includes(lineFeed);
    this.#came();
    this.#pauseOrResume();
  }
}
