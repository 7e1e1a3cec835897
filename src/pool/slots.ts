import { maxBatchIbans, maxBodyBytes, maxSuggestionBytes } from "../contract/limits.ts";

/**
 * Layout of the memory that the front end and the workers share.
 *
 * A slot carries one accepted request: a header, its input, and after it the finished answer. Small slots take
 * single checks and look-ups, large ones everything that costs more. Slots are numbered small ones first. Pages of a slot that is
 * never used are never touched, so only what runs at the same time costs memory.
 */
export const slotHeaderBytes = 64;

/** Fields of a slot's header, as indexes into its 32-bit words. */
export const SlotField = {
  /** The outcome of the request, and the thread that it belongs to. */
  state: 0,
  kind: 1,
  flags: 2,
  inputLength: 3,
  outputLength: 4,
  /** Lengths of up to four texts that follow each other in the input. */
  textLengths: 5,
  /** How many checks the task counts as: the IBANs of a batch, otherwise one. */
  count: 9,
  /** Number of the edition of the bank data that the request is answered from. */
  edition: 11,
  /** When the worker began the task, as a stamp (see clock.ts). */
  begun: 12,
  /** How long the worker ran it, in microseconds. */
  busy: 13,
  /** 0, or which error of the catalogue the request is answered with. */
  error: 14,
} as const;

/** The outcome of the request in a slot. */
export const SlotState = { free: 0, queued: 1, running: 2, answered: 3, failed: 4, dropped: 5 } as const;

/** A value of SlotState. */
export type SlotState = (typeof SlotState)[keyof typeof SlotState];

/** Which slot a task needs: a small one for a single check or a look-up, a large one for all that costs more. */
export type SlotSize = "small" | "large";

/** Room in bytes for a slot's input and answer. */
export interface SlotRoom {
  readonly input: number;
  readonly output: number;
}

/** Maximum bytes of a batch entry besides the texts it echoes: its frame, one bank fragment, reason and checks. */
export const maxEntryBytes = 3_328;

/** Room of a small slot: inputs beyond it go into a large one. */
export const smallRoom: SlotRoom = { input: 1_024, output: 48 * 1_024 };

/**
 * Room of a large slot.
 *
 * The answer echoes at most the body twice (a character never grows) and adds at most `maxEntryBytes` an
 * entry, and suggestions where they are requested.
 */
export const largeRoom: SlotRoom = {
  input: maxBodyBytes,
  output: 2 * maxBodyBytes + maxBatchIbans * maxEntryBytes + maxSuggestionBytes + 1_024,
};

/** Where the slots lie in a shared memory, and how many there are. */
export interface SharedSlots {
  readonly buffer: SharedArrayBuffer;
  /** Offset of the first slot, a multiple of `pageBytes`. */
  readonly offset: number;
  readonly smallSlots: number;
  readonly largeSlots: number;
}

/** Slots begin on pages of this size, so that two that are used at the same time share none. */
export const pageBytes = 4_096;

/** The state takes the low bits of its word, the thread that the request belongs to the others. */
const stateBits = 8;
const stateMask = (1 << stateBits) - 1;

const smallStride = strideOf(smallRoom);
const largeStride = strideOf(largeRoom);

/** How many bytes a number of small and large slots take. */
export function slotBytes(smallSlots: number, largeSlots: number): number {
  return smallSlots * smallStride + largeSlots * largeStride;
}

/** One slot as both sides see it: header words, input bytes and answer bytes over the shared memory. */
export class Slot {
  readonly number: number;
  readonly header: Int32Array;
  /** Offsets of input and answer in the whole memory, for code that works on the memory itself. */
  readonly inputOffset: number;
  readonly outputOffset: number;
  readonly input: Buffer;
  readonly output: Buffer;
  readonly #buffer: SharedArrayBuffer;

  constructor(number: number, buffer: SharedArrayBuffer, offset: number, room: SlotRoom) {
    this.number = number;
    this.#buffer = buffer;
    this.header = new Int32Array(buffer, offset, slotHeaderBytes / Int32Array.BYTES_PER_ELEMENT);
    this.inputOffset = offset + slotHeaderBytes;
    this.outputOffset = this.inputOffset + room.input;
    this.input = Buffer.from(buffer, this.inputOffset, room.input);
    this.output = Buffer.from(buffer, this.outputOffset, room.output);
  }

  /** Reads a header field. */
  get(field: number): number {
    return this.header[field]!;
  }

  /** Writes a header field. */
  set(field: number, value: number): void {
    this.header[field] = value;
  }

  /** The outcome of the request; read with a full memory barrier, since a dead worker sends no message. */
  get state(): SlotState {
    return (Atomics.load(this.header, SlotField.state) & stateMask) as SlotState;
  }

  set state(state: SlotState) {
    Atomics.store(this.header, SlotField.state, state);
  }

  /** Id of the thread that runs or has finished the request; 0 if none has begun it. */
  get thread(): number {
    return Atomics.load(this.header, SlotField.state) >>> stateBits;
  }

  /** Takes a queued request for a thread, in one step; false if it is not queued, or no longer. */
  claim(thread: number): boolean {
    const running = SlotState.running | (thread << stateBits);
    return (
      Atomics.compareExchange(this.header, SlotField.state, SlotState.queued, running) === SlotState.queued
    );
  }

  /** Sets the final state of the request that its thread has claimed. */
  finish(state: SlotState): void {
    const word = this.header[SlotField.state]!;
    Atomics.store(this.header, SlotField.state, (word & ~stateMask) | state);
  }

  /** Moves from one state to another atomically, unless a thread has claimed it; false if it is not in the first. */
  change(from: SlotState, to: SlotState): boolean {
    return Atomics.compareExchange(this.header, SlotField.state, from, to) === from;
  }

  /** The first bytes of the answer, not copied. */
  answer(length: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.outputOffset, length);
  }
}

/** All slots of a shared memory, small ones first. */
export class SlotMemory {
  readonly #slots: readonly Slot[];
  readonly smallSlots: number;

  constructor({ buffer, offset, smallSlots, largeSlots }: SharedSlots) {
    this.smallSlots = smallSlots;
    const largeOffset = offset + smallSlots * smallStride;
    this.#slots = Array.from({ length: smallSlots + largeSlots }, (_, number) =>
      number < smallSlots
        ? new Slot(number, buffer, offset + number * smallStride, smallRoom)
        : new Slot(number, buffer, largeOffset + (number - smallSlots) * largeStride, largeRoom),
    );
  }

  /** How many slots there are. */
  get size(): number {
    return this.#slots.length;
  }

  /** Returns the slot of a number below `size`. */
  slot(number: number): Slot {
    return this.#slots[number]!;
  }
}

/** Free slots of one size; the one returned last is taken first, so that its memory is still in the cache. */
export class FreeSlots {
  readonly #free: Slot[];

  constructor(slots: readonly Slot[]) {
    this.#free = [...slots].reverse();
  }

  /** Takes a free slot, or undefined if none is left. */
  take(): Slot | undefined {
    return this.#free.pop();
  }

  /** Returns a slot to the free ones. */
  give(slot: Slot): void {
    slot.state = SlotState.free;
    this.#free.push(slot);
  }
}

function strideOf(room: SlotRoom): number {
  return Math.ceil((slotHeaderBytes + room.input + room.output) / pageBytes) * pageBytes;
}
