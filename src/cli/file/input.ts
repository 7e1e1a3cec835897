import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "./input-error.ts";
import { headBytes } from "./layout.ts";

/** What tells whether a file is still the one an interrupted run has read. */
export interface InputIdentity {
  readonly size: number;
  /** Time of the last change, in milliseconds. */
  readonly modified: number;
  /** SHA-256 of its first 64 KB. */
  readonly head: string;
}

/** A file, or standard input, that is read once. */
export interface Input {
  /** The first 64 KB, or all of it. */
  readonly head: Buffer;
  readonly isWhole: boolean;
  /** Undefined for standard input, which cannot be continued. */
  readonly identity: InputIdentity | undefined;
  /** The bytes from an offset on; standard input can only be read from an offset within the head. */
  chunks(offset: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const chunkBytes = 65_536;

/** Opens a file to be checked, `-` for standard input. Throws an InputError where it cannot be read. */
export async function openInput(path: string): Promise<Input> {
  if (path === "-") return readStandardInput(process.stdin);
  try {
    return await openFile(path);
  } catch (error) {
    throw new InputError(`The file ${path} cannot be read: ${(error as Error).message}.`);
  }
}

async function openFile(path: string): Promise<Input> {
  const handle = await open(path);
  try {
    const { size, mtimeMs } = await handle.stat();
    const head = await readHead(handle);
    return {
      head,
      isWhole: head.length >= size,
      identity: { size, modified: mtimeMs, head: createHash("sha256").update(head).digest("hex") },
      chunks: (start) => handle.createReadStream({ start, highWaterMark: chunkBytes, autoClose: false }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readHead(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Reads the head of a stream; the rest follows when its chunks are asked for. */
export async function readStandardInput(stream: AsyncIterable<Buffer>): Promise<Input> {
  const source = stream[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  let length = 0;
  let ended = false;
  while (length < headBytes && !ended) {
    const { done, value } = await source.next();
    if (done === true) ended = true;
    else length += pieces.push(value) && value.length;
  }
  const begin = Buffer.concat(pieces);
  async function* chunks(offset: number): AsyncGenerator<Buffer, void, void> {
    yield begin.subarray(offset);
    while (!ended) {
      const { done, value } = await source.next();
      if (done === true) return;
      yield value;
    }
  }
  return {
    head: begin.subarray(0, headBytes),
    isWhole: ended,
    identity: undefined,
    chunks,
    close: async () => {},
  };
}
