import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { TEMPLATE_ROOM_BYTES } from "../../src/kernel/table-layout.ts";
import { KernelMemory, kernelModule } from "../support/kernel-memory.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";
import type { ThreadInput } from "./kernel-thread.ts";
import { RandomIbans } from "./random-ibans.ts";

/** A thread does not inherit the loader for TypeScript. */
const threadFile = new URL("kernel-thread.ts", import.meta.url).href;
const threadCode = `import("tsx/esm/api").then(({ register }) => { register(); import("${threadFile}"); })`;
const threads = 2;
const batchCount = 8;
/** Where the threads share what each must have for itself, ten are enough to show it. */
const rounds = 100;
const outputRoom = 300_000;
const bodyRoom = 32_768;

test("two threads over one memory, reading the same bodies at once, both write the reference's bytes", async () => {
  const own = new KernelMemory(await loadShippedDirectory(), defaultPolicy, threads);
  const ibans = new RandomIbans(own.directory, 7);
  const inputs = own.output + threads * outputRoom;
  const bodies = Array.from({ length: batchCount }, (_, index) => {
    const entries = Array.from({ length: 500 }, () => ibans.next());
    const body = Buffer.from(JSON.stringify({ ibans: entries }));
    const input = inputs + index * bodyRoom;
    assert.ok(body.length <= bodyRoom);
    own.bytes.set(body, input);
    return { input, inputLength: body.length, expected: Uint8Array.from(own.expectedBatch(entries)) };
  });
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const workers = Array.from({ length: threads }, (_, index) => {
    const room = { output: own.output + index * outputRoom, outputRoom };
    const workerData: ThreadInput = {
      module: kernelModule,
      memory: own.memory,
      tables: own.tables,
      directory: own.directory.parts,
      templates: own.templatesAt + index * TEMPLATE_ROOM_BYTES,
      gate,
      threads,
      batches: bodies.map(({ expected, ...body }) => ({ place: { ...body, ...room }, expected })),
      rounds,
    };
    return new Worker(threadCode, { eval: true, workerData });
  });
  const wrong = await Promise.all(workers.map((worker) => once(worker, "message")));
  await Promise.all(workers.map((worker) => worker.terminate()));
  assert.deepEqual(wrong, [[0], [0]]);
  assert.equal(Atomics.load(gate, 0), threads);
});
