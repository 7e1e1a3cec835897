/**
 * Collects UTF-8 texts one after the other, in memory that grows as needed, in the form that the directory's text
 * references lead to.
 */
export class TextPool {
  readonly #start: number;
  readonly #references = new Map<string, number>();
  #bytes = Buffer.allocUnsafe(1 << 22);
  #length = 0;

  /** @param start offset of the first text in the directory; above 0. */
  constructor(start: number) {
    this.#start = start;
  }

  /** Offset in the directory at which the next text begins. */
  get end(): number {
    return this.#start + this.#length;
  }

  /** Appends a text and returns its length in bytes. */
  append(text: string): number {
    this.#reserve(text.length * 3);
    const written = this.#bytes.write(text, this.#length);
    this.#length += written;
    return written;
  }

  /** Returns the reference of a text below 65,536 bytes, which is added with its length when it is new; 0 for null. */
  reference(text: string | null): number {
    if (text === null) return 0;
    const reference = this.#references.get(text) ?? this.end;
    if (reference < this.end) return reference;
    this.#references.set(text, reference);
    this.#reserve(2);
    this.#length = this.#bytes.writeUInt16LE(Buffer.byteLength(text), this.#length);
    this.append(text);
    return reference;
  }

  /** Copies everything collected to its place in a directory. */
  copyTo(directory: Uint8Array): void {
    directory.set(this.#bytes.subarray(0, this.#length), this.#start);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
