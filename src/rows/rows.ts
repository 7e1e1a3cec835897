import { type Message, textOf } from "../contract/message.ts";

/**
 * One row of the input.
 *
 * All text of the input is held with one character for each byte, so that places in it are places in the file.
 */
export interface Row {
  /** The row as in the file, without its line break. */
  readonly text: string;
  /** Its fields in the order of the columns; none for an empty line and for a row that cannot be read. */
  readonly fields: readonly string[];
  readonly fault?: RowFault;
}

/** Why a row cannot be read. */
export interface RowFault {
  /** Number of its line in the input, from 1. */
  readonly line: number;
  readonly message: string;
}

/**
 * Called for each row: its fields, where it begins and ends in the text, where the next one begins, and what is wrong.
 * Returns true if no further row is wanted.
 */
export type TakeRow = (
  fields: readonly string[],
  begin: number,
  end: number,
  next: number,
  fault?: string,
) => boolean | undefined;

/** Finds the rows of a format in text. */
export interface RowParser {
  /** The last character of a line break. */
  readonly lineBreak: "\n" | "\r";
  /**
   * Finds all whole rows, and where the text is the last also one that no line break ends; returns where the rest
   * begins, or where the next row begins once `take` has had enough. A row that cannot be read ends with its line.
   */
  parse(text: string, isLast: boolean, take: TakeRow): number;
}

/** A row beyond this many bytes counts as an unclosed quote. */
export const maxRowBytes = 1_048_576;

/** The fault of a row that is too long although it has no quotes. */
export const tooLong = "it is longer than 1 MB";

/** Error for a row that does not end, or has text after a closing quote. */
export const wrongQuotes = "its quotes are wrong";

/** Returns where the line ends that the next one follows, without its line break. */
export function lineEnd(text: string, begin: number, next: number): number {
  let end = next;
  if (end > begin && text[end - 1] === "\n") end--;
  if (end > begin && text[end - 1] === "\r") end--;
  return end;
}

/** Hands on the rows of text that begins `by` characters later. */
export function shifted(take: TakeRow, by: number): TakeRow {
  return (fields, begin, end, next, fault) => take(fields, begin + by, end + by, next + by, fault);
}

/** Returns how many lines a row takes: only quoted fields go over several. */
export function linesOf(row: string): number {
  let lines = 1;
  if (!row.includes('"')) return lines;
  for (let at = row.indexOf("\n"); at >= 0; at = row.indexOf("\n", at + 1)) lines++;
  return lines;
}

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
