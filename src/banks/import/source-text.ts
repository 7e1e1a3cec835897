import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { InputError } from "../../rows/rows.ts";
import { DataFileError } from "../files/data-file.ts";
import { type Archive, isGzip, isZip, openArchive, readGzip, wholePart } from "./archive.ts";
import { sheetRows } from "./workbook.ts";

/** The upper half of code page 852, from 0x80 on. Source: Unicode, mapping table CP852.TXT. */
const upperHalf =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0";

/** Decodes code page 852, DOS Latin 2, which `TextDecoder` does not know. */
function decodeCp852(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\xff]/g, (byte) => upperHalf[byte.charCodeAt(0) - 0x80]!);
}

type Encoding = "UTF-8" | "UTF-16" | "ISO-8859-1" | "CP852" | "Excel workbook";

/** A source file as text. */
export class SourceText {
  /** Name of the file without its folder; of an archive that of the file in it. */
  readonly file: string;
  readonly encoding: Encoding;
  /** The lines without their ends; of a workbook the rows of its first sheet, their cells joined by tabulators. */
  readonly lines: readonly string[];
  /** The cells of the rows, of a workbook only. */
  readonly cells: readonly (readonly string[])[] | undefined;

  /** @throws {DataFileError} for the first line that ends otherwise or shows another encoding. */
  constructor(file: string, encoding: Encoding, lines: readonly string[], cells?: SourceText["cells"]) {
    this.file = file;
    this.encoding = encoding;
    this.lines = lines;
    this.cells = cells;
    for (const [index, line] of lines.entries()) {
      const reason = this.#faultOf(line);
      if (reason !== undefined) throw this.fault(index + 1, reason);
    }
  }

  #faultOf(line: string): string | undefined {
    if (this.cells === undefined && /\n|\r$/.test(line)) {
      return "it ends otherwise than the lines before: CRLF and LF are mixed";
    }
    if (unreadable.test(line))
      return "it holds control characters or box drawings: the file is neither UTF-8 nor ISO-8859-1";
    if (line.includes("\ufffd")) return "it holds U+FFFD, which stands for a letter that was lost";
    return encodedTwice.test(line) ? "its letters were encoded twice, Ã¤ for ä" : undefined;
  }

  /** Returns the error for a line, counted from 1. */
  fault(line: number, reason: string): DataFileError {
    return new DataFileError(this.file, line, reason);
  }
}

/**
 * Controls besides the tabulator, those of ISO 8859-1 included, and box drawings, as which CP852 reads Polish letters of
 * Windows-1250 and ISO 8859-2: they show that the encoding is another one.
 */
const unreadable = /[^\P{Cc}\t]|[\u2500-\u259f]/u;
/** Matches a UTF-8 letter of two bytes that was read as ISO 8859-1 and encoded as UTF-8 again. */
const encodedTwice = /[ÃÂ][\u00a0-\u00bf]/;
const byteOrderMark = "\ufeff";
const webPage = /^\s*<(!doctype html|html|head|body)\b/i;
/** The one published file in CP852, that of the Polish bank codes, has no header but lines of 32 cells. */
const linesInCp852 = /^([^\t\n]*\t){31}[^\t\n]*$/m;

/**
 * Reads a source file as text: UTF-8, UTF-16 with a byte order mark, ISO 8859-1 or CP852, lines that end with CRLF or
 * with LF; a workbook of Excel; or one of these compressed with gzip or alone in a ZIP archive, once: an archive may
 * contain itself.
 *
 * @throws {DataFileError} with the line, for an empty file, another encoding and mixed line ends.
 */
export async function readSourceText(
  file: string,
  content: Uint8Array,
  isUnpacked = false,
): Promise<SourceText> {
  if (isGzip(content) && !isUnpacked) {
    return readSourceText(file.replace(/\.gz$/i, ""), readGzip(file, content), true);
  }
  if (!isZip(content)) return readPlainText(file, content);
  const found = await readZip(file, content);
  if ("content" in found) {
    if (isUnpacked) throw new DataFileError(file, 1, "it is an archive within a compressed file");
    return readSourceText(found.name, found.content, true);
  }
  const lines = found.cells.map((cells) => cells.join("\t"));
  return new SourceText(file, "Excel workbook", lines, found.cells);
}

/** As `readSourceText`, of a file that is neither a workbook nor compressed. */
export function readPlainText(file: string, content: Uint8Array): SourceText {
  if (content.length === 0) throw new DataFileError(file, 1, "the file is empty");
  const { encoding, text: decoded } = decode(file, content);
  const text = decoded.startsWith(byteOrderMark) ? decoded.slice(1) : decoded;
  if (text.trim() === "") throw new DataFileError(file, 1, "the file is empty");
  if (webPage.test(text)) throw new DataFileError(file, 1, "it is a web page, not a file of bank data");
  const lines = text.split(/\r?\n/.exec(text)?.[0] ?? "\n");
  while (lines.at(-1) === "") lines.pop();
  return new SourceText(file, encoding, lines);
}

function decode(file: string, content: Uint8Array): Pick<SourceText, "encoding"> & { readonly text: string } {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) {
    const text = buffer.toString("utf16le");
    if (buffer.length % 2 === 0) return { encoding: "UTF-16", text };
    throw new DataFileError(file, text.split("\n").length, "its last character is cut off");
  }
  if (isUtf8(content)) return { encoding: "UTF-8", text: buffer.toString("utf8") };
  const text = buffer.toString("latin1");
  const begin = text.slice(0, text.indexOf("\n")).replace(/\r$/, "");
  return linesInCp852.test(begin)
    ? { encoding: "CP852", text: decodeCp852(buffer) }
    : { encoding: "ISO-8859-1", text };
}

/**
 * Reads the first sheet of a workbook, or the one file of an archive.
 *
 * @throws {DataFileError} for a damaged archive, one with several files, and one that is too large when unpacked.
 */
async function readZip(
  file: string,
  content: Uint8Array,
): Promise<{ readonly cells: string[][] } | { readonly name: string; readonly content: Uint8Array }> {
  const cells: string[][] = [];
  let archive: Archive | undefined;
  try {
    archive = await openArchive(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
    const [name = "", ...others] = archive.names;
    if (!archive.names.includes("xl/workbook.xml")) {
      if (name !== "" && others.length === 0)
        return { name: basename(name), content: await wholePart(archive, name) };
      throw new InputError("the archive is neither a workbook nor a single compressed file");
    }
    for await (const rows of sheetRows(archive)) {
      for (const row of rows) {
        // Empty rows are left out of the file; the reported lines are those of the sheet.
        while (cells.length < row.number - 1 && cells.length < maxRows) cells.push([]);
        cells.push(Array.from(row.cells, (value = "") => value.replace(/[ \t\r\n]+/g, " ").trim()));
      }
    }
    return { cells };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const reason = `the archive cannot be read: ${error.message.replace(/\.$/, "")}`;
    throw new DataFileError(file, cells.length + 1, reason);
  } finally {
    archive?.close();
  }
}

/** No published list has as many rows; a damaged number of one must not fill the memory. */
const maxRows = 1_048_576;
