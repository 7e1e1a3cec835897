import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type KeyThreadInput, readKeyTable } from "./key-watch.ts";

// On Linux this is the priority of the calling thread alone: reading leaves the processor to requests.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const table = await readKeyTable(workerData as KeyThreadInput);
const parts = Object.values(table ?? {}) as Uint8Array<ArrayBuffer>[];
parentPort?.postMessage(
  table,
  parts.map(({ buffer }) => buffer),
);
