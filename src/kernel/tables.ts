import { rulesThatWaive } from "../banking/germany/iban-rules/waived.ts";
import { layCountries, layPrefixes } from "./country-table.ts";
import * as layout from "./layout.ts";
import { layMethods } from "./method-table.ts";
import { layFixedPieces, PieceWriter, variants } from "./piece-table.ts";

const alignment = 16;
/** The kernel copies texts in words of 16 bytes, so that it reads beyond the last one. */
const slack = 64;

/** Lays tables of the kernel one behind the other; each begins at a multiple of 16, offsets count from the first byte. */
export class TableBlock {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Reserves zeroed bytes and returns their offset. */
  reserve(length: number): number {
    const offset = Math.ceil(this.#length / alignment) * alignment;
    this.#length = offset + length;
    while (this.#length + slack > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return offset;
  }

  /** Appends a table of bytes. */
  bytes(table: Uint8Array): number {
    const offset = this.reserve(table.length);
    this.copy(offset, table);
    return offset;
  }

  /** Appends a table of 16-bit numbers. */
  words(table: ArrayLike<number>): number {
    const offset = this.reserve(table.length * 2);
    for (let index = 0; index < table.length; index++) this.u16(offset + index * 2, table[index]!);
    return offset;
  }

  /** Appends a table of 32-bit numbers. */
  doubleWords(table: ArrayLike<number>): number {
    const offset = this.reserve(table.length * 4);
    for (let index = 0; index < table.length; index++) this.u32(offset + index * 4, table[index]!);
    return offset;
  }

  /** Copies bytes to a place that was reserved. */
  copy(offset: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, offset);
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

  /** Returns all tables with the bytes that may be read behind them. */
  finished(): Uint8Array {
    return this.#bytes.slice(0, this.#length + slack);
  }
}

/**
 * Lays out everything constant that the kernel reads: countries, pieces of answers, check-digit methods.
 *
 * All of it is built from the objects that the checks and answers in TypeScript work with, so that each rule is in
 * one place. The bytes may be copied to any place of the shared memory; offsets in them count from their first byte.
 * With `enforcesUkModulus` a British IBAN that fails the modulus check is wrong. About 70 KB, some milliseconds; call it
 * once and copy the result.
 */
export function kernelTables(enforcesUkModulus = false): Uint8Array {
  const block = new TableBlock();
  const header = block.reserve(layout.HEADER_BYTES);
  const pieces = new PieceWriter(block);
  const methods = layMethods(block);
  block.u32(header + layout.HEADER_COUNTRY_BY_PAIR, layPrefixes(block));
  block.u32(header + layout.HEADER_COUNTRIES, layCountries(block, pieces, enforcesUkModulus));
  block.u32(
    header + layout.HEADER_PIECES,
    block.doubleWords(variants.map((options) => layFixedPieces(block, pieces, options))),
  );
  block.u32(header + layout.HEADER_METHOD_ENTRIES, methods.entries);
  block.u32(header + layout.HEADER_METHOD_NODES, methods.nodes);
  block.u32(header + layout.HEADER_WAIVING_RULES, layWaivingRules(block));
  block.u32(header + layout.HEADER_ENTRY_ROOM, pieces.entryRoom);
  return block.finished();
}

function layWaivingRules(block: TableBlock): number {
  let bits = 0n;
  for (const rule of rulesThatWaive) {
    if (Number(rule) >= layout.RULE_BITS) throw new RangeError(`the kernel has no bit for IBAN rule ${rule}`);
    bits |= 1n << BigInt(rule);
  }
  const word = block.reserve(8);
  block.u64(word, bits);
  return word;
}
