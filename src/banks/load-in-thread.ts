import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * Does what `loadShippedDirectory` does in a thread that ends with it, so that the memory it needs is given back.
 *
 * @param threadFile absolute path of the compiled `workers/load.ts`.
 * @param dataFolder path of the folder with the bank files.
 * @throws {Error} with the message of `loadShippedDirectory`.
 */
export async function loadDirectoryInThread(
  threadFile: string,
  dataFolder: string,
): Promise<SharedArrayBuffer> {
  const thread = new Worker(threadFile, { workerData: dataFolder });
  const [directory] = (await once(thread, "message")) as [SharedArrayBuffer];
  await thread.terminate();
  return directory;
}
