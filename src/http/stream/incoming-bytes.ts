import { maxBlankBytes, maxStreamLineBytes } from "../../contract/limits.ts";

const lineFeed = 0x0a;
/** How long until a block of which no row was whole is tried again. */
export const incompleteMs = 20;

/** Maximum packet size of the native layer, and the size from which the memory of packets is reused. */
const packetBytes = 524_288;
const minReusedBytes = 65_536;
/**
 * Packets that are kept for reuse while streams are open: new memory for each would be most of what a packet costs, and
 * V8 would collect it all the time.
 */
const maxFree = 256;
const freePackets: Uint8Array[] = [];

function copied(piece: Uint8Array): Uint8Array {
  if (piece.length < minReusedBytes || piece.length > packetBytes) return new Uint8Array(piece);
  const packet = freePackets.pop() ?? new Uint8Array(packetBytes);
  packet.set(piece);
  return packet.subarray(0, piece.length);
}

/** Returns the memory of an unused piece to `freePackets`. */
function release({ buffer }: Uint8Array): void {
  if (buffer.byteLength === packetBytes && freePackets.length < maxFree) {
    freePackets.push(new Uint8Array(buffer));
  }
}

/** Lets the memory of packets go that no stream needs. */
export function forgetFreePackets(): void {
  freePackets.length = 0;
}

/** The received part of a stream's body that is not answered yet. */
export class IncomingBytes {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #isEnded = false;
  #hasLine = false;
  /** The length and the time of the last block without a whole row; -1 if the last one had a row. */
  #incompleteLength = -1;
  #incompleteAt = 0;
  #isLate = false;
  #blankBytes = 0;

  get length(): number {
    return this.#length;
  }

  /** Bytes of memory that the pieces keep. */
  get heldBytes(): number {
    return this.#pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  /** Whether the rest of the body has come and fits a block of `maxBytes`. */
  isLastBlock(maxBytes: number): boolean {
    return this.#isEnded && this.#length <= maxBytes;
  }

  /** Whether the body must be paused: a whole block waits. */
  get isFull(): boolean {
    return this.#length >= maxStreamLineBytes;
  }

  /**
   * Whether a block can be made: there is a whole line, as much as a block holds, or the end. Where no row was whole, more
   * must have come, and some time passed.
   */
  get isReady(): boolean {
    if (this.#isEnded || this.isFull) return true;
    const isWorthIt =
      !this.isIncomplete ||
      this.#isLate ||
      (this.hasMore && performance.now() - this.#incompleteAt >= incompleteMs);
    return this.#hasLine && isWorthIt;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether the last block had no whole row. */
  get isIncomplete(): boolean {
    return this.#incompleteLength >= 0;
  }

  /** Whether more has come since the last block, which had no whole row. */
  get hasMore(): boolean {
    return this.isIncomplete && this.#length > this.#incompleteLength;
  }

  /** Whether a block is made of the bytes at hand, since no more may come for long. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Whether the body is refused, since too many bytes have arrived without a line that gets an answer. */
  get isBlank(): boolean {
    return this.#blankBytes > maxBlankBytes;
  }

  /** The received pieces that the next block is made from. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  /** Adds a piece, which is copied. */
  add(piece: Uint8Array, isLast: boolean): void {
    this.#isEnded ||= isLast;
    if (piece.length === 0) return;
    this.#pieces.push(copied(piece));
    this.#length += piece.length;
    this.#hasLine ||= piece.includes(lineFeed);
  }

  /** Records that no more may come for long, so that a block is made of the bytes at hand; false if there are none. */
  setLate(): boolean {
    this.#isLate = this.#length > 0;
    return this.#isLate;
  }

  /** Releases the first bytes of a block, in which `lines` lines are answered; with none, no row was whole. */
  drop(count: number, given: number, lines: number): void {
    this.#blankBytes = lines > 0 ? 0 : this.#blankBytes + count;
    this.#incompleteLength = count === 0 ? given : -1;
    this.#incompleteAt = performance.now();
    this.#isLate = false;
    this.#length -= count;
    let left = count;
    let whole = 0;
    while (left > 0 && this.#pieces[whole]!.length <= left) left -= this.#pieces[whole++]!.length;
    for (const piece of this.#pieces.splice(0, whole)) release(piece);
    if (left > 0) {
      const rest = this.#pieces[0]!.subarray(left);
      // Below a block the body continues: the whole packet is not to be kept for the end of it.
      this.#pieces[0] = this.isFull ? rest : rest.slice();
      if (!this.isFull) release(rest);
    }
    this.#hasLine = this.#pieces.some((piece) => piece.includes(lineFeed));
  }

  /** Lets everything go; nothing more is wanted. */
  clear(): void {
    for (const piece of this.#pieces) release(piece);
    this.#pieces = [];
    this.#length = 0;
    this.#hasLine = false;
  }
}
