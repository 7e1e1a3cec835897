import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  areaOf,
  createSharedMemory,
  editionAreas,
  editionRoom,
  type SharedMemory,
} from "../../src/pool/shared-memory.ts";

let shared: SharedMemory;
let areas: ReturnType<typeof editionAreas>;
beforeEach(() => {
  shared = createSharedMemory(new Uint8Array(100), { smallSlots: 1, largeSlots: 1, rooms: 1 });
  areas = editionAreas(shared);
});

/** Puts an edition into use whose first byte is a sign. */
const put = (name: string, sign: number) =>
  areas.replace((room) => {
    room[0] = sign;
    return Promise.resolve(name);
  });
const signOf = (edition: number) => new Uint8Array(shared.slots.buffer)[areaOf(shared, edition)];

test("editions alternate between two areas that do not overlap, and keep their names", async () => {
  assert.equal(areas.isLoaded, false);
  await put("a", 1);
  await put("b", 2);
  assert.equal(areas.isLoaded, true);
  assert.equal(areas.nameOf(), "b");
  assert.deepEqual([areas.nameOf(1), areas.nameOf(2)], ["a", "b"]);
  assert.deepEqual([signOf(1), signOf(2)], [1, 2]);
  assert.ok(Math.abs(areaOf(shared, 1) - areaOf(shared, 2)) >= editionRoom);
});

test("an area is written to only when its last request has left", async () => {
  await put("a", 1);
  const requests = [areas.enter(), areas.enter()];
  await put("b", 2);
  let written = false;
  const third = areas.replace((room) => {
    written = true;
    room[0] = 3;
    return Promise.resolve("c");
  });
  for (const request of requests) {
    await nextTurn();
    assert.equal(written, false);
    assert.equal(signOf(request), 1);
    areas.leave(request);
  }
  await third;
  assert.deepEqual([areas.nameOf(), signOf(3)], ["c", 3]);
});

test("an edition that cannot be written leaves the one in use, and the next attempt has its place", async () => {
  await put("a", 1);
  const fail = (room: Uint8Array) => {
    room[0] = 9;
    return Promise.reject(new Error("damaged"));
  };
  await assert.rejects(areas.replace(fail), /damaged/);
  assert.deepEqual([areas.nameOf(), areas.nameOf(1), signOf(1)], ["a", "a", 1]);
  await put("b", 2);
  assert.deepEqual([areas.nameOf(), areas.nameOf(2), signOf(2)], ["b", "b", 2]);
});
