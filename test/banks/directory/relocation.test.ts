import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { buildDirectory } from "../../../src/banks/directory/build.ts";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { header, LAYOUT_VERSION } from "../../../src/banks/directory/directory-layout.ts";
import { fragmentOf } from "../fragments.ts";
import { germanBank, italianBank, someEdition } from "../records.ts";

/** The part of the WebAssembly interface used here; the compiler's library for Node does not declare it. */
type MemoryConstructor = new (options: {
  initial: number;
  maximum: number;
  shared: true;
}) => { buffer: SharedArrayBuffer };

const records = [germanBank(), germanBank({ main: false, location: "Bergheim", bic: null }), italianBank()];
const buffer = buildDirectory(records, someEdition);

function copyAt(byteOffset: number, room = buffer.byteLength): SharedArrayBuffer {
  const larger = new SharedArrayBuffer(byteOffset + room);
  const target = new Uint8Array(larger).fill(0xff);
  target.set(new Uint8Array(buffer).subarray(0, room), byteOffset);
  return larger;
}

for (const byteOffset of [0, 1, 13, 64, 65_536]) {
  test(`a directory copied to byte ${byteOffset} reads the same`, () => {
    const directory = new BankDirectory(copyAt(byteOffset), byteOffset);
    assert.deepEqual(
      records.map((_, index) => directory.record(index)),
      records,
    );
    assert.deepEqual(directory.edition, someEdition);
    assert.equal(directory.findByBlz(37_040_044), 0);
    assert.deepEqual(directory.bics(1), ["COBADEFFXXX"]);
    assert.equal(JSON.parse(`{${fragmentOf(directory, 0).text}}`).location, "Köln");
  });
}

test("a directory inside the memory of a WebAssembly module reads the same", () => {
  const { Memory }: { Memory: MemoryConstructor } = Reflect.get(globalThis, "WebAssembly");
  const shared = new Memory({ initial: 1, maximum: 1, shared: true }).buffer;
  new Uint8Array(shared).set(new Uint8Array(buffer), 1024);
  assert.deepEqual(new BankDirectory(shared, 1024).record(2), records[2]);
});

test("a worker thread reads the directory in place", async () => {
  const loader = import.meta.resolve("tsx/esm/api");
  const module = new URL("../../../src/banks/directory/directory.ts", import.meta.url).href;
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.loader).then(({ register }) => {
      register();
      return import(workerData.module);
    }).then(({ BankDirectory }) => {
      const directory = new BankDirectory(workerData.buffer);
      parentPort.postMessage(directory.record(directory.findByBlz(37040044)));
    });
  `;
  const worker = new Worker(source, { eval: true, workerData: { loader, module, buffer } });
  try {
    const record = await new Promise((resolve, reject) =>
      worker.once("message", resolve).once("error", reject),
    );
    assert.deepEqual(record, records[0]);
  } finally {
    await worker.terminate();
  }
});

test("memory that holds no whole directory is refused", () => {
  assert.throws(() => new BankDirectory(new SharedArrayBuffer(64)), /no bank directory at byte 0/);
  assert.throws(() => new BankDirectory(new SharedArrayBuffer(256)), /no bank directory at byte 0/);
  assert.throws(() => new BankDirectory(copyAt(0), 64), /no bank directory at byte 64/);
  assert.throws(() => new BankDirectory(copyAt(0, buffer.byteLength - 1)), /cut off/);
  const newer = copyAt(0);
  new DataView(newer).setUint32(header.version, LAYOUT_VERSION + 1, true);
  assert.throws(
    () => new BankDirectory(newer),
    new RegExp(`layout ${LAYOUT_VERSION + 1}; this build reads ${LAYOUT_VERSION}`),
  );
});
