import { isUtf8 } from "node:buffer";
import { DataFileError } from "../files/csv.ts";

/** A source file as text. */
export interface SourceText {
  /** Name of the file without its folder. */
  readonly file: string;
  readonly encoding: "UTF-8" | "ISO-8859-1";
  /** The lines without their ends. */
  readonly lines: readonly string[];
}

/** Controls besides the tabulator, those of ISO 8859-1 included: they show that the encoding is another one. */
const control = /[^\P{Cc}\t]/u;
/** What the two bytes of a letter in UTF-8 look like when they are taken for ISO 8859-1 and written as UTF-8 again. */
const encodedTwice = /[ÃÂ][\u00a0-\u00bf]/;
const byteOrderMark = "\ufeff";

/**
 * Reads a source file as text: UTF-8 or ISO 8859-1, lines that end with CRLF or with LF.
 *
 * @throws {DataFileError} with the line, for an empty file, another encoding and mixed line ends.
 */
export function readSourceText(file: string, content: Uint8Array): SourceText {
  if (content.length === 0) throw new DataFileError(file, 1, "the file is empty");
  const encoding = isUtf8(content) ? "UTF-8" : "ISO-8859-1";
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const text = buffer.toString(encoding === "UTF-8" ? "utf8" : "latin1");
  const lines = (text.startsWith(byteOrderMark) ? text.slice(1) : text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  else if (lines[0]!.endsWith("\r")) lines[lines.length - 1] += "\r";
  const end = lines[0]!.endsWith("\r") ? "\r" : "";
  return { file, encoding, lines: lines.map((line, index) => withoutEnd(file, line, index + 1, end)) };
}

function withoutEnd(file: string, line: string, number: number, end: "\r" | ""): string {
  const fault = (reason: string): DataFileError => new DataFileError(file, number, reason);
  if (line.endsWith("\r") !== (end !== ""))
    throw fault("it ends otherwise than the lines before: CRLF and LF are mixed");
  const bare = end === "" ? line : line.slice(0, -1);
  if (control.test(bare))
    throw fault("it holds control characters: the file is neither UTF-8 nor ISO-8859-1");
  if (encodedTwice.test(bare)) throw fault("its letters were encoded twice, Ã¤ for ä");
  return bare;
}
