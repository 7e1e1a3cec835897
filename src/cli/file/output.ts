import { constants, createWriteStream, openSync, type Stats } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { OutputTarget, Packing } from "./output-target.ts";

/** Where checked rows go, in order. */
export type Output = ReturnType<typeof outputTo>;

/** Writes to a stream, which is that of a file where there is one. */
export function outputTo(
  stream: Writable,
  file?: Readonly<{ path: string; handle: FileHandle; packing: Packing | undefined; keep: number }>,
) {
  // A failure is thrown where it is written to.
  stream.on("error", () => {});
  let bytes = file?.keep ?? 0;
  return {
    /** How many bytes were written to it, packed, those of interrupted runs included. */
    bytes: () => bytes,
    /** Resolves when the rows have been handed to the system. Packed, they can be unpacked on their own. */
    write: async (rows: Buffer) => {
      const written = (await file?.packing?.(rows)) ?? rows;
      await new Promise<void>((resolve, reject) => {
        // After a failure, the stream itself reports only that it is destroyed.
        stream.write(written, (error) => (error ? reject(stream.errored ?? error) : resolve()));
      });
      bytes += written.length;
    },
    /** Resolves when all that was written before the call is on the disk. */
    sync: async () => {
      await file?.handle.datasync();
    },
    remove: async () => {
      if (file !== undefined) await rm(file.path, { force: true });
    },
    /** Ends it, but for standard output. */
    close: async () => {
      if (stream === process.stdout || stream.closed) return;
      const closed = new Promise((resolve) => stream.once("close", resolve));
      stream.end();
      await closed;
    },
  };
}

/** Returns an output file, first truncated to `keep` bytes; a new one gets owner and mode of the one it replaces. */
export async function openFileOutput(
  path: string,
  keep: number,
  packing: Packing | undefined,
  replaced?: Stats,
): Promise<Output> {
  const mode = (replaced?.mode ?? 0o666) & 0o7777;
  const handle = await open(path, keep === 0 ? "w" : "r+", mode);
  if (replaced !== undefined) {
    await handle.chmod(mode);
    // Only the superuser may change a file's owner.
    await handle.chown(replaced.uid, replaced.gid).catch(() => {});
  }
  await handle.truncate(keep);
  const stream = handle.createWriteStream({ start: keep });
  return outputTo(stream, { path, handle, packing, keep });
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
  if (target.kind === "standard") return outputTo(process.stdout);
  if (target.kind === "device") return outputTo(createWriteStream(target.path));
  for (;;) {
    signal.throwIfAborted();
    try {
      // An open that waits for a reader could not be ended.
      const descriptor = openSync(target.path, constants.O_WRONLY | constants.O_NONBLOCK);
      return outputTo(new Socket({ fd: descriptor, readable: false, writable: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
    }
    await delay(pollMs);
  }
}
