import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { buildDirectory } from "./banks/build.ts";
import { BankDirectory } from "./banks/directory.ts";
import { loadDirectoryInThread } from "./banks/load-in-thread.ts";
import type { DirectoryEdition } from "./banks/record.ts";
import { loadBinding } from "./http/binding.ts";
import { clientFilter } from "./http/client-filter.ts";
import { HttpServer } from "./http/server.ts";
import { compileKernel, kernelTables } from "./kernel/kernel.ts";
import { KeyWatch } from "./keys/key-watch.ts";
import { openKeys } from "./keys/open-keys.ts";
import { CheckPool } from "./pool/check-pool.ts";
import { watchProcessLoad } from "./process-load.ts";
import type { Settings } from "./settings.ts";
import { productVersion } from "./version.ts";

/** A running service. */
export interface Service {
  /** The port it listens on. */
  readonly port: number;
  /** The API key made because there was none at all; to be shown once. */
  readonly firstKey: string | undefined;
  /**
   * Stops: takes no new connection, answers what is running for at most `STOP_TIMEOUT`, then cuts the rest and ends the
   * worker threads. May be called once.
   */
  stop(): Promise<void>;
}

/** What may be exchanged for a test. */
export interface ServiceParts {
  /** Absolute path of another worker module. */
  readonly workerFile?: string;
}

const dataFolder = dirname(fileURLToPath(import.meta.resolve("#data/blz.csv")));

/** Path of a thread's module: compiled beside compiled code, TypeScript beside TypeScript. */
function threadFile(name: string): string {
  return fileURLToPath(new URL(`../workers/${name}${extname(import.meta.url)}`, import.meta.url));
}

/** Loads the bank data; where that fails, says why and gives an empty directory, with which no check is made. */
async function loadDirectory(
  folder: string,
  log: Logger,
): Promise<{ readonly directory: SharedArrayBuffer; readonly isMisconfigured: boolean }> {
  try {
    return { directory: await loadDirectoryInThread(threadFile("load"), folder), isMisconfigured: false };
  } catch (error) {
    log.error({ err: error, folder }, "the bank data could not be loaded; checks answer configuration_error");
    return { directory: buildDirectory([], { german: "", other: "" }), isMisconfigured: true };
  }
}

/** A worker pool with the bank data in its memory. */
export interface LoadedPool {
  readonly pool: CheckPool;
  readonly edition: DirectoryEdition;
  /** Whether the bank data could not be loaded, so that nothing can be checked. */
  readonly isMisconfigured: boolean;
}

/** Loads the bank data and starts the worker pool over it. */
export async function startPool(
  settings: Settings,
  log: Logger,
  parts: ServiceParts = {},
): Promise<LoadedPool> {
  const { directory, isMisconfigured } = await loadDirectory(settings.dataDir || dataFolder, log);
  const pool = await CheckPool.start({
    size: settings.poolSize,
    queue: settings.poolQueue,
    checkTimeout: settings.checkTimeout,
    checkHardLimit: settings.checkHardLimit,
    workerFile: parts.workerFile ?? threadFile("check"),
    directory,
    kernel: await compileKernel(),
    kernelTables: kernelTables(),
  });
  return { pool, edition: new BankDirectory(directory).edition, isMisconfigured };
}

/** Starts the service and resolves when it answers: data loaded, workers ready, port open. */
export async function startService(
  settings: Settings,
  log: Logger,
  parts: ServiceParts = {},
): Promise<Service> {
  const native = loadBinding(settings.uwsBinding);
  const clients = clientFilter(settings.allowFrom);
  const keys = await openKeys(settings.apiKeys, settings.stateDir, new Date());
  const { pool, edition, isMisconfigured } = await startPool(settings, log, parts);
  const server = new HttpServer({
    native,
    pool,
    keys: keys.ring,
    clients,
    bodyTimeout: settings.bodyTimeout,
    about: {
      version: productVersion,
      edition,
      now: Date.now,
      load: watchProcessLoad(),
    },
    isMisconfigured,
    log,
  });
  let port: number;
  try {
    port = await server.listen(settings.host, settings.port, settings.processes > 1);
  } catch (error) {
    await pool.close();
    throw error;
  }
  const keyWatch = new KeyWatch(keys, settings.stateDir, log);
  const stop = async () => {
    keyWatch.close();
    server.stopListening();
    // A body that still comes in may become a check, so the pool is asked when all have come.
    const done = server.quiet().then(() => pool.drained());
    await Promise.race([done, expired(settings.stopTimeout)]);
    server.close();
    await pool.close();
  };
  return { port, firstKey: keys.firstKey, stop };
}

function expired(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
