import { type SharedSlots, slotBytes } from "../../src/pool/slots.ts";

/** Makes a memory of slots alone. */
export function allocateSlots(smallSlots: number, largeSlots: number): SharedSlots {
  const buffer = new SharedArrayBuffer(slotBytes(smallSlots, largeSlots));
  return { buffer, offset: 0, smallSlots, largeSlots };
}
