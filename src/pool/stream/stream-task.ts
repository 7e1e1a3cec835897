import { maxStreamLineBytes } from "../../contract/limits.ts";
import { SlotField } from "../slot-layout.ts";
import type { Slot } from "../slot-memory.ts";
import { TaskKind } from "../tasks.ts";

/** What the lines of a stream are. */
export type StreamInput = "text" | "ndjson";

/** How far a stream has come. The front end hands it from block to block without reading it. */
export interface StreamState {
  readonly input: StreamInput;
  /** What an answered line contains beside its number and its id; everything where absent. */
  readonly fields?: readonly string[];
  /** Number of the next line, from 1. */
  line: number;
  readonly summary: StreamSummary;
}

/** What a stream ends with. */
export interface StreamSummary {
  /** Answered lines: those with a result and those with an error; empty lines have no answer. */
  lines: number;
  valid: number;
  invalid: number;
  errors: number;
  /** How many numbers are not valid, by reason. */
  readonly reasons: Record<string, number>;
}

/** The state before the first line. */
export function newStreamState(input: StreamInput, fields: readonly string[] | undefined): Uint8Array {
  const summary = { lines: 0, valid: 0, invalid: 0, errors: 0, reasons: {} };
  const state: StreamState = { input, ...(fields === undefined ? {} : { fields }), line: 1, summary };
  return Buffer.from(JSON.stringify(state));
}

/** What follows a block: more of the body, its end, or an end before it. */
export const BlockEnd = { more: 0, body: 1, stopped: 2, idle: 3 } as const;

/** A value of BlockEnd. */
export type BlockEnd = (typeof BlockEnd)[keyof typeof BlockEnd];

const stateLength = SlotField.textLengths;
const blockEnd = SlotField.textLengths + 1;
const finished = SlotField.textLengths + 1;
const consumed = SlotField.textLengths + 2;

/** Where the state stands in a slot's input, behind the longest block. */
const stateOffset = maxStreamLineBytes;
/** The room that the kernel reads from, behind the block; the state has been read by then. */
export const kernelInput = { offset: maxStreamLineBytes, length: maxStreamLineBytes } as const;

/** Writes a block of a stream into a large slot: whatever bytes come next, the last line of which need not be whole. */
export function encodeStreamBlock(
  slot: Slot,
  flags: number,
  pieces: Iterable<Uint8Array>,
  state: Uint8Array,
  end: BlockEnd,
): void {
  slot.set(SlotField.kind, TaskKind.stream);
  slot.set(SlotField.flags, flags);
  slot.set(SlotField.count, 0);
  let length = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, maxStreamLineBytes - length);
    slot.input.set(part, length);
    length += part.length;
    if (length === maxStreamLineBytes) break;
  }
  slot.set(SlotField.inputLength, length);
  slot.input.set(state, stateOffset);
  slot.set(stateLength, state.length);
  slot.set(blockEnd, end);
}

/** Reads a block from a slot; its text has one character for each byte. */
export function decodeStreamBlock(slot: Slot): { text: string; state: StreamState; end: BlockEnd } {
  const state = slot.input.toString("utf8", stateOffset, stateOffset + slot.get(stateLength));
  return {
    text: slot.input.toString("latin1", 0, slot.get(SlotField.inputLength)),
    state: JSON.parse(state) as StreamState,
    end: slot.get(blockEnd) as BlockEnd,
  };
}

/** What a worker has done with a block. */
export interface StreamProgress {
  /** How many bytes of the block are answered; what follows them comes again with the next block. */
  readonly consumed: number;
  /** Whether the summary is written. */
  readonly isFinished: boolean;
}

/**
 * Leaves the answer to a block in its slot, the state behind it, and returns the answer's length. `text` has one
 * character for each byte. Throws a RangeError where it does not fit.
 */
export function encodeStreamAnswer(
  slot: Slot,
  text: string,
  state: StreamState,
  progress: StreamProgress,
): number {
  const next = Buffer.from(JSON.stringify(state));
  if (text.length + next.length > slot.output.length) {
    throw new RangeError("the answer to a block does not fit its slot");
  }
  slot.output.write(text, "latin1");
  slot.output.set(next, text.length);
  slot.set(stateLength, next.length);
  slot.set(consumed, progress.consumed);
  slot.set(finished, progress.isFinished ? 1 : 0);
  return text.length;
}

/** Reads what `encodeStreamAnswer` left; the state is a copy. */
export function decodeStreamProgress(slot: Slot): StreamProgress & { readonly state: Uint8Array } {
  const begin = slot.get(SlotField.outputLength);
  return {
    consumed: slot.get(consumed),
    isFinished: slot.get(finished) === 1,
    state: Uint8Array.from(slot.output.subarray(begin, begin + slot.get(stateLength))),
  };
}
