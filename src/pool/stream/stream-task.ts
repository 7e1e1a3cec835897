import type { SummaryLine } from "../../contract/api-types.ts";
import { maxStreamLineBytes } from "../../contract/limits.ts";
import { CsvScanner } from "../../rows/csv-scanner.ts";
import type { Layout, LayoutOptions } from "../../rows/layout.ts";
import { type Slot, SlotField } from "../slots.ts";
import { encodeTask } from "../tasks.ts";

export type StreamInput = "text" | "ndjson" | "csv";
export type StreamOutput = "ndjson" | "csv";

/** The options of a stream, besides the flags of its blocks. */
export interface StreamQuestion {
  readonly input: StreamInput;
  readonly output: StreamOutput;
  /** Fields of an answered line besides its number and its id, or the added columns; all if absent. */
  readonly fields?: readonly string[] | undefined;
  /** Whether the answer ends with its last line. */
  readonly withoutSummary?: boolean;
  /** Given columns of CSV, which are then not detected. */
  readonly columns: Omit<LayoutOptions, "optionName" | "inputFormat" | "format">;
}

/** How the rows of CSV are cut, once it is recognised. */
export type StreamLayout = Pick<Layout, "dialect" | "numbers" | "width">;

/** How far a stream has come. The front end hands it from block to block without reading it. */
export interface StreamState {
  readonly question: StreamQuestion;
  /** Number of the next line, from 1. */
  line: number;
  /** Bytes of the last answer that come before its rows; absent until they are written. */
  headLength?: number;
  layout?: StreamLayout;
  readonly summary: SummaryLine["summary"];
}

export function newStreamState(question: StreamQuestion): Uint8Array {
  const summary = { lines: 0, valid: 0, invalid: 0, errors: 0, reasons: {}, warnings: {} };
  const state: StreamState = { question, line: 1, summary };
  return Buffer.from(JSON.stringify(state));
}

/**
 * State of the body after a block: more follows, perhaps only after a while, or it ended, or the stream ends before it.
 * With `later`, CSV must be recognised from the bytes received so far. `blank` and `dense`: too many bytes without a line
 * to answer, too many lines for a compressed byte.
 */
export const BlockEnd = {
  more: 0,
  later: 1,
  body: 2,
  stopped: 3,
  idle: 4,
  broken: 5,
  blank: 6,
  dense: 7,
} as const;

export type BlockEnd = (typeof BlockEnd)[keyof typeof BlockEnd];

const lineFeed = 0x0a;

/**
 * Returns how many numbers the beginning of a block's answer answers: those of the lines that end in it. `state` is what
 * the block left; no answer but that to a row that cannot be read has fewer numbers than columns are checked.
 */
export function checksIn(answer: Uint8Array, state: Uint8Array): number {
  const { question, layout, headLength = 0 } = JSON.parse(Buffer.from(state).toString()) as StreamState;
  const lines = answer.subarray(headLength);
  if (question.output === "ndjson") return lines.filter((byte) => byte === lineFeed).length;
  const dialect = layout?.dialect ?? ({ delimiter: ",", lineBreak: "\n" } as const);
  const rows = new CsvScanner(dialect, Number.POSITIVE_INFINITY, maxStreamLineBytes);
  let checks = 0;
  for (let at = 0; at < lines.length && rows.scan(lines, at, lines.length, false); at = rows.next) {
    // An empty row has no answer.
    if (rows.end > at) checks += layout?.numbers.length ?? 1;
  }
  return checks;
}

const stateLength = SlotField.block;
const blockEnd = SlotField.block + 1;
const finished = SlotField.block + 1;
const consumed = SlotField.block + 2;
const endLength = SlotField.block + 3;

/** Offset of the state in a slot's input, after the longest block. */
const stateOffset = maxStreamLineBytes;
/** Where a scan copies IBANs, after the block and a line feed; the state has been read by then. */
export const scannedIbans = maxStreamLineBytes + 1;

/** Writes a block of a stream into a large slot: the next bytes, the last line of which need not be whole. */
export function encodeStreamBlock(
  slot: Slot,
  flags: number,
  bytes: Uint8Array,
  state: Uint8Array,
  end: BlockEnd,
): void {
  encodeTask(slot, "stream", flags, bytes.subarray(0, maxStreamLineBytes));
  slot.set(SlotField.count, 0);
  slot.input.set(state, stateOffset);
  slot.set(stateLength, state.length);
  slot.set(blockEnd, end);
}

export type StreamBlock = ReturnType<typeof decodeStreamBlock>;

export function decodeStreamBlock(slot: Slot) {
  const length = slot.get(SlotField.inputLength);
  const state = slot.input.toString("utf8", stateOffset, stateOffset + slot.get(stateLength));
  return { length, state: JSON.parse(state) as StreamState, end: slot.get(blockEnd) as BlockEnd };
}

/** Writes the state after the answer to a block and returns the answer's length; throws a RangeError without room. */
export function encodeStreamProgress(
  slot: Slot,
  length: number,
  state: StreamState,
  progress: Omit<ReturnType<typeof decodeStreamProgress>, "state">,
): number {
  const next = Buffer.from(JSON.stringify(state));
  if (length + next.length > slot.output.length || next.length > maxStreamLineBytes) {
    throw new RangeError("the answer to a block does not fit its slot");
  }
  slot.output.set(next, length);
  slot.set(stateLength, next.length);
  slot.set(consumed, progress.consumed);
  slot.set(endLength, progress.endLength);
  slot.set(finished, progress.isFinished ? 1 : 0);
  return length;
}

/** Reads what `encodeStreamProgress` left; the state is a copy. */
export function decodeStreamProgress(slot: Slot) {
  const begin = slot.get(SlotField.outputLength);
  return {
    /** How many bytes of the block are answered; what follows them comes again with the next block. */
    consumed: slot.get(consumed),
    /** Whether the summary is written. */
    isFinished: slot.get(finished) === 1,
    /** How many bytes of the answer are its end, which is sent as a separate chunk. */
    endLength: slot.get(endLength),
    state: Uint8Array.from(slot.output.subarray(begin, begin + slot.get(stateLength))),
  };
}
