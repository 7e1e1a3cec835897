import { maxBatchIbans, maxBodyBytes, maxSuggestionBytes } from "../contract/limits.ts";

/**
 * Layout of the memory that the front end and the workers share.
 *
 * A slot carries one accepted request: a header, its input, and behind it the finished answer. Small slots take
 * single checks and searches, large ones batches. Slots are numbered small ones first. Pages of a slot that is
 * never used are never touched, so only what runs at the same time costs memory.
 */
export const slotHeaderBytes = 64;

/** Fields of a slot's header, as indexes into its 32-bit words. */
export const SlotField = {
  /** What has become of the request, and the thread that it belongs to. */
  state: 0,
  kind: 1,
  flags: 2,
  inputLength: 3,
  outputLength: 4,
  /** Lengths of up to four texts that stand behind each other in the input. */
  textLengths: 5,
  /** How many checks the task counts as: the IBANs of a batch, otherwise one. */
  count: 9,
  /** Number of the edition of the bank data that the request is answered from. */
  edition: 11,
  /** When the worker began the task, as a stamp (see clock.ts). */
  begun: 12,
  /** How long it was at work on it, in microseconds. */
  busy: 13,
  /** 0, or which error of the catalogue the request is answered with. */
  error: 14,
} as const;

/** What has become of the request in a slot. */
export const SlotState = { free: 0, queued: 1, running: 2, answered: 3, failed: 4, dropped: 5 } as const;

/** A value of SlotState. */
export type SlotState = (typeof SlotState)[keyof typeof SlotState];

/** Room in bytes for a slot's input and answer. */
export interface SlotRoom {
  readonly input: number;
  readonly output: number;
}

/** The most bytes that a batch entry may take beside the texts it echoes: its frame, one bank fragment, reason and checks. */
export const maxEntryBytes = 3_328;

/** Room of a small slot: inputs beyond it go into a large one; 50 search results fit the answer. */
export const smallRoom: SlotRoom = { input: 1_024, output: 48 * 1_024 };

/**
 * Room of a large slot.
 *
 * The answer echoes at most the body twice (a character never grows) and adds at most `maxEntryBytes` an
 * entry, and suggestions where they are asked for.
 */
export const largeRoom: SlotRoom = {
  input: maxBodyBytes,
  output: 2 * maxBodyBytes + maxBatchIbans * maxEntryBytes + maxSuggestionBytes + 1_024,
};
