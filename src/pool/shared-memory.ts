import { setTimeout as delay } from "node:timers/promises";
import { TEMPLATE_ROOM_BYTES } from "../kernel/table-layout.ts";
import { Templates } from "../kernel/templates.ts";
import type { SharedQueues } from "./queues.ts";
import { type SharedSlots, type Slot, type SlotCounts, SlotField, slotBytes, wholePages } from "./slots.ts";
import { tickMs } from "./ticks.ts";

/** Room for one edition of the bank data with its search index; today's take 8 MB. */
export const editionRoom = 32 * 1_048_576;

const wasmPageBytes = 65_536;

export type SharedMemory = ReturnType<typeof createSharedMemory>;

/**
 * Lays out the memory that front end and workers share and copies the kernel's tables into it: one WebAssembly memory with
 * these, two areas that editions of the bank data take in turn, the slots, and room for the templates of each worker.
 *
 * It never grows; pages that nothing was written to yet cost nothing.
 */
export function createSharedMemory(tables: Uint8Array, counts: SlotCounts, workers = 1) {
  // The kernel keeps its own stack and constants in the first page.
  const tablesOffset = wasmPageBytes;
  const areas = tablesOffset + wholePages(tables.length);
  const slotsOffset = areas + 2 * editionRoom;
  const templates = slotsOffset + slotBytes(counts);
  const pages = Math.ceil((templates + workers * TEMPLATE_ROOM_BYTES) / wasmPageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const { buffer } = memory;
  new Uint8Array(buffer).set(tables, tablesOffset);
  const slots: SharedSlots = { buffer, offset: slotsOffset, ...counts };
  return { memory, tables: tablesOffset, areas, slots, templates };
}

/** Offset of the area that the edition of a number is in: editions alternate. */
export function areaOf(shared: SharedMemory, edition: number): number {
  return shared.areas + (edition & 1) * editionRoom;
}

/** Returns the templates of a worker; those that a thread before it has left are forgotten. */
export function templatesIn({ slots, templates }: SharedMemory, worker: number): Templates {
  return new Templates(slots.buffer, templates + worker * TEMPLATE_ROOM_BYTES);
}

export function editionIn(shared: SharedMemory, edition: number): Uint8Array {
  return new Uint8Array(shared.slots.buffer, areaOf(shared, edition), editionRoom);
}

export interface WorkerInput {
  readonly shared: SharedMemory;
  readonly queues: SharedQueues;
  readonly kernel: WebAssembly.Module;
  readonly observeAccounts: readonly string[];
}

/**
 * The two areas of the shared memory that editions of the bank data take in turn.
 *
 * Editions are numbered from 1 on. Every request belongs to the one that was in use when it was accepted, and an area is
 * written to only when no request belongs to what is there.
 */
export function editionAreas(shared: SharedMemory) {
  /** By area: number of requests that use its edition, and the edition's name. */
  const inside = new Int32Array(2);
  const names: [string, string] = ["", ""];
  /** Number of the edition in use; 0 if there has been none yet. */
  let current = 0;

  /** Returns the name of the edition in use, or of one that a request still uses. */
  const nameOf = (edition = current) => names[edition & 1]!;

  return {
    nameOf,
    nameIn: (slot: Slot) => nameOf(slot.get(SlotField.edition)),

    get isLoaded() {
      return current > 0;
    },

    /** Records a request and returns the number of its edition. */
    enter: () => {
      inside[current & 1]!++;
      return current;
    },

    leave: (edition: number) => {
      inside[edition & 1]!--;
    },

    /**
     * Puts another edition into use for all requests accepted from then on, without holding any up: `write` fills its room
     * (see `writeEdition`) and returns its name.
     *
     * Waits until nothing uses the edition before it. When `write` fails, the edition in use stays; rejects with its
     * error. Call it for one edition at a time.
     */
    replace: async (write: (room: Uint8Array) => Promise<string>) => {
      const next = current + 1;
      while (inside[next & 1]! > 0) await delay(tickMs);
      names[next & 1] = await write(editionIn(shared, next));
      current = next;
    },
  };
}
