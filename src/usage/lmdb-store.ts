import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Channel } from "../process/calls.ts";
import type { LmdbOffers } from "./lmdb-process.ts";
import { type UsageStore, UsageStoreError } from "./usage-store.ts";

const processFile = fileURLToPath(new URL(`lmdb-process${extname(import.meta.url)}`, import.meta.url));

/**
 * Usage in an LMDB file, which a separate process reads and writes, so that no request ever waits for the disk.
 *
 * A process and no thread, since the native module overruns its memory where a write fails (a full disk, measured with
 * lmdb 3.5.6), and maps files that other processes may truncate: if it crashes, the service continues. Several
 * processes may have the same file open. A killed process leaves a whole file behind.
 */
export class LmdbStore implements UsageStore {
  readonly #folder: string;
  #running: { readonly child: ChildProcess; readonly channel: Channel<LmdbOffers> } | undefined;

  /** `folder` is made when the first call comes; what goes wrong there is reported by each call. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  readonly add = this.#reach("add");
  readonly read = this.#reach("read");
  readonly names = this.#reach("names");

  resume(): void {
    this.#running?.child.kill("SIGCONT");
  }

  async close(): Promise<void> {
    if (this.#running === undefined) return;
    const { child } = this.#running;
    const ended = once(child, "exit");
    child.disconnect();
    // One that was stopped would outlive the service.
    child.kill("SIGCONT");
    await ended;
  }

  #reach<Name extends keyof LmdbOffers>(name: Name) {
    type Result = Promise<Awaited<ReturnType<LmdbOffers[Name]>>>;
    return async (...given: Parameters<LmdbOffers[Name]>): Result => {
      this.#running ??= this.#start();
      try {
        return await this.#running.channel.call(name, ...given);
      } catch (error) {
        throw new UsageStoreError(this.#folder, (error as Error).message);
      }
    };
  }

  #start() {
    const child = fork(processFile, [this.#folder]);
    // A process that dies is replaced by the next call.
    const end = () => {
      if (this.#running?.child === child) this.#running = undefined;
    };
    child.on("error", end);
    child.on("disconnect", end);
    return { child, channel: new Channel<LmdbOffers>(child) };
  }
}
