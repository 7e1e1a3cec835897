import type { BankOrigin, DirectoryEdition, OtherBics } from "./record.ts";

/*
 * The bytes of a directory are one block of memory. Every offset in it counts from the block's first byte, so the block may
 * be copied to any place, also into the memory of a WebAssembly module. All numbers are little-endian. The sections come in
 * the order given here; records and table keep their numbers aligned where the block itself is.
 *
 *   records       64 bytes each, `record`, after as many zeros, so that no offset is 0; German ones first by Bankleitzahl, a
 *                 main record before its further locations, then the other countries by country index, bank code and
 *                 branch code
 *   bank table    4 bytes a cell: u32 offset of a main record; 0 in an empty cell
 *   fragments     UTF-8 JSON, not terminated; one after the other in the order of the records
 *   texts         u16 length in bytes, then UTF-8; each text once; a reference is the offset of the length
 *
 * The table is searched from cell `hash >>> (32 − log2 cells)` upwards and around, until the record of the key or an empty
 * cell. It holds no hashes: more of it stays in the cache, which saves more than the records compared in vain cost.
 */

export const RECORD_BYTES = 64;
export const CELL_BYTES = 4;

/** A directory as `buildDirectory` makes it. */
export interface DirectoryParts {
  readonly bytes: Uint8Array;
  readonly recordCount: number;
  readonly germanCount: number;
  readonly blzCount: number;
  /** How many records carry a branch code; 0 spares the reader the branch look-up. */
  readonly branchCount: number;
  /** Cells of the bank table, a power of two, at least twice the keys. */
  readonly bankCells: number;
  /** Indexes of the records that have a BIC, by their BIC of 11 characters. */
  readonly bics: Uint32Array;
  readonly edition: DirectoryEdition;
  /** By country and bank code, `BE 679`. */
  readonly otherBics: Readonly<Record<string, OtherBics>>;
  /** By `record.answerClass`; some are there more than once. */
  readonly origins: readonly BankOrigin[];
}

/** Returns the offset of a record; of the bank table, for the number of records. */
export function recordPlace(index: number): number {
  return (index + 1) * RECORD_BYTES;
}

/** Offsets of a record's fields, with their types. Text references (u32) are 0 if the value is null. */
export const record = {
  /** 10 bytes ASCII, zero-padded. Together with the branch code read as four i32 words. */
  bankCode: 0,
  /** 6 bytes ASCII, zero-padded; all zero for none. */
  branchCode: 10,
  bic: 16,
  name: 20,
  shortName: 24,
  zip: 28,
  location: 32,
  method: 36,
  rule: 40,
  successor: 44,
  /** u32 offset of the fragment's JSON; 0 for further locations. */
  fragment: 48,
  /** u16 bytes of the fragment. */
  fragmentBytes: 52,
  /** u16: banks of the same number differ in nothing but the fragment for those who read an answer. */
  answerClass: 54,
  /** u8 indexes into `sepaSources` and `ruleSources`. */
  sepaSource: 56,
  ruleSource: 57,
  /** u8 offset of the ten account digits inside the fragment; 0 where there are none. */
  kontonummer: 59,
  /** u8 index into the check-digit methods; NO_METHOD also for one this build does not know. */
  methodIndex: 60,
  /** u8 index of the IBAN country. The kernel reads it, the one before and the two after as one word. */
  country: 61,
  /** u8: a bit each for SCT, SDD, B2B and SCC, from the lowest on. */
  sepa: 62,
  /** u8, bits of `recordFlag`. */
  flags: 63,
} as const;

/** Longest bank code and branch code a record has room for, in bytes (the registry's longest are 9 and 6). */
export const CODE_BYTES = { bank: 10, branch: 6 } as const;

/** Value of `record.methodIndex` where there is none. */
export const NO_METHOD = 255;

/** Bits of `record.flags`. */
export const recordFlag = { main: 1, deletionKnown: 2, deletionMarked: 4, removed: 8 } as const;

/**
 * Hashes a bank key to a signed 32-bit number, of which the upper bits choose the cell.
 *
 * @param codes the sixteen bytes of a record's bank and branch code as four words.
 */
export function hashBankKey(country: number, codes: Int32Array): number {
  // The country is spread over all bits first: it would otherwise cancel out against the code's first letter.
  let hash = Math.imul(codes[0]! ^ Math.imul(country + 1, 0x9e3779b1), 0x165667b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ codes[1]!, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ codes[2]!, 0xc2b2ae35);
  return Math.imul(hash ^ (hash >>> 16) ^ codes[3]!, 0x27d4eb2f);
}

/** Returns how far a 32-bit hash is shifted right to become a cell of a table with `cells` cells (a power of two, 2 or more). */
export function cellShift(cells: number): number {
  return Math.clz32(cells) + 1;
}

/** Returns the number of cells for a number of keys: a power of two, at least twice the keys and never below 2. */
export function cellsFor(keys: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, keys * 2)));
}

/** Enters a record that is already written into the bank table, under its country, bank code and branch code. */
export function enterBank(view: DataView, table: number, cells: number, at: number): void {
  const codes = new Int32Array(view.buffer, view.byteOffset + at, 4);
  const hash = hashBankKey(view.getUint8(at + record.country), codes);
  let cell = hash >>> cellShift(cells);
  while (view.getUint32(table + cell * CELL_BYTES, true) !== 0) cell = (cell + 1) & (cells - 1);
  view.setUint32(table + cell * CELL_BYTES, at, true);
}
