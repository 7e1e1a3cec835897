import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { DataFileError } from "../files/csv.ts";
import { readSheet } from "./sheet.ts";

/** Bytes that one file of an archive may have when it is unpacked. */
const maxUnpackedBytes = 64 * 1_048_576;

/** Whether a file is a ZIP archive, as workbooks of Excel are. */
export function isZip(content: Uint8Array): boolean {
  return content[0] === 0x50 && content[1] === 0x4b && content[2] === 3 && content[3] === 4;
}

/** Whether a file is compressed with gzip. */
export function isGzip(content: Uint8Array): boolean {
  return content[0] === 0x1f && content[1] === 0x8b;
}

/** @throws {DataFileError} for a damaged file, and one that is too large when unpacked. */
export function readGzip(file: string, content: Uint8Array): Uint8Array {
  try {
    return gunzipSync(content, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTooLarge = code === "ERR_BUFFER_TOO_LARGE";
    const reason = isTooLarge
      ? `it has more than ${maxUnpackedBytes / 1_048_576} MB when it is unpacked`
      : `the compressed file is damaged: ${message}`;
    throw new DataFileError(file, 1, reason);
  }
}

/**
 * Reads the first sheet of a workbook, or the one file of an archive.
 *
 * @throws {DataFileError} for a damaged archive, one with several files, and one that is too large when unpacked.
 */
export function readZip(
  file: string,
  content: Uint8Array,
): { readonly cells: string[][] } | { readonly name: string; readonly content: Uint8Array } {
  const files = unpack(file, content);
  const sheet = files["xl/worksheets/sheet1.xml"];
  if (sheet !== undefined) return { cells: readSheet(file, sheet, files["xl/sharedStrings.xml"]) };
  const [only, ...others] = Object.entries(files);
  if (only === undefined || others.length > 0) {
    throw new DataFileError(file, 1, "the archive is neither a workbook nor has it one file in it");
  }
  const [name, unpacked] = only;
  return { name: basename(name), content: unpacked };
}

function unpack(file: string, content: Uint8Array): Record<string, Uint8Array> {
  const isWanted = ({
    name,
    originalSize,
  }: {
    readonly name: string;
    readonly originalSize: number;
  }): boolean => {
    const isOfWorkbook = /^(xl\/|_rels\/|docProps\/|\[Content_Types\]|customXml\/)/.test(name);
    const isRead = /^xl\/(worksheets\/sheet1|sharedStrings)\.xml$/.test(name);
    if (name.endsWith("/") || (isOfWorkbook && !isRead)) return false;
    if (originalSize > maxUnpackedBytes) {
      throw new DataFileError(file, 1, `${name} in it has more than ${maxUnpackedBytes / 1_048_576} MB`);
    }
    return true;
  };
  try {
    return unzipSync(content, { filter: isWanted });
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(file, 1, `the archive is damaged: ${(error as Error).message}`);
  }
}
