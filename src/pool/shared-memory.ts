import { pageBytes, type SharedSlots, slotBytes } from "./slot-memory.ts";

/** What all threads share: one WebAssembly memory with the kernel's tables, the bank directory and the slots. */
export interface SharedMemory {
  readonly memory: WebAssembly.Memory;
  /** Offset of the tables of the batch kernel. */
  readonly tables: number;
  /** Offset of the bank directory. */
  readonly directory: number;
  readonly slots: SharedSlots;
}

const wasmPageBytes = 65_536;

/** The kernel keeps its own stack and constants below this offset. */
const kernelReserve = wasmPageBytes;

/**
 * Lays out the memory that front end and workers share and copies tables and directory into it.
 *
 * It never grows; pages that no request has used yet cost nothing.
 */
export function createSharedMemory(
  tables: Uint8Array,
  directory: SharedArrayBuffer,
  smallSlots: number,
  largeSlots: number,
): SharedMemory {
  const tablesOffset = kernelReserve;
  const directoryOffset = aligned(tablesOffset + tables.length, pageBytes);
  const slotsOffset = aligned(directoryOffset + directory.byteLength, pageBytes);
  const pages = Math.ceil((slotsOffset + slotBytes(smallSlots, largeSlots)) / wasmPageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const { buffer } = memory;
  const bytes = new Uint8Array(buffer);
  bytes.set(tables, tablesOffset);
  bytes.set(new Uint8Array(directory), directoryOffset);
  return {
    memory,
    tables: tablesOffset,
    directory: directoryOffset,
    slots: { buffer, offset: slotsOffset, smallSlots, largeSlots },
  };
}

function aligned(offset: number, to: number): number {
  return Math.ceil(offset / to) * to;
}
