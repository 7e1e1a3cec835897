import { once } from "node:events";
import { constants, createWriteStream, openSync } from "node:fs";
import { access, type FileHandle, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { unlessAbsent } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";
import type { OutputLock } from "./output-lock.ts";
import { type Packing, packingOf } from "./packing.ts";

interface FileRights {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Where rows go: to standard output, through an existing pipe or device, or into a separate file. */
export type OutputTarget =
  | { readonly kind: "standard" }
  | { readonly kind: "pipe" | "device"; readonly path: string }
  /** The new file gets the rights of the one that it replaces; undefined if there is none. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly packing: Packing | undefined;
      readonly replaced: FileRights | undefined;
    };

const standardOutputs = new Set(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);

/**
 * Finds out what an output is before anything is checked. A symbolic link is followed.
 *
 * Throws an InputError for what nothing can be written to.
 */
export async function findTarget(output: string | undefined): Promise<OutputTarget> {
  if (output === undefined || standardOutputs.has(output)) return { kind: "standard" };
  if (output === "") throw new InputError("--output needs the name of a file.");
  const found = await statOf(output);
  if (found?.isDirectory()) throw new InputError(`The output ${output} is a folder; name a file in it.`);
  if (found?.isFIFO()) return { kind: "pipe", path: output };
  if (found !== undefined && !found.isFile()) return { kind: "device", path: output };
  const path = await followed(output, found !== undefined);
  await expectWritableFolder(dirname(path));
  const packing = packingOf(output);
  if (found === undefined) return { kind: "file", path, packing, replaced: undefined };
  const { mode, uid, gid } = found;
  return { kind: "file", path, packing, replaced: { mode: mode & 0o7777, uid, gid } };
}

async function statOf(path: string) {
  try {
    return await unlessAbsent(stat(path));
  } catch (error) {
    throw new InputError(`The output ${path} cannot be used: ${(error as Error).message}.`);
  }
}

const maxLinks = 40;

/** The file that links lead to, which need not be there yet. */
async function followed(output: string, isThere: boolean): Promise<string> {
  if (isThere) return realpath(output);
  let path = resolve(output);
  for (let links = 0; links < maxLinks; links++) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink() !== true) return path;
    path = resolve(dirname(path), await readlink(path));
  }
  throw new InputError(`The output ${output} is a link that leads to itself.`);
}

async function expectWritableFolder(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      code === "ENOENT" || code === "ENOTDIR"
        ? `The folder ${folder} of the output does not exist; create it first.`
        : `Nothing can be written to the folder ${folder} of the output: ${(error as Error).message}.`,
    );
  }
}

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

/** A stream, written as fast as it is read. */
export class PipedOutput implements Output {
  readonly #stream: Writable;
  readonly #isOwn: boolean;
  readonly isPacked = false;
  #failure: Error | undefined;
  bytes = 0;

  /** @param isOwn whether the stream ends with the output. */
  constructor(stream: Writable, isOwn: boolean) {
    this.#stream = stream;
    this.#isOwn = isOwn;
    stream.on("error", (error) => {
      this.#failure = error;
    });
  }

  async write(bytes: Buffer): Promise<void> {
    this.bytes += bytes.length;
    if (!this.#stream.write(Buffer.from(bytes))) await this.#room();
    const failure = this.#reason;
    if (failure !== undefined) throw failure;
  }

  async flush(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.write("", (error) => (error ? reject(this.#reason ?? error) : resolve()));
    });
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

  async sync(): Promise<void> {}

  async close(): Promise<void> {
    if (!this.#isOwn || this.#stream.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#stream.once("close", resolve);
      this.#stream.end();
    });
  }
}

const pollMs = 50;

/** Opens a pipe, once somebody reads from it, or a device. Rejects with the signal's reason when it is aborted first. */
export async function openStreamOutput(
  path: string,
  kind: "pipe" | "device",
  signal: AbortSignal,
): Promise<Output> {
  if (kind === "device") return new PipedOutput(createWriteStream(path), true);
  for (;;) {
    signal.throwIfAborted();
    try {
      // An open that waits for a reader could not be ended.
      const descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new PipedOutput(new Socket({ fd: descriptor, readable: false, writable: true }), true);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
    }
    await delay(pollMs);
  }
}
