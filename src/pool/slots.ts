import { maxBatchIbans, maxBodyBytes, maxSuggestionBytes } from "../contract/limits.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Layout of the memory that the front end and the workers share.
 *
 * A slot carries one accepted request: a header, its input, and room for the finished answer. Small slots take single
 * checks and look-ups, large ones everything that costs more. Slots are numbered small ones first. The answers of large
 * slots are long, and a request that waits has none: so they share a few rooms, one of which a slot has from the moment
 * it is handed to the workers until it is settled. Pages that were touched stay resident, so the most used are used again.
 */
export const slotHeaderBytes = 64;

/** Fields of a slot's header, as indexes into its 32-bit words. */
export const SlotField = {
  /** The outcome of the request, and the worker that has begun it. */
  state: 0,
  kind: 1,
  flags: 2,
  inputLength: 3,
  outputLength: 4,
  /** Four words of a block of a stream (see stream-task.ts). */
  block: 5,
  /** How many checks the task counts as: the IBANs of a batch, otherwise one. */
  count: 9,
  /** Number of the edition of the bank data that the request is answered from. */
  edition: 11,
  /** When the worker began the task, as a stamp (see clock.ts). */
  begun: 12,
  /** How long the worker ran it, in microseconds. */
  busy: 13,
  /** 1 where the request is answered with an error of the catalogue, otherwise 0. */
  isRefusal: 14,
  room: 15,
} as const;

export const SlotState = {
  free: 0,
  /** In the queue, where no worker may begin it. */
  waiting: 1,
  /** Handed to the workers. */
  posted: 2,
  running: 3,
  answered: 4,
  failed: 5,
  dropped: 6,
} as const;

export type SlotState = (typeof SlotState)[keyof typeof SlotState];

/**
 * The outcome of an accepted request: its answer or error is in its slot; its task threw, or ended its worker thread; no
 * worker was there to begin it; it ran too long; it was refused after all, because it waited too long, yielded its place
 * to another key, or its client closed the connection before a worker began it.
 */
export type RequestOutcome = "answered" | "threw" | "crashed" | "unbegun" | "late" | "refused";

export type RequestDone = (slot: Slot, outcome: RequestOutcome) => void;

export type SlotSize = "small" | "large";

/** Maximum bytes of a batch entry besides the texts it echoes: its frame, one bank fragment, reason and checks. */
export const maxEntryBytes = 3_328;

/** Bytes of a small slot's input and answer: larger inputs go into a large one. */
export const smallRoom = { input: 1_024, output: 48 * 1_024 };

/**
 * Bytes of a large slot's input and answer.
 *
 * The answer echoes at most the body twice (a character never grows) and adds at most `maxEntryBytes` an
 * entry, and suggestions where they are requested.
 */
export const largeRoom = {
  input: maxBodyBytes,
  output: 2 * maxBodyBytes + maxBatchIbans * maxEntryBytes + maxSuggestionBytes + 1_024,
};

export type SlotCounts = Pick<SharedSlots, "smallSlots" | "largeSlots" | "rooms">;

export interface SharedSlots {
  readonly smallSlots: number;
  readonly largeSlots: number;
  readonly rooms: number;
  readonly buffer: SharedArrayBuffer;
  /** Offset of the first slot, a multiple of `pageBytes`. */
  readonly offset: number;
}

/** Slots begin on pages of this size, so that two that are used at the same time share none. */
export const pageBytes = 4_096;

/** The state takes the low bits of its word, the worker that has begun the request, counted from 1, the others. */
const stateBits = 8;
const stateMask = (1 << stateBits) - 1;

const smallStride = wholePages(slotHeaderBytes + smallRoom.input + smallRoom.output);
const largeStride = wholePages(slotHeaderBytes + largeRoom.input);
const roomStride = wholePages(largeRoom.output);

export function slotBytes({ smallSlots, largeSlots, rooms }: SlotCounts): number {
  return smallSlots * smallStride + largeSlots * largeStride + rooms * roomStride;
}

/** One slot as both sides see it, and what the main thread alone knows of the request in it. */
export class Slot {
  readonly number: number;
  readonly size: SlotSize;
  readonly header: Int32Array;
  readonly input: Buffer;
  readonly #rooms: readonly Buffer[];
  /** Number of the request in the order of acceptance, from 1. */
  request = 0;
  tenant!: Tenant;
  /** Absent once it was called: after a late answer the task may still come back. */
  done: RequestDone | undefined;
  /** The tick in which the request came; 0 while the slot is free. */
  since = 0;
  /** Expected cost of the task, in microseconds. */
  expectedCost = 0;

  /** `rooms` are those that its answer may be in; without them it has one of its own, after its input. */
  constructor(
    number: number,
    size: SlotSize,
    buffer: SharedArrayBuffer,
    offset: number,
    rooms?: readonly Buffer[],
  ) {
    const room = size === "small" ? smallRoom : largeRoom;
    this.number = number;
    this.size = size;
    this.header = new Int32Array(buffer, offset, slotHeaderBytes / Int32Array.BYTES_PER_ELEMENT);
    const inputOffset = offset + slotHeaderBytes;
    this.input = Buffer.from(buffer, inputOffset, room.input);
    this.#rooms = rooms ?? [Buffer.from(buffer, inputOffset + room.input, room.output)];
  }

  get output(): Buffer {
    return this.#rooms[this.header[SlotField.room]!]!;
  }

  get(field: number): number {
    return this.header[field]!;
  }

  set(field: number, value: number): void {
    this.header[field] = value;
  }

  /** Read with a full memory barrier, since a dead worker sends no message. */
  get state(): SlotState {
    return (Atomics.load(this.header, SlotField.state) & stateMask) as SlotState;
  }

  /** Only while no worker may claim the request. One that claims it sees all that was written to the slot before. */
  set state(state: typeof SlotState.free | typeof SlotState.waiting | typeof SlotState.posted) {
    Atomics.store(this.header, SlotField.state, state);
  }

  /** Number of the worker that runs or has finished the request; -1 if none has begun it. */
  get worker(): number {
    return (Atomics.load(this.header, SlotField.state) >>> stateBits) - 1;
  }

  /** Takes a posted request for a worker, in one step; false if it is not posted, or no longer. */
  claim(worker: number): boolean {
    const { posted, running } = SlotState;
    const word = running | ((worker + 1) << stateBits);
    return Atomics.compareExchange(this.header, SlotField.state, posted, word) === posted;
  }

  /** Sets the final state of the request that its worker has claimed. */
  finish(state: SlotState): void {
    const word = this.header[SlotField.state]!;
    Atomics.store(this.header, SlotField.state, (word & ~stateMask) | state);
  }

  /** Takes the request back, in one step; returns its state until then, undefined if a worker has begun it. */
  drop(): SlotState | undefined {
    return [SlotState.waiting, SlotState.posted].find(
      (state) => Atomics.compareExchange(this.header, SlotField.state, state, SlotState.dropped) === state,
    );
  }

  /** The finished answer, not copied. */
  get answer(): Buffer {
    return this.output.subarray(0, this.header[SlotField.outputLength]);
  }
}

export class SlotMemory {
  readonly slots: readonly Slot[];
  readonly #freeRooms: number[];

  constructor({ buffer, offset, smallSlots, largeSlots, rooms }: SharedSlots) {
    const largeOffset = offset + smallSlots * smallStride;
    const roomOffset = largeOffset + largeSlots * largeStride;
    const allRooms = Array.from({ length: rooms }, (_, room) =>
      Buffer.from(buffer, roomOffset + room * roomStride, largeRoom.output),
    );
    this.#freeRooms = [...allRooms.keys()].reverse();
    this.slots = Array.from({ length: smallSlots + largeSlots }, (_, number) =>
      number < smallSlots
        ? new Slot(number, "small", buffer, offset + number * smallStride)
        : new Slot(number, "large", buffer, largeOffset + (number - smallSlots) * largeStride, allRooms),
    );
  }

  /** Whether any slot can be handed to the workers. */
  get hasRoom(): boolean {
    return this.#freeRooms.length > 0;
  }

  /** Assigns a room to a large slot; call it only while `hasRoom`. */
  takeRoom(slot: Slot): void {
    if (slot.size === "large") slot.set(SlotField.room, this.#freeRooms.pop()!);
  }

  giveRoom(slot: Slot): void {
    if (slot.size === "large") this.#freeRooms.push(slot.get(SlotField.room));
  }
}

export function wholePages(bytes: number): number {
  return Math.ceil(bytes / pageBytes) * pageBytes;
}
