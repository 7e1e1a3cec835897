import { parentPort, workerData } from "node:worker_threads";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import type { DirectoryParts } from "../../src/banks/directory/directory-layout.ts";
import { plain } from "../../src/checks/answer.ts";
import { openKernel } from "../../src/kernel/kernel.ts";
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
  readonly batches: readonly {
    readonly input: number;
    readonly length: number;
    readonly expected: Uint8Array;
  }[];
  readonly output: number;
  readonly outputRoom: number;
  readonly rounds: number;
}

const input = workerData as ThreadInput;
const { gate, batches, output } = input;
const kernel = openKernel(
  input.module,
  input.memory,
  input.tables,
  new BankDirectory(input.directory),
  new Templates(input.memory.buffer, input.templates),
);
const bytes = Buffer.from(input.memory.buffer);
Atomics.add(gate, 0, 1);
while (Atomics.load(gate, 0) < input.threads);
let wrong = 0;
for (let round = 0; round < input.rounds; round++) {
  const { input: body, length, expected } = batches[round % batches.length]!;
  const written = kernel.writeBatch(
    { input: body, inputLength: length, output, outputRoom: input.outputRoom },
    plain,
  );
  if (!bytes.subarray(output, output + Math.max(0, written)).equals(expected)) wrong++;
}
parentPort!.postMessage(wrong);
