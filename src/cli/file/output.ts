import { type FileHandle, open } from "node:fs/promises";
import type { OutputLock } from "./output-lock.ts";
import type { FileRights } from "./output-target.ts";
import type { Packing } from "./packing.ts";

/** Where checked rows go, in order. */
export interface Output {
  /** How many bytes have been given to it, those of interrupted runs included; of a packed one only right after a flush. */
  readonly bytes: number;
  readonly isPacked: boolean;
  /** The bytes are no longer needed once it resolves. */
  write(bytes: Buffer): Promise<void>;
  /** Hands on what has been gathered; not to be called while a write runs. */
  flush(): Promise<void>;
  /** Resolves when all that was handed on before the call is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const gatheredBytes = 1_048_576;

/** Returns an output file, first truncated to `keep` bytes, what follows packed; closing it releases its lock. */
export async function openFileOutput(
  path: string,
  keep: number,
  lock: OutputLock,
  packing: Packing | undefined,
  rights?: FileRights,
): Promise<Output> {
  const handle = await open(path, keep === 0 ? "w" : "r+", rights?.mode);
  if (rights !== undefined) {
    await handle.chmod(rights.mode);
    // Only the superuser may change a file's owner.
    await handle.chown(rights.uid, rights.gid).catch(() => {});
  }
  await handle.truncate(keep);
  if (packing === undefined || keep > 0) return new FileOutput(handle, keep, lock, packing);
  // A packed file without rows is not an empty one.
  const start = await packing(Buffer.alloc(0));
  await writeFully(handle, start, 0);
  return new FileOutput(handle, start.length, lock, packing);
}

class FileOutput implements Output {
  readonly #handle: FileHandle;
  readonly #lock: OutputLock;
  readonly #gathered = Buffer.allocUnsafe(gatheredBytes);
  readonly #packing: Packing | undefined;
  #gatheredLength = 0;
  #written: number;

  constructor(handle: FileHandle, keep: number, lock: OutputLock, packing: Packing | undefined) {
    this.#handle = handle;
    this.#packing = packing;
    this.#written = keep;
    this.#lock = lock;
  }

  get isPacked(): boolean {
    return this.#packing !== undefined;
  }

  get bytes(): number {
    return this.#written + this.#gatheredLength;
  }

  async write(bytes: Buffer): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      const copied = bytes.copy(this.#gathered, this.#gatheredLength, taken);
      taken += copied;
      this.#gatheredLength += copied;
      if (this.#gatheredLength === gatheredBytes) await this.flush();
    }
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#lock.release();
  }

  /** Bytes that cannot be written stay gathered, so that no state counts bytes that are not there. */
  async flush(): Promise<void> {
    if (this.#gatheredLength === 0) return;
    const gathered = this.#gathered.subarray(0, this.#gatheredLength);
    const bytes = this.#packing === undefined ? gathered : await this.#packing(gathered);
    await writeFully(this.#handle, bytes, this.#written);
    this.#written += bytes.length;
    this.#gatheredLength = 0;
  }
}

/** Writes all of the bytes to a place in a file, in as many writes as that takes. */
async function writeFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
