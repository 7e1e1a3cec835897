import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { loadEdition } from "../src/banks/editions/load-edition.ts";
import type { LoadThreadInput } from "../src/banks/editions/loaded-edition.ts";

const input = workerData as LoadThreadInput;

// On Linux this is the priority of the calling thread alone: loading is to leave the processor to requests.
if (!input.isAwaited) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// Reading the bank files leaves tens of megabytes of garbage behind; in a separate thread they go with the thread.
parentPort?.postMessage(await loadEdition(input));
