import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createSharedMemory, editionRoom } from "../../src/pool/shared-memory.ts";
import {
  FreeSlots,
  largeRoom,
  pageBytes,
  type SharedSlots,
  type Slot,
  SlotField,
  SlotMemory,
  SlotState,
  slotBytes,
  slotHeaderBytes,
  smallRoom,
} from "../../src/pool/slots.ts";
import { allocateSlots } from "../support/slots.ts";

function slotsOf(shared: SharedSlots): Slot[] {
  const memory = new SlotMemory(shared);
  return Array.from({ length: memory.size }, (_, number) => memory.slot(number));
}

/** The bytes of a slot: first and one behind the last. */
function spanOf({ header, output }: Slot): { start: number; end: number } {
  return { start: header.byteOffset, end: output.byteOffset + output.length };
}

const tables = new Uint8Array(5_000).fill(0xaa);

const memories: Readonly<Record<string, () => SharedSlots>> = {
  "a memory of slots alone": () => allocateSlots(5, 3),
  "the memory shared with the kernel": () => createSharedMemory(tables, 5, 3).slots,
  "slots of one size": () => allocateSlots(0, 4),
};

for (const [what, make] of Object.entries(memories)) {
  test(`${what}: slots have their room, begin on pages and do not overlap`, () => {
    const shared = make();
    const slots = slotsOf(shared);
    assert.equal(slots.length, shared.smallSlots + shared.largeSlots);
    let free = shared.offset;
    for (const slot of slots) {
      const room = slot.number < shared.smallSlots ? smallRoom : largeRoom;
      assert.equal(slot.input.length, room.input);
      assert.equal(slot.output.length, room.output);
      assert.equal(slot.header.byteLength, slotHeaderBytes);
      assert.equal(slot.inputOffset, slot.input.byteOffset);
      assert.equal(slot.outputOffset, slot.output.byteOffset);
      const { start, end } = spanOf(slot);
      assert.equal(start % pageBytes, 0, `slot ${slot.number}`);
      assert.ok(start >= free, `slot ${slot.number} begins at ${start}, before ${free}`);
      free = end;
    }
    assert.ok(free <= shared.offset + slotBytes(shared.smallSlots, shared.largeSlots));
    assert.ok(free <= shared.buffer.byteLength);
  });
}

test("slots that are filled to the brim leave each other, the tables and the bank data alone", () => {
  const shared = createSharedMemory(tables, 3, 3);
  const areas = shared.areas.map((offset) => new Uint8Array(shared.slots.buffer, offset, editionRoom));
  for (const area of areas) area.fill(0xbb);
  const slots = slotsOf(shared.slots);
  for (const slot of slots) {
    slot.header.fill(slot.number + 1);
    slot.input.fill(slot.number + 1);
    slot.output.fill(slot.number + 1);
  }
  for (const slot of slots) {
    const sign = slot.number + 1;
    for (const part of [slot.header, slot.input, slot.output])
      assert.ok(part.every((value) => value === sign));
  }
  const bytes = new Uint8Array(shared.memory.buffer);
  assert.deepEqual(bytes.slice(shared.tables, shared.tables + tables.length), tables);
  for (const area of areas) assert.ok(area.every((value) => value === 0xbb));
});

test("every header field has its own word in the header", () => {
  const texts = 4;
  const words = Object.entries(SlotField).flatMap(([name, index]) =>
    name === "textLengths" ? Array.from({ length: texts }, (_, text) => index + text) : [index],
  );
  assert.equal(new Set(words).size, words.length);
  assert.ok(Math.max(...words) < slotHeaderBytes / Int32Array.BYTES_PER_ELEMENT);
});

test("a state that one thread writes is seen by another", async () => {
  const shared = allocateSlots(2, 0);
  const [first, second] = slotsOf(shared);
  first!.state = SlotState.queued;
  const code = `
    const { workerData } = require("node:worker_threads");
    Atomics.store(new Int32Array(workerData.buffer, workerData.at, 1), 0, ${SlotState.answered});
  `;
  const worker = new Worker(code, {
    eval: true,
    workerData: { buffer: shared.buffer, at: first!.header.byteOffset },
  });
  await new Promise((resolve) => worker.once("exit", resolve));
  assert.equal(first!.state, SlotState.answered);
  assert.equal(second!.state, SlotState.free);
});

test("free slots are taken once each, the last one returned first", () => {
  const [a, b, c] = slotsOf(allocateSlots(3, 0)) as [Slot, Slot, Slot];
  const free = new FreeSlots([a, b, c]);
  assert.equal(free.take(), a);
  assert.equal(free.take(), b);
  b.state = SlotState.answered;
  free.give(b);
  assert.equal(b.state, SlotState.free);
  assert.equal(free.take(), b);
  assert.equal(free.take(), c);
  assert.equal(free.take(), undefined);
});
