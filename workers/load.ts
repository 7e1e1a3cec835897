import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type LoadInput, loadEdition } from "../src/banks/load-edition.ts";

// On Linux this is the priority of the calling thread alone: loading is to leave the processor to requests.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// Reading the bank files leaves tens of megabytes of garbage behind; in a thread of its own they go with the thread.
parentPort?.postMessage(await loadEdition(workerData as LoadInput));
