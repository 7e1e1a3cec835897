/** From this length on bytes are in memory that goes back to the system at once. */
const pageBytes = 4_096;

/** What every body begins with, so that one in a single piece allocates no memory. */
const noBytes = new Uint8Array(0);

/**
 * The part of a body that has come and is still needed.
 *
 * From a page on it is in memory that goes back to the system at once: other memory waits for V8, which collects only
 * while it allocates, and then for the C library, which returns only the end of its heap.
 */
export class ReceivedBytes {
  #memory = noBytes;
  #begin = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#begin;
  }

  get heldBytes(): number {
    return this.#memory.length;
  }

  /** The bytes, valid until more are added or memory is released. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(this.#begin, this.#end);
  }

  add(piece: Uint8Array): void {
    if (this.#end + piece.length > this.#memory.length) this.#makeRoom(this.length + piece.length);
    this.#memory.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** Forgets the first bytes, whose memory is used for the next ones. */
  drop(count: number): void {
    this.#begin += count;
  }

  /** Releases all memory that the bytes do not need. */
  trim(): void {
    const rest = this.bytes.slice();
    this.clear();
    this.add(rest);
  }

  clear(): void {
    if (this.#memory.buffer.resizable) this.#memory.buffer.resize(0);
    this.#memory = noBytes;
    this.#begin = 0;
    this.#end = 0;
  }

  #makeRoom(length: number): void {
    const { bytes } = this;
    const { buffer } = this.#memory;
    this.#end = bytes.length;
    this.#begin = 0;
    if (length > buffer.maxByteLength) {
      this.#memory =
        length < pageBytes
          ? new Uint8Array(2 * length)
          : new Uint8Array(new ArrayBuffer(length, { maxByteLength: 2 * length }));
      this.#memory.set(bytes);
      if (buffer.resizable) buffer.resize(0);
    } else {
      this.#memory.set(bytes);
      if (length > buffer.byteLength) buffer.resize(length);
    }
  }
}
