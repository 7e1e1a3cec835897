import { parentPort, workerData } from "node:worker_threads";
import { loadShippedDirectory } from "../src/banks/load.ts";

// Reading the bank files leaves tens of megabytes of garbage behind; in a thread of its own they go with the thread.
parentPort?.postMessage(await loadShippedDirectory(workerData as string));
