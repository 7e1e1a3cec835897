import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedMemory, editionIn } from "../../src/pool/shared-memory.ts";
import {
  largeRoom,
  pageBytes,
  type Slot,
  SlotField,
  SlotMemory,
  slotBytes,
  slotHeaderBytes,
  smallRoom,
} from "../../src/pool/slots.ts";
import { allocateSlots } from "../support/slots.ts";

const tables = new Uint8Array(5_000).fill(0xaa);

for (const smallSlots of [3, 0]) {
  test(`slots have their room and begin on pages, and leave each other, the tables and the bank data alone when they are full, with ${smallSlots} small ones`, () => {
    const shared = createSharedMemory(tables, { smallSlots, largeSlots: 3, rooms: 3 });
    const areas = [0, 1].map((edition) => editionIn(shared, edition));
    for (const area of areas) area.fill(0xbb);
    const memory = new SlotMemory(shared.slots);
    const slots = memory.slots.map((slot) => {
      memory.takeRoom(slot);
      const { number, header, input, output } = slot;
      return { number, parts: [header, input, output] as const };
    });
    assert.equal(slots.length, smallSlots + 3);
    for (const { number, parts } of slots) {
      const [header, input, output] = parts;
      const room = number < smallSlots ? smallRoom : largeRoom;
      assert.deepEqual([input.length, output.length], [room.input, room.output]);
      assert.equal(header.byteLength, slotHeaderBytes);
      assert.equal(header.byteOffset % pageBytes, 0, `slot ${number}`);
      for (const part of parts) part.fill(number + 1);
    }
    for (const { number, parts } of slots)
      for (const part of parts) assert.ok(part.every((value) => value === number + 1));
    const bytes = new Uint8Array(shared.memory.buffer);
    assert.deepEqual(bytes.slice(shared.tables, shared.tables + tables.length), tables);
    for (const area of areas) assert.ok(area.every((value) => value === 0xbb));
    const end = shared.slots.offset + slotBytes(shared.slots);
    assert.ok(bytes.subarray(end).every((value) => value === 0));
  });
}

test("every header field has its own word in the header", () => {
  const blockWords = 4;
  const words = Object.entries(SlotField).flatMap(([name, index]) =>
    name === "block" ? Array.from({ length: blockWords }, (_, word) => index + word) : [index],
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
