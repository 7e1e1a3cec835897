import { SlotField } from "./slot-layout.ts";
import type { Slot } from "./slot-memory.ts";

/** What a slot asks the worker to do. */
export const TaskKind = { iban: 1, batch: 2, account: 3, search: 4, rawBatch: 5 } as const;

/** A value of TaskKind. */
export type TaskKind = (typeof TaskKind)[keyof typeof TaskKind];

/** Options of a task, as bits of one word. */
export const TaskFlag = {
  /** Generate the IBAN too (account check with `sepa=1`). */
  sepa: 1,
  /** Add the list of checks made to the answer (`explain=1`). */
  explain: 2,
  /** A BIC was given with the IBAN. */
  bic: 4,
} as const;

const shortText = 64;

/** Writes a task of up to four short texts into a slot. The caller has made sure that they fit its input. */
export function encodeTexts(slot: Slot, kind: TaskKind, flags: number, texts: readonly string[]): void {
  slot.set(SlotField.kind, kind);
  slot.set(SlotField.flags, flags);
  slot.set(SlotField.count, 1);
  let length = 0;
  for (let index = 0; index < texts.length; index++) {
    const written = writeText(slot.input, texts[index]!, length);
    slot.set(SlotField.textLengths + index, written);
    length += written;
  }
  slot.set(SlotField.inputLength, length);
}

/** Writes UTF-8 and gives the number of bytes; for the short ASCII of an IBAN a loop beats the call into Node. */
function writeText(target: Buffer, text: string, offset: number): number {
  if (text.length <= shortText) {
    let index = 0;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) break;
      target[offset + index] = code;
    }
    if (index === text.length) return index;
  }
  return target.write(text, offset, "utf8");
}

/** Reads the text of a number from a slot written by `encodeTexts`. */
export function decodeText(slot: Slot, index: number): string {
  let start = 0;
  for (let before = 0; before < index; before++) start += slot.get(SlotField.textLengths + before);
  return slot.input.toString("utf8", start, start + slot.get(SlotField.textLengths + index));
}

/** Where a packed batch entry is no string: its length word holds this instead of a length. */
const notText = 0xffff_ffff;

/**
 * Packs the entries of a batch into a slot: for each a 32-bit length (little-endian) and its UTF-8 text.
 *
 * Entries that are no strings keep their place. Throws where they do not fit, which a body within the size limit
 * cannot cause.
 */
export function encodeBatch(slot: Slot, entries: readonly unknown[]): void {
  const { input } = slot;
  slot.set(SlotField.kind, TaskKind.batch);
  slot.set(SlotField.flags, 0);
  slot.set(SlotField.count, entries.length);
  let position = 0;
  for (const entry of entries) {
    if (typeof entry !== "string") {
      position = input.writeUInt32LE(notText, position);
      continue;
    }
    const text = position + 4;
    if (entry.length * 3 > input.length - text && Buffer.byteLength(entry) > input.length - text) {
      throw new RangeError("the batch does not fit its slot");
    }
    const length = input.write(entry, text, "utf8");
    input.writeUInt32LE(length, position);
    position = text + length;
  }
  slot.set(SlotField.inputLength, position);
}

/** Puts the body of a batch into a slot as it came, for the worker's kernel to read. */
export function encodeRawBatch(slot: Slot, body: Uint8Array): void {
  slot.set(SlotField.kind, TaskKind.rawBatch);
  slot.set(SlotField.flags, 0);
  slot.set(SlotField.inputLength, body.length);
  slot.input.set(body);
}

/** The body that `encodeRawBatch` put into a slot. */
export function rawBatch(slot: Slot): Uint8Array {
  return slot.input.subarray(0, slot.get(SlotField.inputLength));
}

/** Reads the length of the batch entry packed at `position`: its text stands four bytes on; -1 for one that is no string. */
export function packedLength(input: Buffer, position: number): number {
  const length = input.readUInt32LE(position);
  return length === notText ? -1 : length;
}
