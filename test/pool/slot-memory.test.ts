import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedMemory, editionIn } from "../../src/pool/shared-memory.ts";
import {
  largeRoom,
  pageBytes,
  type SharedSlots,
  type Slot,
  SlotField,
  SlotMemory,
  slotBytes,
  slotHeaderBytes,
  smallRoom,
} from "../../src/pool/slots.ts";
import { allocateSlots } from "../support/slots.ts";

/** Returns all slots, each with room for an answer. */
function slotsOf(shared: SharedSlots): readonly Slot[] {
  const memory = new SlotMemory(shared);
  for (const slot of memory.slots) memory.takeRoom(slot);
  return memory.slots;
}

const tables = new Uint8Array(5_000).fill(0xaa);

for (const smallSlots of [5, 0]) {
  test(`slots have their room and begin on pages, with ${smallSlots} small ones`, () => {
    const shared = createSharedMemory(tables, { smallSlots, largeSlots: 3, rooms: 3 }).slots;
    const slots = slotsOf(shared);
    assert.equal(slots.length, shared.smallSlots + shared.largeSlots);
    for (const slot of slots) {
      const room = slot.number < shared.smallSlots ? smallRoom : largeRoom;
      assert.equal(slot.input.length, room.input);
      assert.equal(slot.output.length, room.output);
      assert.equal(slot.header.byteLength, slotHeaderBytes);
      assert.equal(slot.header.byteOffset % pageBytes, 0, `slot ${slot.number}`);
      assert.ok(slot.output.byteOffset + slot.output.length <= shared.offset + slotBytes(shared));
    }
    assert.ok(shared.offset + slotBytes(shared) <= shared.buffer.byteLength);
  });
}

test("slots that are filled to the brim leave each other, the tables and the bank data alone", () => {
  const shared = createSharedMemory(tables, { smallSlots: 3, largeSlots: 3, rooms: 3 });
  const areas = [0, 1].map((edition) => editionIn(shared, edition));
  for (const area of areas) area.fill(0xbb);
  const parts = slotsOf(shared.slots).map(({ header, input, output }) => [header, input, output]);
  for (const [number, ofSlot] of parts.entries()) for (const part of ofSlot) part.fill(number + 1);
  for (const [number, ofSlot] of parts.entries()) {
    for (const part of ofSlot) assert.ok(part.every((value) => value === number + 1));
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

test("a large slot has room for an answer only while it is posted; the room returned last is taken first", () => {
  const memory = new SlotMemory({ ...allocateSlots(1, 3), rooms: 2 });
  const [small, ...large] = memory.slots as unknown as [Slot, Slot, Slot, Slot];
  memory.takeRoom(small);
  for (const slot of large.slice(0, 2)) memory.takeRoom(slot);
  assert.equal(memory.hasRoom, false);
  const [first, second, third] = large as [Slot, Slot, Slot];
  assert.notEqual(first.output.byteOffset, second.output.byteOffset);
  const { byteOffset } = second.output;
  memory.giveRoom(second);
  assert.equal(memory.hasRoom, true);
  memory.takeRoom(third);
  assert.equal(third.output.byteOffset, byteOffset);
});
