import { type Message, textOf } from "../contract/message.ts";

/** One row of the input, whose text has one character for each byte, so that places in it are places in the file. */
export interface Row {
  /** The row as in the file, without its line break. */
  readonly text: string;
  /** Its fields in the order of the columns; none for an empty line, a row that cannot be read, and where none are needed. */
  readonly fields: readonly string[];
  /** How many fields the row has, where `fields` may lack some. */
  readonly count?: number;
  /** Why it cannot be read. */
  readonly fault?: Message | undefined;
}

/** Why a row cannot be read whose line has a number, from 1. */
export type RowFault = (line: number) => Message;

/** The text whose codes were scanned; of bytes, one with a character for each. */
export interface RowText {
  slice(from: number, to: number): string;
}

/** Finds the rows of a format one after the other; what it says is of the row that was found last. */
export interface RowFinder {
  /** The last character of a line break. */
  readonly lineBreak: "\n" | "\r";
  /** Where the row ends, without its line break, where the next one begins, and how many lines it takes. */
  readonly end: number;
  readonly next: number;
  readonly lines: number;
  /** How many fields it has: none if it is empty or cannot be read. */
  readonly count: number;
  readonly fault: RowFault | undefined;
  /**
   * Finds the row that begins at a place; false if it is not whole before `limit`. Where that is the end of the input, a row
   * needs no line break. A row that cannot be read ends with its line.
   */
  scan(bytes: Uint8Array, begin: number, limit: number, isLast: boolean): boolean;
  /** A field; empty if the row has fewer. */
  field(row: RowText, column: number): string;
  fields(row: RowText): readonly string[];
}

/** A row beyond this many bytes counts as an unclosed quote. */
export const maxRowBytes = 1_048_576;

/** Something about input, output or options that keeps a file from being checked; the message is for the person. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The message in any language, where it has an id. */
  readonly reason: Message | undefined;

  constructor(reason: string | Message) {
    super(typeof reason === "string" ? reason : textOf(reason, "en"));
    this.reason = typeof reason === "string" ? undefined : reason;
  }
}
