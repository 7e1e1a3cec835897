import { parentPort, workerData } from "node:worker_threads";
import { readKeyTable } from "./key-watch.ts";

const table = await readKeyTable(...(workerData as Parameters<typeof readKeyTable>));
const parts = Object.values(table ?? {}) as Uint8Array<ArrayBuffer>[];
parentPort?.postMessage(
  table,
  parts.map(({ buffer }) => buffer),
);
