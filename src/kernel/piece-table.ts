import { CODE_BYTES } from "../banks/directory/directory-layout.ts";
import { MAX_FRAGMENT_BYTES } from "../banks/directory/fragment.ts";
import { batchPieces } from "../checks/batch-answer.ts";
import { ibanDataPieces } from "../checks/iban-data.ts";
import { IbanOutcome } from "../contract/status.ts";
import * as layout from "./layout.ts";
import type { TableBlock } from "./table-block.ts";

const KONTONUMMER_BYTES = 10;
/** Quote before and brace behind a fragment. */
const FRAGMENT_FRAME_BYTES = 2;
/** The most pieces an entry without a fragment is made of. */
const MOST_PIECES = 4;
/** Opening of the next entry, or end of the batch, and the words that may be written beyond the last byte. */
const AFTER_ENTRY_BYTES = 2 * layout.SHORT_PIECE_BYTES + layout.MIDDLE_PIECE_BYTES;

/** Writes the constant pieces of an answer into the tables. */
export class PieceWriter {
  readonly #block: TableBlock;
  #longest = 0;

  constructor(block: TableBlock) {
    this.#block = block;
  }

  /** Writes parts as one piece and gives its offset. */
  write(...parts: readonly Uint8Array[]): number {
    const text = Buffer.concat(parts);
    this.#longest = Math.max(this.#longest, text.length);
    const offset = this.#block.reserve(4 + text.length);
    this.#block.u32(offset, text.length);
    this.#block.copy(offset + 4, text);
    return offset;
  }

  /** Does the same where the kernel copies a fixed number of bytes. Throws a RangeError for more than those. */
  writeWithin(most: number, ...parts: readonly Uint8Array[]): number {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > most) throw new RangeError(`a piece of ${length} bytes where the kernel copies ${most}`);
    return this.write(...parts);
  }

  /** The most bytes an entry takes beside the two echoes of its text, whatever is written after it included. */
  get entryRoom(): number {
    const pieces = MOST_PIECES * this.#longest + KONTONUMMER_BYTES + CODE_BYTES.bank;
    return pieces + MAX_FRAGMENT_BYTES + FRAGMENT_FRAME_BYTES + AFTER_ENTRY_BYTES;
  }
}

/** Lays out the pieces that depend on no country, and the table of their offsets. */
export function layFixedPieces(block: TableBlock, pieces: PieceWriter): number {
  const batch = batchPieces;
  const data = ibanDataPieces;
  const notAnIban = batch.entryMiddle[IbanOutcome.not_an_iban]!;
  const short = layout.SHORT_PIECE_BYTES;
  const offsets: number[] = [];
  offsets[layout.PIECE_BATCH_HEAD] = pieces.write(batch.head);
  offsets[layout.PIECE_RESULTS] = pieces.write(batch.results);
  offsets[layout.PIECE_FIRST_ENTRY] = pieces.writeWithin(short, batch.entryHead);
  offsets[layout.PIECE_NEXT_ENTRY] = pieces.writeWithin(short, batch.comma, batch.entryHead);
  offsets[layout.PIECE_NOT_AN_IBAN] = pieces.write(notAnIban, data.noIban, batch.errorTail);
  offsets[layout.PIECE_UNREGISTERED_COUNTRY] = pieces.write(data.quote, data.noCountry, batch.entryTail);
  offsets[layout.PIECE_KONTONUMMER] = pieces.write(data.quote, data.kontonummer);
  offsets[layout.PIECE_BLZ] = pieces.write(data.blz);
  offsets[layout.PIECE_BATCH_TAIL] = pieces.writeWithin(short, batch.tail);
  for (const [outcome, middle] of batch.entryMiddle.entries()) {
    const number = layout.PIECE_OUTCOMES + outcome;
    offsets[number] = pieces.writeWithin(layout.MIDDLE_PIECE_BYTES, middle, data.iban);
  }
  const table = block.reserve(offsets.length * 4);
  for (const [number, offset] of offsets.entries()) block.u32(table + number * 4, offset);
  return table;
}
