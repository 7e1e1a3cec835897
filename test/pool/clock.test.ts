import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { between, now, stampOf } from "../../src/pool/clock.ts";

test("all threads of the process have the same clock", async () => {
  const module = JSON.stringify(new URL("../../.dist/src/pool/clock.js", import.meta.url).href);
  const before = now();
  const code = `import(${module}).then(({ now }) => require("node:worker_threads").parentPort.postMessage(now()))`;
  const worker = new Worker(code, { eval: true });
  const [there] = (await once(worker, "message")) as [number];
  const after = now();
  assert.ok(there > before - 1 && there < after + 1, `${before} ${there} ${after}`);
});

test("stamps measure the time between them, also where the word has overflowed", () => {
  for (const start of [0, 2_147_483.6, 4_294_967.2, 1e12]) {
    const passed = between(stampOf(start), stampOf(start + 1_234.5));
    assert.ok(Math.abs(passed - 1_234.5) < 0.01, `${start}: ${passed}`);
  }
  assert.equal(between(stampOf(5), stampOf(4)), 0);
});
