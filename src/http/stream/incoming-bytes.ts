import { maxStreamLineBytes } from "../../contract/limits.ts";

const lineFeed = 0x0a;

/** What has come of a stream's body and is not answered yet. */
export class IncomingBytes {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #isEnded = false;
  #hasLine = false;

  get length(): number {
    return this.#length;
  }

  /** Whether all that is here is the end of the body and fits one block. */
  get isLastBlock(): boolean {
    return this.#isEnded && this.#length <= maxStreamLineBytes;
  }

  /** Whether the body is to be paused: a whole block waits. */
  get isFull(): boolean {
    return this.#length >= maxStreamLineBytes;
  }

  /** Whether a block can be made: there is a whole line, as much as a block holds, or the end. */
  get isReady(): boolean {
    return this.#hasLine || this.#isEnded || this.isFull;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** What a block may be made of. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  /** Adds a piece, which is copied. */
  add(piece: Uint8Array, isLast: boolean): void {
    this.#isEnded ||= isLast;
    if (piece.length === 0) return;
    this.#pieces.push(piece.slice());
    this.#length += piece.length;
    this.#hasLine ||= piece.includes(lineFeed);
  }

  /** Lets the first bytes go, which are answered. */
  drop(count: number): void {
    this.#length -= count;
    let left = count;
    let whole = 0;
    while (left > 0 && this.#pieces[whole]!.length <= left) left -= this.#pieces[whole++]!.length;
    this.#pieces.splice(0, whole);
    if (left > 0) this.#pieces[0] = this.#pieces[0]!.subarray(left);
    this.#hasLine = this.#pieces.some((piece) => piece.includes(lineFeed));
  }

  /** Lets everything go; nothing more is wanted. */
  clear(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#hasLine = false;
  }
}
