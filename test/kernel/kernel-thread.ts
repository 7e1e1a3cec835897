import { parentPort, workerData } from "node:worker_threads";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import type { DirectoryParts } from "../../src/banks/directory/directory-layout.ts";
import { plain } from "../../src/checks/answer.ts";
import { openKernel, type TaskPlace } from "../../src/kernel/kernel.ts";
import { Templates } from "../../src/kernel/templates.ts";

/** Worker data of a thread of `threads.test.ts`. */
export interface ThreadInput {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Offset of the tables. */
  readonly tables: number;
  readonly directory: DirectoryParts;
  /** Offset of the room for the thread's templates. */
  readonly templates: number;
  /** The thread waits here until all have come. */
  readonly gate: Int32Array;
  readonly threads: number;
  readonly batches: readonly { readonly place: TaskPlace; readonly expected: Uint8Array }[];
  readonly rounds: number;
}

const { module, memory, tables, directory, templates, gate, threads, batches, rounds } =
  workerData as ThreadInput;
const room = new Templates(memory.buffer, templates);
const kernel = openKernel(module, memory, tables, new BankDirectory(directory), room);
const bytes = Buffer.from(memory.buffer);
Atomics.add(gate, 0, 1);
while (Atomics.load(gate, 0) < threads);
let wrong = 0;
for (let round = 0; round < rounds; round++) {
  const { place, expected } = batches[round % batches.length]!;
  const written = kernel.writeBatch(place, plain);
  if (!bytes.subarray(place.output, place.output + Math.max(0, written)).equals(expected)) wrong++;
}
parentPort!.postMessage(wrong);
