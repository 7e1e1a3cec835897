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
 * processes may have the same file open. A killed process leaves a whole file behind. `folder` is made when the first call
 * comes; what goes wrong there is reported by each call.
 */
export function lmdbStore(folder: string): UsageStore {
  let running: { readonly child: ChildProcess; readonly channel: Channel<LmdbOffers> } | undefined;

  const start = () => {
    const child = fork(processFile, [folder]);
    // A process that dies is replaced by the next call.
    const end = () => {
      if (running?.child === child) running = undefined;
    };
    child.on("error", end);
    child.on("disconnect", end);
    return { child, channel: new Channel<LmdbOffers>(child) };
  };

  const reach = <Name extends keyof LmdbOffers>(name: Name) => {
    type Result = Promise<Awaited<ReturnType<LmdbOffers[Name]>>>;
    return async (...given: Parameters<LmdbOffers[Name]>): Result => {
      running ??= start();
      try {
        return await running.channel.call(name, ...given);
      } catch (error) {
        throw new UsageStoreError(folder, (error as Error).message);
      }
    };
  };

  return {
    add: reach("add"),
    read: reach("read"),
    names: reach("names"),
    resume: () => running?.child.kill("SIGCONT"),
    async close() {
      if (running === undefined) return;
      const { child } = running;
      const ended = once(child, "exit");
      child.disconnect();
      // One that was stopped would outlive the service.
      child.kill("SIGCONT");
      await ended;
    },
  };
}
