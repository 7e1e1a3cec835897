import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const bytes = readFileSync(new URL("../../.dist/src/kernel/kernel.wasm", import.meta.url));
const dataSection = 11;
const startSection = 8;

/** Numbers of the sections of a WebAssembly module, in order. */
function sectionsOf(module: Uint8Array): number[] {
  const sections: number[] = [];
  let at = 8;
  while (at < module.length) {
    sections.push(module[at++]!);
    let size = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      byte = module[at++]!;
      size |= (byte & 0x7f) << shift;
    }
    at += size;
  }
  return sections;
}

test("the module brings no data and runs nothing when it is instantiated, since all threads share the memory", () => {
  const sections = sectionsOf(bytes);
  assert.ok(sections.includes(10), "no code was found");
  assert.ok(!sections.includes(dataSection));
  assert.ok(!sections.includes(startSection));
});
