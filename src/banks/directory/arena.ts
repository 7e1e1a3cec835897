/** Collects UTF-8 texts one after the other in memory that grows as needed. */
export class ByteArena {
  #bytes = Buffer.allocUnsafe(1 << 22);
  #length = 0;

  /** Bytes collected so far; the place where the next text will begin. */
  get length(): number {
    return this.#length;
  }

  /** Appends a text and returns its length in bytes. */
  append(text: string): number {
    this.#reserve(text.length * 3);
    const written = this.#bytes.write(text, this.#length);
    this.#length += written;
    return written;
  }

  /** Appends a text, preceded by its length in bytes (u16, little-endian); the text must be below 65,536 bytes. */
  appendWithLength(text: string): void {
    this.#reserve(2);
    this.#length = this.#bytes.writeUInt16LE(Buffer.byteLength(text), this.#length);
    this.append(text);
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

/** Puts texts into an arena, each once, in the form the directory's text references lead to. */
export class TextPool {
  readonly #arena: ByteArena;
  readonly #arenaOffset: number;
  readonly #references = new Map<string, number>();

  /** @param arenaOffset offset of the arena's first byte in the directory; above 0. */
  constructor(arena: ByteArena, arenaOffset: number) {
    this.#arena = arena;
    this.#arenaOffset = arenaOffset;
  }

  /** Returns the reference of a text, which is added when it is new; 0 for null. */
  reference(text: string | null): number {
    if (text === null) return 0;
    const known = this.#references.get(text);
    if (known !== undefined) return known;
    const reference = this.#arenaOffset + this.#arena.length;
    this.#arena.appendWithLength(text);
    this.#references.set(text, reference);
    return reference;
  }
}
