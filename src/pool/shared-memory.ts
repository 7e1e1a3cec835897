import type { SharedRings } from "./shared-rings.ts";
import { pageBytes, type SharedSlots, slotBytes } from "./slot-memory.ts";

/** What all threads share: one WebAssembly memory with the kernel's tables, two areas for bank data and the slots. */
export interface SharedMemory {
  readonly memory: WebAssembly.Memory;
  /** Offset of the tables of the batch kernel. */
  readonly tables: number;
  /** Offsets of the areas of `editionRoom` bytes that editions of the bank data take in turn. */
  readonly areas: readonly [number, number];
  readonly slots: SharedSlots;
}

/** Room for one edition of the bank data with its search index; today's take 8 MB. */
export const editionRoom = 32 * 1_048_576;

const wasmPageBytes = 65_536;

/** The kernel keeps its own stack and constants below this offset. */
const kernelReserve = wasmPageBytes;

/**
 * Lays out the memory that front end and workers share and copies the tables into it.
 *
 * It never grows; pages that nothing was written to yet cost nothing.
 */
export function createSharedMemory(tables: Uint8Array, smallSlots: number, largeSlots: number): SharedMemory {
  const tablesOffset = kernelReserve;
  const firstArea = aligned(tablesOffset + tables.length, pageBytes);
  const secondArea = firstArea + editionRoom;
  const slotsOffset = secondArea + editionRoom;
  const pages = Math.ceil((slotsOffset + slotBytes(smallSlots, largeSlots)) / wasmPageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const { buffer } = memory;
  new Uint8Array(buffer).set(tables, tablesOffset);
  return {
    memory,
    tables: tablesOffset,
    areas: [firstArea, secondArea],
    slots: { buffer, offset: slotsOffset, smallSlots, largeSlots },
  };
}

/** Offset of the area that the edition of a number is in: editions take turns. */
export function areaOf(shared: SharedMemory, edition: number): number {
  return shared.areas[edition & 1]!;
}

function aligned(offset: number, to: number): number {
  return Math.ceil(offset / to) * to;
}

/** What every worker thread is given when it starts. */
export interface WorkerInput {
  readonly shared: SharedMemory;
  readonly rings: SharedRings;
  /** How long a worker that has nothing to do stays on shift, in milliseconds. */
  readonly idleMs: number;
  /** The compiled batch kernel; each worker makes an instance of its own. */
  readonly kernel: WebAssembly.Module;
  /** Whether an account that fails the UK modulus check makes its IBAN invalid. */
  readonly enforceUkModulus: boolean;
}
