import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl";
import { InputError } from "../../rows/rows.ts";
import { DataFileError } from "../files/data-file.ts";

/** Bytes that a file of bank data may have, unpacked too; the largest published one has a tenth of it. */
export const maxSourceBytes = 64 * 1_048_576;
const maxSourceMegabytes = maxSourceBytes / 1_048_576;

/** @throws {DataFileError} for a damaged file, and one that is too large when unpacked. */
export function readGzip(file: string, content: Uint8Array): Buffer {
  try {
    return gunzipSync(content, { maxOutputLength: maxSourceBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTooLarge = code === "ERR_BUFFER_TOO_LARGE";
    const reason = isTooLarge
      ? `it has more than ${maxSourceMegabytes} MB when it is unpacked`
      : `the compressed file is damaged: ${message}`;
    throw new DataFileError(file, 1, reason);
  }
}

export const damaged = (reason: string) =>
  new InputError(`The XLSX file is damaged: ${reason.replace(/\.$/, "")}.`);

/** Maximum number of parts of a workbook; a sheet, a picture or a chart is one. */
const maxEntries = 65_536;

export type Archive = Awaited<ReturnType<typeof openArchive>>;

/** Opens a ZIP archive by its path or its bytes. Throws an InputError if it is damaged. */
export async function openArchive(archive: string | Buffer) {
  const options = { lazyEntries: true, autoClose: false };
  const opened =
    typeof archive === "string" ? openPromise(archive, options) : fromBufferPromise(archive, options);
  const zip = await opened.catch(rethrow);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size === maxEntries) throw damaged(`it has more than ${maxEntries} parts`);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    zip.close();
    rethrow(error as Error);
  }
  return {
    /** The names of its files. macOS puts the attributes of files in a folder of their own. */
    names: [...entries.keys()].filter((name) => !/^__MACOSX\/|\/$/.test(name)),
    /** The bytes of a file; undefined if there is none of that name. */
    part: (name: string) => {
      const entry = entries.get(name);
      return entry && partOf(zip, entry);
    },
    close: () => zip.close(),
  };
}

function rethrow(error: Error): never {
  throw error instanceof InputError ? error : damaged(error.message);
}

async function* partOf(zip: ZipFile, entry: Entry): AsyncIterable<Buffer> {
  if (entry.isEncrypted()) throw new InputError("It is encrypted; save it without a password.");
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  } catch (error) {
    rethrow(error as Error);
  }
}

/** Reads a file of an archive as a whole. Throws an InputError for one that is too large when unpacked. */
export function wholePart(archive: Archive, name: string): Promise<Buffer> {
  const tooMuch = () => new InputError(`${name} in it has more than ${maxSourceMegabytes} MB`);
  return allBytes(archive.part(name)!, maxSourceBytes, tooMuch);
}

/** Returns all bytes of a source. Rejects with what `tooMuch` returns as soon as there are more than `max`. */
export async function allBytes(
  source: AsyncIterable<Uint8Array>,
  max: number,
  tooMuch: () => Error,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > max) throw tooMuch();
  }
  return Buffer.concat(pieces);
}

/**
 * Reads a file, pipe or device up to `maxSourceBytes`; a longer one is refused, so that a device without an end
 * (`/dev/zero`) ends the command instead of the memory.
 *
 * @throws {DataFileError} for more bytes; the system's error if it cannot be read.
 */
export function readSourceFile(path: string): Promise<Buffer> {
  const reason = `it has more than ${maxSourceMegabytes} MB, which no file of bank data has`;
  const tooMuch = () => new DataFileError(basename(path), 1, reason);
  return allBytes(createReadStream(path, { highWaterMark: 1_048_576 }), maxSourceBytes, tooMuch);
}
