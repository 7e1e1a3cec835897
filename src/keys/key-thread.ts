import { parentPort, workerData } from "node:worker_threads";
import { type KeyThreadInput, readKeyTable } from "./key-watch.ts";

const table = await readKeyTable(workerData as KeyThreadInput);
const parts = Object.values(table ?? {}) as Uint8Array<ArrayBuffer>[];
parentPort?.postMessage(
  table,
  parts.map(({ buffer }) => buffer),
);
