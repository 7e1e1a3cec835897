import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { InputError } from "../../rows/rows.ts";

/** Reads the first bytes of a source, and returns them (`head`, which may be the whole), and again with the rest. */
export async function peek(source: AsyncIterable<Buffer>, count: number) {
  const rest = source[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  let length = 0;
  let isOver = false;
  // One byte more says whether that is all.
  while (length <= count && !isOver) {
    const { done, value } = await rest.next();
    if (done === true) isOver = true;
    else length += pieces.push(value) && value.length;
  }
  const begin = Buffer.concat(pieces);
  async function* all(): AsyncGenerator<Buffer, void, void> {
    yield begin;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head: begin.subarray(0, count), isWhole: begin.length <= count, all: all() };
}

/** How much text is handed on at a time: of a file of some megabytes little, so that it is checked in many requests at once. */
const minGatheredBytes = 65_536;
const maxGatheredBytes = 262_144;
const gatheredShare = 1 / 64;

/** Joins the small pieces that decompression and other forms of input yield into larger ones. */
export async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let pieces: Buffer[] = [];
  let length = 0;
  let passed = 0;
  for await (const chunk of chunks) {
    length += pieces.push(chunk) && chunk.length;
    if (length < Math.min(maxGatheredBytes, Math.max(minGatheredBytes, passed * gatheredShare))) continue;
    yield pieces.length === 1 ? chunk : Buffer.concat(pieces);
    passed += length;
    pieces = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/** First bytes as little-endian numbers; parallel zstd begins with a frame to be skipped. Source: RFC 1952; RFC 8878, section 3.1. */
const gzipMagic = 0x8b1f;
const zstdMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;

/** Decompresses what is gzip or zstd by its first bytes; undefined for anything else. What is damaged is thrown where it is read. */
export function decompressed(head: Buffer, all: AsyncIterable<Buffer>) {
  const magic = head.length < 4 ? 0 : head.readUInt32LE();
  if (magic === zstdMagic || magic >>> 4 === skippableMagic >>> 4) return whole("zstd", unzstd(all));
  const unzip = () => pipeline(all, createGunzip(), () => {});
  return (magic & 0xffff) === gzipMagic ? whole("gzip", unzip()) : undefined;
}

async function* whole(form: string, unpacked: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  try {
    yield* unpacked;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { message } = error as Error;
    throw new InputError(`The ${form} data of the file is damaged or cut off: ${message}.`);
  }
}

/** Four bytes of zstd can be 128 KB of text, so that few are decompressed at a time. */
const zstdSliceBytes = 1_024;

async function* unzstd(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const { Decompress } = await import("fzstd");
  const ready: Buffer[] = [];
  const decompress = new Decompress((piece) => ready.push(Buffer.from(piece)));
  for await (const piece of bytes) {
    for (let from = 0; from < piece.length; from += zstdSliceBytes) {
      decompress.push(piece.subarray(from, from + zstdSliceBytes), false);
      yield* ready.splice(0);
    }
  }
  decompress.push(new Uint8Array(0), true);
  yield* ready;
}

type Utf16 = "utf-16le" | "utf-16be";

/** Recognises UTF-16 by its byte order mark, or by where its zeros are. */
export function utf16Of(head: Buffer): Utf16 | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0 && c !== 0 && d === 0)) return "utf-16le";
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && c === 0 && d !== 0)) return "utf-16be";
  return undefined;
}

export async function* utf16AsUtf8(
  bytes: AsyncIterable<Buffer>,
  encoding: Utf16,
  onNote: (note: string) => void,
): AsyncGenerator<Buffer, void, void> {
  const decoder = new TextDecoder(encoding);
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    yield Buffer.from(decoder.decode(piece, { stream: true }), "utf8");
  }
  if (length % 2 === 0) yield Buffer.from(decoder.decode(), "utf8");
  else onNote("The file ends with half a character of UTF-16, which is left out; the file may be cut off.");
}
