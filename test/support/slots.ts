import { type SharedSlots, slotBytes } from "../../src/pool/slots.ts";

/** Makes a memory of slots alone. */
export function allocateSlots(smallSlots: number, largeSlots: number): SharedSlots {
  const counts = { smallSlots, largeSlots, rooms: Math.max(1, largeSlots) };
  return { buffer: new SharedArrayBuffer(slotBytes(counts)), offset: 0, ...counts };
}
