import { closeSync, constants, open as openDescriptor, openSync, type ReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { codeOf } from "../../process/files.ts";
import type { PaymentReport } from "../../rows/payment-xml.ts";
import { InputError } from "../../rows/rows.ts";
import { arrayElements } from "./array-elements.ts";
import { decompressed, gathered, peek, utf16AsUtf8, utf16Of } from "./decoding.ts";

const headBytes = 65_536;
const chunkBytes = 65_536;

/** A zip archive, which every XLSX file is. */
const zipMagic = Buffer.from("PK\u0003\u0004", "latin1");

const xml = /^\s*<[?!\w]/;
const jsonArray = /^\s*\[\s*([{"\]]|$)/;

/** The container of the spreadsheets of Excel 97 to 2003, and of XLSX files with a password. */
const compoundMagic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

interface InputOptions {
  /** Name or number (from 1) of the sheet of an XLSX file; the first unless given. */
  readonly sheet?: string | undefined;
  /** Receives what is odd further on and may be a fault. */
  readonly onNote?: (note: string) => void;
  /** Ends a pipe or a device, which may stay silent for ever. */
  readonly signal?: AbortSignal;
}

export type Input = Awaited<ReturnType<typeof openInput>>;

/**
 * Opens a file to be checked, `-` for standard input, which is read once: decompressed, and as text whose bytes are UTF-8 or
 * Latin-1. Gzip, zstd, UTF-16, XLSX, JSON arrays and payment messages in XML are recognised by their content.
 *
 * Throws an InputError if it cannot be read. What is damaged further on makes `chunks` throw one.
 */
export async function openInput(path: string, options: InputOptions = {}) {
  const { signal } = options;
  const { stream, size } = path === "-" ? { stream: process.stdin } : await openStream(path, options);
  const end = () => void stream.destroy();
  const close = () => {
    signal?.removeEventListener("abort", end);
    end();
  };
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    const payments: PaymentReport = { isOrder: false, refused: {} };
    const file = size === undefined ? undefined : path;
    const bytes = size === undefined ? stream : wholeFile(path, stream, size);
    const text = await textOf(bytes, file, payments, options);
    const { head, isWhole, all } = await peek(text, headBytes);
    return {
      /** The first 64 KB, or all of it. */
      head,
      isWhole,
      /** All of the text, the head included; may be asked for once. */
      chunks: () => gathered(all),
      /** How much has been read, from 0 to 1; undefined if the size is not known. */
      share: () => (size ? Math.min(1, stream.bytesRead / size) : undefined),
      /** What a payment message says besides its rows. */
      payments,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Opens a file, whose size is known, or a pipe or a device. */
async function openStream(path: string, options: InputOptions) {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Error("it is a folder");
    if (found.isFIFO()) return { stream: await openPipe(path, options) };
    const stream = (await open(path)).createReadStream({ highWaterMark: chunkBytes });
    return found.isFile() ? { stream, size: found.size } : { stream };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      code === "ENOENT" ? `The file ${path} does not exist.` : `The file ${path} cannot be read: ${message}.`,
    );
  }
}

async function* wholeFile(path: string, stream: ReadStream | Socket, size: number) {
  yield* stream as AsyncIterable<Buffer>;
  const read = stream.bytesRead;
  if (read < size)
    throw new InputError(`The file ${path} became shorter while it was read: from ${size} to ${read} bytes.`);
}

const pollMs = 50;

/** Opens a pipe, once somebody writes to it, so that reading it can be ended too. */
async function openPipe(path: string, { signal }: InputOptions): Promise<Socket> {
  let isOpen = false;
  // Only a writer ends an open that waits for one.
  const write = async () => {
    for (; !isOpen; await delay(pollMs)) {
      try {
        closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
      } catch (error) {
        if (codeOf(error) !== "ENXIO") return;
      }
    }
  };
  signal?.throwIfAborted();
  signal?.addEventListener("abort", write);
  const fd = await promisify(openDescriptor)(path, "r");
  isOpen = true;
  signal?.removeEventListener("abort", write);
  return new Socket({ fd, readable: true, writable: false });
}

/** @param path of a file, which can be read at any place. */
async function textOf(
  bytes: AsyncIterable<Buffer>,
  path: string | undefined,
  payments: PaymentReport,
  { sheet, onNote = () => {} }: InputOptions,
): Promise<AsyncIterable<Buffer>> {
  const packed = await peek(bytes, 1_024);
  const unpacked = decompressed(packed.head, packed.all);
  const { head, all } = unpacked === undefined ? packed : await peek(unpacked, 1_024);
  const begins = (magic: Buffer) => head.subarray(0, magic.length).equals(magic);
  if (begins(compoundMagic)) {
    throw new InputError(
      "The file is in the old Excel format or has a password; save it as XLSX without one, or as CSV.",
    );
  }
  if (begins(zipMagic)) {
    const { openWorkbook } = await import("./xlsx.ts");
    const file = unpacked === undefined ? path : undefined;
    return openWorkbook(file ?? all, sheet, onNote);
  }
  if (sheet !== undefined) throw new InputError("--sheet is for XLSX files; this file is not one.");
  const utf16 = utf16Of(head);
  const text = utf16 === undefined ? all : utf16AsUtf8(all, utf16, onNote);
  const begin = new TextDecoder(utf16).decode(head);
  if (jsonArray.test(begin)) return arrayElements(text);
  if (!xml.test(begin)) return text;
  const { paymentAccounts } = await import("./payment-csv.ts");
  return paymentAccounts(text, payments);
}
