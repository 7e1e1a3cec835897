import { parentPort, workerData } from "node:worker_threads";
import { type LoadInput, loadEdition } from "../src/banks/editions/load.ts";

// Reading the bank files leaves tens of megabytes of garbage behind; in a separate thread they go with the thread.
parentPort?.postMessage(await loadEdition(workerData as LoadInput));
