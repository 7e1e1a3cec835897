import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { dataFolderOf } from "../banks/editions/data-folder.ts";
import { EditionWatch } from "../banks/editions/edition-watch.ts";
import { LiveEdition } from "../banks/editions/live-edition.ts";
import { loadEditionInThread } from "../banks/editions/load-in-thread.ts";
import { compileKernel, kernelTables } from "../kernel/kernel.ts";
import { CheckPool, type CheckPoolOptions } from "../pool/check-pool.ts";
import { type Settings, StartError } from "../settings.ts";

/** What a service is given beside its settings; a test may exchange the worker and the clock. */
export interface ServiceParts {
  /** How many log lines were dropped so far. */
  readonly droppedLogLines?: () => number;
  /** Whether a supervisor runs this process beside others. */
  readonly isOneOfSeveral?: boolean;
  /** Absolute path of another worker module. */
  readonly workerFile?: string;
  /** The clock by which editions of the bank data begin and end: milliseconds since 1970. */
  readonly now?: () => number;
}

/** Path of a thread's module: compiled beside compiled code, TypeScript beside TypeScript. */
function threadFile(name: string): string {
  return fileURLToPath(new URL(`../../workers/${name}${extname(import.meta.url)}`, import.meta.url));
}

/** A worker pool with the bank data in its memory, which follows the data's folder. */
export interface LoadedPool {
  readonly pool: CheckPool;
  /** The data in use; without any, the pool can check nothing. */
  readonly live: LiveEdition;
  readonly watch: EditionWatch;
}

/** Throws a StartError where the system refuses the memory that the threads share. */
function makePool(options: CheckPoolOptions): CheckPool {
  try {
    return new CheckPool(options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StartError(
      "There is no room for the memory that the workers share, some 10 GB of addresses of which little is used; raise the limit of virtual memory (ulimit -v).",
      { cause: error },
    );
  }
}

/** Starts the worker pool and loads the bank data into it, now and whenever its files change. */
export async function startPool(
  settings: Settings,
  log: Logger,
  parts: ServiceParts = {},
): Promise<LoadedPool> {
  const { now = Date.now } = parts;
  const dataFolder = () => dataFolderOf(settings);
  const enforceUkModulus = settings.ukModulus === "enforce";
  const pool = makePool({
    size: settings.poolSize,
    queue: settings.poolQueue,
    checkTimeout: settings.checkTimeout,
    checkHardLimit: settings.checkHardLimit,
    workerFile: parts.workerFile ?? threadFile("check"),
    kernel: await compileKernel(),
    kernelTables: kernelTables(enforceUkModulus),
    enforceUkModulus,
  });
  const live = new LiveEdition({
    load: (day, room) => {
      const input = { dataFolder: dataFolder(), day, room, isAwaited: !pool.hasEdition };
      return loadEditionInThread(threadFile("load"), input);
    },
    replace: (write) => pool.replaceEdition(write),
    now,
    log,
  });
  const watch = new EditionWatch(live, dataFolder, now);
  try {
    // Both take a processor for a while, and neither needs the other.
    await Promise.all([pool.ready(), watch.loadAgain()]);
  } catch (error) {
    watch.close();
    throw error;
  }
  return { pool, live, watch };
}
