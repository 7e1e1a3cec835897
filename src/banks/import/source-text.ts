import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { InputError } from "../../rows/rows.ts";
import { DataFileError } from "../files/data-file.ts";
import { type Archive, openArchive, readGzip, wholePart } from "./archive.ts";
import { sheetRows } from "./workbook.ts";

/** The upper half of code page 852, from 0x80 on. Source: Unicode, mapping table CP852.TXT. */
const upperHalf =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0";

/** Decodes code page 852, DOS Latin 2, which `TextDecoder` does not know. */
function decodeCp852(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\xff]/g, (byte) => upperHalf[byte.charCodeAt(0) - 0x80]!);
}

type Encoding = "UTF-8" | "UTF-16" | "ISO-8859-1" | "CP852" | "Excel workbook";

export type SourceText = ReturnType<typeof sourceText>;

/**
 * Checks the lines of a file, without their ends; of a workbook the rows of its first sheet, their cells joined by
 * tabulators. `file` is its name without the folder; of an archive that of the file in it.
 *
 * @throws {DataFileError} for the first line that ends otherwise or shows another encoding.
 */
function sourceText(file: string, encoding: Encoding, lines: readonly string[]) {
  /** Returns the error for a line, counted from 1. */
  const fault = (line: number, reason: string) => new DataFileError(file, line, reason);
  for (const [index, line] of lines.entries()) {
    const reason = encodingFault(line);
    if (reason !== undefined) throw fault(index + 1, reason);
  }
  return { file, encoding, lines, fault };
}

function encodingFault(line: string): string | undefined {
  if (/\n|\r$/.test(line)) return "it ends otherwise than the lines before: CRLF and LF are mixed";
  if (unreadable.test(line))
    return "it holds control characters or box drawings: the file is neither UTF-8 nor ISO-8859-1";
  if (line.includes("\ufffd")) return "it holds U+FFFD, which stands for a letter that was lost or cut off";
  return encodedTwice.test(line) ? "its letters were encoded twice, Ã¤ for ä" : undefined;
}

/**
 * Controls besides the tabulator, those of ISO 8859-1 included, and box drawings, as which CP852 reads Polish letters of
 * Windows-1250 and ISO 8859-2: they show that the encoding is another one.
 */
const unreadable = /[^\P{Cc}\t]|[\u2500-\u259f]/u;
/** Matches a UTF-8 letter of two bytes that was read as ISO 8859-1 and encoded as UTF-8 again. */
const encodedTwice = /[ÃÂ][\u00a0-\u00bf]/;
const isGzip = (content: Buffer) => content[0] === 0x1f && content[1] === 0x8b;
const isZip = (content: Buffer) => content.toString("latin1", 0, 4) === "PK\x03\x04";
const webPage = /^\s*<(!doctype html|html|head|body)\b/i;
/** The one published file in CP852, that of the Polish bank codes, has no header but lines of 32 cells. */
const linesInCp852 = /^([^\t\n]*\t){31}[^\t\n]*$/m;

/** No published list has as many rows; a damaged number of one must not fill the memory. */
const maxRows = 1_048_576;

/**
 * Reads a source file as text: UTF-8, UTF-16 with a byte order mark, ISO 8859-1 or CP852, lines that end with CRLF or
 * with LF; the first sheet of a workbook of Excel; or one of these compressed with gzip or alone in a ZIP archive, once: an
 * archive may contain itself.
 *
 * @throws {DataFileError} with the line, for an empty file, another encoding, mixed line ends, and an archive that is
 *   damaged, has several files, or is too large when unpacked.
 */
export async function readSourceText(file: string, content: Buffer, isUnpacked = false): Promise<SourceText> {
  if (isGzip(content) && !isUnpacked) {
    return readSourceText(file.replace(/\.gz$/i, ""), readGzip(file, content), true);
  }
  if (!isZip(content)) return readPlainText(file, content);
  const lines: string[] = [];
  let archive: Archive | undefined;
  try {
    archive = await openArchive(content);
    if (!archive.names.includes("xl/workbook.xml")) {
      const [name, ...others] = archive.names;
      if (name === undefined || others.length > 0)
        throw new InputError("the archive is neither a workbook nor a single compressed file");
      const unpacked = await wholePart(archive, name);
      if (isUnpacked) throw new DataFileError(file, 1, "it is an archive within a compressed file");
      return await readSourceText(basename(name), unpacked, true);
    }
    for await (const rows of sheetRows(archive)) {
      for (const row of rows) {
        // Empty rows are left out of the file; the reported lines are those of the sheet.
        while (lines.length < row.number - 1 && lines.length < maxRows) lines.push("");
        const cells = Array.from(row.cells, (value = "") => value.replace(/[ \t\r\n]+/g, " ").trim());
        lines.push(cells.join("\t"));
      }
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const reason = `the archive cannot be read: ${error.message.replace(/\.$/, "")}`;
    throw new DataFileError(file, lines.length + 1, reason);
  } finally {
    archive?.close();
  }
  return sourceText(file, "Excel workbook", lines);
}

/** As `readSourceText`, of a file that is neither a workbook nor compressed. */
function readPlainText(file: string, content: Buffer): SourceText {
  const { encoding, text } = decode(content);
  if (text.trim() === "") throw new DataFileError(file, 1, "the file is empty");
  if (webPage.test(text)) throw new DataFileError(file, 1, "it is a web page, not a file of bank data");
  const lines = text.split(/\r?\n/.exec(text)?.[0] ?? "\n");
  while (lines.at(-1) === "") lines.pop();
  return sourceText(file, encoding, lines);
}

/** Decodes a text without its byte order mark. */
function decode(content: Buffer): { readonly encoding: Encoding; readonly text: string } {
  if (content[0] === 0xff && content[1] === 0xfe)
    return { encoding: "UTF-16", text: new TextDecoder("utf-16le").decode(content) };
  if (isUtf8(content)) return { encoding: "UTF-8", text: new TextDecoder().decode(content) };
  const text = content.toString("latin1");
  const begin = text.slice(0, text.indexOf("\n")).replace(/\r$/, "");
  return linesInCp852.test(begin)
    ? { encoding: "CP852", text: decodeCp852(content) }
    : { encoding: "ISO-8859-1", text };
}
