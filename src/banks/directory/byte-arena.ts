/** Collects UTF-8 texts one behind the other in memory that grows as needed. */
export class ByteArena {
  #bytes = Buffer.allocUnsafe(1 << 22);
  #length = 0;

  /** Bytes collected so far; the place where the next text will begin. */
  get length(): number {
    return this.#length;
  }

  /** Appends a text and returns the number of bytes it took. */
  append(text: string): number {
    this.#reserve(text.length * 3);
    const written = this.#bytes.write(text, this.#length);
    this.#length += written;
    return written;
  }

  /** Appends a text behind its own length in bytes (u16, little-endian); the text must be below 65,536 bytes. */
  appendWithLength(text: string): void {
    this.#reserve(2 + text.length * 3);
    const written = this.#bytes.write(text, this.#length + 2);
    this.#bytes.writeUInt16LE(written, this.#length);
    this.#length += 2 + written;
  }

  /** Appends a text behind a number of its own (u16, little-endian) and returns the number of bytes of the text. */
  appendWithNumber(number: number, text: string): number {
    this.#reserve(2 + text.length * 3);
    this.#length = this.#bytes.writeUInt16LE(number, this.#length);
    return this.append(text);
  }

  /** Copies everything collected to `target` from `offset` on. */
  copyTo(target: Uint8Array, offset: number): void {
    target.set(this.#bytes.subarray(0, this.#length), offset);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
