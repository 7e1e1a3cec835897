import { once } from "node:events";
import { constants, createWriteStream, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Output } from "./output.ts";

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
