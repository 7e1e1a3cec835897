const alignment = 16;
/** The kernel copies texts in words of 16 bytes, so that it reads beyond the last one. */
const slack = 64;

/** Lays tables of the kernel one after the other; each begins at a multiple of 16, offsets count from the first byte. */
export class TableBlock {
  /** Some 70 KB are used. */
  readonly #bytes = new Uint8Array(1 << 20);
  readonly #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Reserves zeroed bytes and returns their offset. */
  reserve(length: number): number {
    const offset = Math.ceil(this.#length / alignment) * alignment;
    this.#length = offset + length;
    return offset;
  }

  /** Appends a table of bytes. */
  bytes(table: Uint8Array): number {
    const offset = this.reserve(table.length);
    this.#bytes.set(table, offset);
    return offset;
  }

  /** Appends a table of 16-bit numbers. */
  u16s(table: ArrayLike<number>): number {
    const offset = this.reserve(table.length * 2);
    for (let index = 0; index < table.length; index++) this.u16(offset + index * 2, table[index]!);
    return offset;
  }

  /** Writes a number of 8 bits. */
  u8(offset: number, value: number): void {
    this.#view.setUint8(offset, value);
  }

  /** Writes a number of 16 bits, little-endian as all of them. */
  u16(offset: number, value: number): void {
    this.#view.setUint16(offset, value, true);
  }

  /** Writes a number of 32 bits. */
  u32(offset: number, value: number): void {
    this.#view.setUint32(offset, value, true);
  }

  /** Writes a number of 64 bits. */
  u64(offset: number, value: bigint): void {
    this.#view.setBigUint64(offset, value, true);
  }

  /** Returns all tables with the bytes that may be read after them. */
  finished(): Uint8Array {
    return this.#bytes.slice(0, this.#length + slack);
  }
}
