import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { PaymentReport } from "../../rows/payment-xml.ts";
import { InputError } from "../../rows/rows.ts";
import { decompressed, gathered, peek } from "./decoding.ts";

/** A file, or standard input, that is read once: decompressed, and as text whose bytes are UTF-8 or Latin-1. */
export interface Input {
  /** The first 64 KB, or all of it. */
  readonly head: Buffer;
  readonly isWhole: boolean;
  /** All of the text, the head included; may be asked for once. */
  chunks(): AsyncIterable<Buffer>;
  /** How much has been read, from 0 to 1; undefined if the size is not known. */
  share(): number | undefined;
  /** What a payment message says besides its rows. */
  readonly payments: PaymentReport;
  close(): Promise<void>;
}

const headBytes = 65_536;
const chunkBytes = 65_536;

/** A zip archive, which every XLSX file is. */
const zipMagic = Buffer.from("PK\u0003\u0004", "latin1");
/** XML, perhaps after a byte order mark. */
const xml = /^(\u00ef\u00bb\u00bf)?\s*<[?!\w]/;
/** The container of the spreadsheets of Excel 97 to 2003, and of XLSX files with a password. */
const compoundMagic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/**
 * Opens a file to be checked, `-` for standard input; gzip, zstd, UTF-16, XLSX, JSON arrays and payment
 * messages in XML are reported by their content.
 *
 * Throws an InputError if it cannot be read. What is damaged further on makes `chunks` throw one.
 *
 * @param sheet name or number (from 1) of the sheet of an XLSX file; the first unless given.
 * @param onNote receives what is odd further on and may be a fault.
 */
export async function openInput(
  path: string,
  sheet?: string,
  onNote: (note: string) => void = () => {},
): Promise<Input> {
  const source = path === "-" ? standardInput() : await openSource(path);
  try {
    const payments: PaymentReport = { isOrder: false, refused: {} };
    const text = await textOf(source, path, sheet, payments, onNote);
    const { head, isWhole, all } = await peek(text, headBytes);
    return {
      head,
      isWhole,
      chunks: () => gathered(all),
      share: source.share,
      payments,
      close: source.close,
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

interface Source {
  readonly bytes: AsyncIterable<Buffer>;
  readonly share: () => number | undefined;
  readonly close: () => Promise<void>;
  /** Whether it can be read at any place. */
  readonly isFile: boolean;
}

function standardInput(): Source {
  return { bytes: process.stdin, share: () => undefined, close: async () => {}, isFile: false };
}

async function openSource(path: string): Promise<Source> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Error("it is a folder");
    if (found.isFile()) return readFileSource(path, await open(path), found.size);
    // A pipe or a device has no places to read from, and no size.
    const stream = createReadStream(path, { highWaterMark: chunkBytes });
    return {
      bytes: stream,
      share: () => undefined,
      close: async () => void stream.destroy(),
      isFile: false,
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      code === "ENOENT" ? `The file ${path} does not exist.` : `The file ${path} cannot be read: ${message}.`,
    );
  }
}

function readFileSource(path: string, handle: FileHandle, size: number): Source {
  let read = 0;
  async function* bytes() {
    const stream = handle.createReadStream({ start: 0, highWaterMark: chunkBytes, autoClose: false });
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      read += chunk.length;
      yield chunk;
    }
    if (read >= size) return;
    throw new InputError(`The file ${path} became shorter while it was read: from ${size} to ${read} bytes.`);
  }
  return {
    bytes: bytes(),
    share: () => (size === 0 ? 1 : Math.min(1, read / size)),
    close: () => handle.close(),
    isFile: true,
  };
}

async function textOf(
  source: Source,
  path: string,
  sheet: string | undefined,
  payments: PaymentReport,
  onNote: (note: string) => void,
): Promise<AsyncIterable<Buffer>> {
  const { head, all } = await peek(await decompressed(source.bytes), 4);
  if (head.subarray(0, 4).equals(compoundMagic)) {
    throw new InputError(
      "The file is in the old Excel format or has a password; save it as XLSX without one, or as CSV.",
    );
  }
  if (head.subarray(0, 4).equals(zipMagic)) {
    const { heldArchive, openWorkbook } = await import("./xlsx.ts");
    return openWorkbook(source.isFile ? path : await heldArchive(all), sheet);
  }
  if (sheet !== undefined) throw new InputError("--sheet is for XLSX files; this file is not one.");
  const text = await peek(utf16AsUtf8(all, onNote), 1_024);
  if (!xml.test(text.head.toString("latin1"))) return arrayElements(text.all);
  const { paymentAccounts } = await import("./payment-csv.ts");
  return paymentAccounts(text.all, payments);
}

/** Turns UTF-16 into UTF-8, by its byte order mark or by where its zeros are; anything else stays as it is. */
async function* utf16AsUtf8(
  bytes: AsyncIterable<Buffer>,
  onNote: (note: string) => void,
): AsyncGenerator<Buffer, void, void> {
  const { head, all } = await peek(bytes, 4);
  const encoding = utf16Of(head);
  if (encoding === undefined) {
    yield* all;
    return;
  }
  const decoder = new TextDecoder(encoding);
  let length = 0;
  for await (const piece of all) {
    length += piece.length;
    yield Buffer.from(decoder.decode(piece, { stream: true }), "utf8");
  }
  if (length % 2 === 0) yield Buffer.from(decoder.decode(), "utf8");
  else onNote("The file ends with half a character of UTF-16, which is left out; the file may be cut off.");
}

function utf16Of(head: Buffer): "utf-16le" | "utf-16be" | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0 && c !== 0 && d === 0)) return "utf-16le";
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && c === 0 && d !== 0)) return "utf-16be";
  return undefined;
}

const byteOf = (character: string) => character.charCodeAt(0);
const [openBracket, closeBracket, openBrace, closeBrace] = ["[", "]", "{", "}"].map(byteOf);
const [quote, backslash, comma, lineFeed, carriageReturn, space] = ['"', "\\", ",", "\n", "\r", " "].map(
  byteOf,
);
const byteOrderMark = Buffer.from("\ufeff");

/** Turns a JSON array into NDJSON, a line for each element; anything else stays as it is. */
async function* arrayElements(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const { head, all } = await peek(bytes, 1_024);
  if (!/^(\u00ef\u00bb\u00bf)?\s*\[\s*([{"\]]|$)/.test(head.toString("latin1"))) {
    yield* all;
    return;
  }
  const splitter = new ElementSplitter();
  for await (const piece of all) yield splitter.split(piece);
  yield splitter.end();
}

/**
 * Finds the elements of an array without parsing them: an error in one is reported where its line is read.
 *
 * A text becomes an object with the field `iban`, so that a plain list of IBANs is rows like any other.
 */
class ElementSplitter {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The first byte of the element that is being read; 0 between elements. */
  #first = 0;

  split(piece: Buffer): Buffer {
    const lines: Buffer[] = [];
    // Where the element begins that is being read, or what of it is in this piece.
    let begin = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isText = false;
        continue;
      }
      const isInside = this.#depth > 1 || (this.#depth === 1 && byte !== comma && byte !== closeBracket);
      if (!isInside) {
        if (this.#first !== 0) lines.push(piece.subarray(begin, at), this.#endOfElement());
        if (byte === openBracket) this.#depth = 1;
        else if (byte === closeBracket) this.#depth = 0;
        else if (this.#depth === 0 && byte > space! && !byteOrderMark.includes(byte)) {
          throw new InputError("Something follows the end of the JSON array.");
        }
        continue;
      }
      if (this.#first === 0) {
        if (byte <= space!) continue;
        this.#begin(byte, lines);
        begin = at;
      }
      if (byte === quote) this.#isText = true;
      else if (byte === openBrace || byte === openBracket) this.#depth++;
      else if (byte === closeBrace || byte === closeBracket) this.#depth--;
      else if (byte === lineFeed || byte === carriageReturn) piece[at] = space!;
    }
    if (this.#first !== 0) lines.push(piece.subarray(begin));
    return Buffer.concat(lines);
  }

  /** An element without an end becomes a line too, which is then reported as broken. */
  end(): Buffer {
    return this.#first === 0 ? Buffer.alloc(0) : this.#endOfElement();
  }

  #begin(byte: number, lines: Buffer[]): void {
    this.#first = byte;
    if (byte === quote) lines.push(Buffer.from('{"iban":'));
  }

  #endOfElement(): Buffer {
    const isText = this.#first === quote;
    this.#first = 0;
    return Buffer.from(isText ? "}\n" : "\n");
  }
}
