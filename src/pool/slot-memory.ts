import { largeRoom, type SlotRoom, SlotState, slotHeaderBytes, smallRoom } from "./slot-layout.ts";

/** What a worker needs to see the same slots as the front end. */
export interface SharedSlots {
  readonly buffer: SharedArrayBuffer;
  readonly smallSlots: number;
  readonly largeSlots: number;
}

const pageBytes = 4_096;
const smallStride = strideOf(smallRoom);
const largeStride = strideOf(largeRoom);

/** Makes the shared memory for a number of small and large slots; its pages cost nothing until they are used. */
export function allocateSlots(smallSlots: number, largeSlots: number): SharedSlots {
  const buffer = new SharedArrayBuffer(smallSlots * smallStride + largeSlots * largeStride);
  return { buffer, smallSlots, largeSlots };
}

/** One slot as both sides see it: header words, input bytes and answer bytes over the shared memory. */
export class Slot {
  readonly number: number;
  readonly header: Int32Array;
  readonly input: Buffer;
  readonly output: Buffer;

  constructor(number: number, buffer: SharedArrayBuffer, offset: number, room: SlotRoom) {
    this.number = number;
    this.header = new Int32Array(buffer, offset, slotHeaderBytes / Int32Array.BYTES_PER_ELEMENT);
    this.input = Buffer.from(buffer, offset + slotHeaderBytes, room.input);
    this.output = Buffer.from(buffer, offset + slotHeaderBytes + room.input, room.output);
  }

  /** Reads a header field. */
  get(field: number): number {
    return this.header[field]!;
  }

  /** Writes a header field. */
  set(field: number, value: number): void {
    this.header[field] = value;
  }

  /** What has become of the request; read with a full memory barrier, since a dead worker sends no message. */
  get state(): SlotState {
    return Atomics.load(this.header, 0) as SlotState;
  }

  set state(state: SlotState) {
    Atomics.store(this.header, 0, state);
  }
}

/** All slots of a shared memory, small ones first. */
export class SlotMemory {
  readonly #slots: readonly Slot[];
  readonly smallSlots: number;

  constructor({ buffer, smallSlots, largeSlots }: SharedSlots) {
    this.smallSlots = smallSlots;
    this.#slots = Array.from({ length: smallSlots + largeSlots }, (_, number) =>
      number < smallSlots
        ? new Slot(number, buffer, number * smallStride, smallRoom)
        : new Slot(number, buffer, smallSlots * smallStride + (number - smallSlots) * largeStride, largeRoom),
    );
  }

  /** How many slots there are. */
  get size(): number {
    return this.#slots.length;
  }

  /** Gives the slot of a number below `size`. */
  slot(number: number): Slot {
    return this.#slots[number]!;
  }
}

/** Free slots of one size; the one given back last is taken first, so that its memory is still in the cache. */
export class FreeSlots {
  readonly #free: Slot[];

  constructor(slots: readonly Slot[]) {
    this.#free = [...slots].reverse();
  }

  /** Takes a free slot, or undefined where none is left. */
  take(): Slot | undefined {
    return this.#free.pop();
  }

  /** Gives a slot back. */
  give(slot: Slot): void {
    slot.state = SlotState.free;
    this.#free.push(slot);
  }
}

function strideOf(room: SlotRoom): number {
  return Math.ceil((slotHeaderBytes + room.input + room.output) / pageBytes) * pageBytes;
}
