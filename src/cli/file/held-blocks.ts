import { type FileHandle, open, rm } from "node:fs/promises";
import { writeFully } from "./output.ts";

/** How many finished blocks stay in memory, at about a megabyte each. */
const blocksInMemory = 8;

/** Room for one block in the file; a longer one stays in memory. Only what is written takes space on the disk. */
const placeBytes = 4_194_304;

/** The bytes of one block, to be read once, in its turn; they do not change until the next is read. */
export type HeldBlock = () => Promise<Buffer>;

/**
 * Holds the bytes of finished blocks until it is their turn.
 *
 * While one block is waited for, many others may be finished; what is beyond 8 blocks goes to a file without a name,
 * which is gone with the process.
 */
export class HeldBlocks {
  readonly #path: string;
  readonly #freePlaces: number[] = [];
  #file: Promise<FileHandle> | undefined;
  #read: Buffer | undefined;
  #places = 0;
  #inMemory = 0;

  /** @param path where the file may be; it has that name only for a moment. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Rejects if the file cannot be written. */
  async hold(bytes: Buffer): Promise<HeldBlock> {
    if (this.#inMemory >= blocksInMemory && bytes.length <= placeBytes) return this.#store(bytes);
    this.#inMemory++;
    return async () => {
      this.#inMemory--;
      return bytes;
    };
  }

  async close(): Promise<void> {
    // A file that could not be opened has been reported already.
    await (await this.#file?.catch(() => undefined))?.close();
    // A run that was killed at just that moment leaves its file.
    await rm(this.#path, { force: true });
  }

  async #store(bytes: Buffer): Promise<HeldBlock> {
    const place = this.#freePlaces.pop() ?? this.#places++;
    const { length } = bytes;
    this.#file ??= openNameless(this.#path);
    const file = await this.#file;
    await writeFully(file, bytes, place * placeBytes);
    return async () => {
      this.#read ??= Buffer.allocUnsafe(placeBytes);
      const stored = this.#read.subarray(0, length);
      await readFully(file, stored, place * placeBytes);
      this.#freePlaces.push(place);
      return stored;
    };
  }
}

async function openNameless(path: string): Promise<FileHandle> {
  const file = await open(path, "w+", 0o600);
  await rm(path);
  return file;
}

async function readFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error("a block that was held in a file is gone");
    done += bytesRead;
  }
}
