import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { between, measureOffset, now, stampOf } from "../../src/pool/clock.ts";

test("all threads of the process have the same clock", async () => {
  const module = JSON.stringify(new URL("../../.dist/src/pool/clock.js", import.meta.url).href);
  const before = now();
  const code = `import(${module}).then(({ now }) => require("node:worker_threads").parentPort.postMessage(now()))`;
  const worker = new Worker(code, { eval: true });
  const [there] = (await once(worker, "message")) as [number];
  const after = now();
  assert.ok(there > before - 1 && there < after + 1, `${before} ${there} ${after}`);
});

/** A local clock and a common one that is `ahead` of it; `lose` takes the processor away before the given readings. */
function clocksOf(ahead: number, lose: Readonly<Record<number, number>>, readingMs: number) {
  let time = 0;
  let readings = 0;
  const read = (offset: number) => {
    time += readingMs + (lose[++readings] ?? 0);
    return time + offset;
  };
  return [() => read(0), () => read(ahead)] as const;
}

test("a thread that loses the processor between two readings still finds the offset of its clock", () => {
  for (const lose of [{}, { 2: 1.4 }, { 3: 5 }, { 1: 9, 2: 3, 3: 2, 5: 40, 6: 1 }]) {
    const [local, common] = clocksOf(12_345.5, lose, 0.000_2);
    assert.ok(Math.abs(measureOffset(local, common) - 12_345.5) < 0.001, JSON.stringify(lose));
  }
});

test("on a machine whose clocks are slow to read the best of a bounded number of readings counts", () => {
  const [local, common] = clocksOf(-7, { 2: 3, 5: 0.5 }, 0.01);
  assert.ok(Math.abs(measureOffset(local, common) + 7) < 0.02);
});

test("stamps measure the time between them, also where the word has overflowed", () => {
  for (const start of [0, 2_147_483.6, 4_294_967.2, 1e12]) {
    const passed = between(stampOf(start), stampOf(start + 1_234.5));
    assert.ok(Math.abs(passed - 1_234.5) < 0.01, `${start}: ${passed}`);
  }
  assert.equal(between(stampOf(5), stampOf(4)), 0);
});
