import { once } from "node:events";
import { constants, createWriteStream, openSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { FileLock } from "../../process/file-lock.ts";
import type { FileRights, OutputTarget } from "./output-target.ts";
import type { Packing } from "./packing.ts";

/** What an output has if it is a file. */
interface OutputFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly lock: FileLock;
  readonly packing: Packing | undefined;
  /** How many of its bytes stay. */
  readonly keep: number;
}

/** Where checked rows go, in order: a stream, written as fast as it is taken. */
export class Output {
  readonly #stream: Writable;
  readonly #file: OutputFile | undefined;
  #failure: Error | undefined;
  /** How many bytes have been given to it, packed, those of interrupted runs included. */
  bytes: number;

  constructor(stream: Writable, file?: OutputFile) {
    this.#stream = stream;
    this.#file = file;
    this.bytes = file?.keep ?? 0;
    stream.on("error", (error) => {
      this.#failure = error;
    });
  }

  /** The bytes must not change any more. Packed, they can be unpacked on their own. */
  async write(bytes: Buffer): Promise<void> {
    const written = (await this.#file?.packing?.(bytes)) ?? bytes;
    this.bytes += written.length;
    if (!this.#stream.write(written)) await this.#room();
    const failure = this.#reason;
    if (failure !== undefined) throw failure;
  }

  /** Resolves when all that was given to it has been handed to the system. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.write("", (error) => (error ? reject(this.#reason ?? error) : resolve()));
    });
  }

  /** Resolves when all that was flushed before the call is on the disk. */
  async sync(): Promise<void> {
    await this.#file?.handle.datasync();
  }

  /** Removes it if it is a file. */
  async remove(): Promise<void> {
    if (this.#file !== undefined) await rm(this.#file.path, { force: true });
  }

  /** Ends it, but for standard output, and releases its lock. */
  async close(): Promise<void> {
    if (this.#stream !== process.stdout && !this.#stream.closed) {
      const closed = new Promise((resolve) => this.#stream.once("close", resolve));
      this.#stream.end();
      await closed;
    }
    await this.#file?.lock.release();
  }

  /** Why the stream failed: known before its event comes, when a further write says only that it is destroyed. */
  get #reason(): Error | undefined {
    return this.#failure ?? this.#stream.errored ?? undefined;
  }

  async #room(): Promise<void> {
    if (this.#stream.destroyed) return;
    const found = new AbortController();
    const { signal } = found;
    const events = ["drain", "close"].map((name) => once(this.#stream, name, { signal }));
    await Promise.race(events).finally(() => found.abort());
  }
}

const waitingBytes = 1_048_576;

/** Returns an output file, first truncated to `keep` bytes. */
export async function openFileOutput(
  path: string,
  keep: number,
  lock: FileLock,
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
  const stream = handle.createWriteStream({ start: keep, highWaterMark: waitingBytes });
  return new Output(stream, { path, handle, lock, packing, keep });
}

const pollMs = 50;

/**
 * Returns standard output, a pipe, once somebody reads from it, or a device. Rejects with the signal's reason when it is
 * aborted first.
 */
export async function openStreamOutput(
  target: Exclude<OutputTarget, { readonly kind: "file" }>,
  signal: AbortSignal,
): Promise<Output> {
  if (target.kind === "standard") return new Output(process.stdout);
  if (target.kind === "device") return new Output(createWriteStream(target.path));
  for (;;) {
    signal.throwIfAborted();
    try {
      // An open that waits for a reader could not be ended.
      const descriptor = openSync(target.path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Output(new Socket({ fd: descriptor, readable: false, writable: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
    }
    await delay(pollMs);
  }
}
