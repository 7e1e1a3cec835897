import * as layout from "../table-layout";
import * as shared from "./shared-constants";

/*
 * Entries are worked on in blocks, one step for all of a block before the next step: WebAssembly has no instruction to
 * fetch memory ahead, and look-ups that wait for each other would take as long as all other work. The steps leave what
 * they find in the block, ENTRY_BYTES per entry, which is at the end of the room for the answer.
 */

/** Maximum number of entries of a block: few enough that what is fetched ahead for them stays in the nearest cache. */
export const BLOCK_ENTRIES: i32 = 16;
/** Bytes of an entry in a block. */
const ENTRY_BYTES: i32 = 96;
/** Bytes of a block. */
export const BLOCK_BYTES: i32 = 16 * 96;

/** What is known of one string of a batch, or line of a text. */
@unmanaged
export class Entry {
  /** Address of the string in normal form, or as it was sent with `asSent`. */
  text: usize;
  /** Length of the string in normal form, or as it was sent where it is left to the reference. */
  length: u32;
  /** Number of the outcome in `ibanOutcomes`, as far as it is known; the first field of its verdict once it is judged. */
  outcome: u32;
  /** Address of the country, 0 if it is not registered or the string is not an IBAN. */
  country: usize;
  /** Address of the bank's record, 0 if it is unknown or is not looked for. */
  bank: usize;
  /** The string is not kept in normal form, since it is longer than any IBAN or left to the reference. */
  asSent: bool;
  /** Never read: it is written so that the memory its value comes from is fetched ahead. */
  fetched: u32;
  /** Chooses the cell of the bank table where the search for the bank begins; 0 if it is not looked for. */
  bankHash: u32;

  /** Room for a string that was not sent in normal form. */
  get normalised(): usize {
    return changetype<usize>(this) + 32;
  }

  /** Notes what is known of a string in normal form before its bank is looked for. */
  note(text: usize, length: u32, outcome: u32, country: usize): void {
    this.text = text;
    this.length = length;
    this.outcome = outcome;
    this.country = country;
    this.bank = 0;
    this.asSent = false;
  }
}

/** Maximum number of characters of a string that was not sent in normal form. */
export const MAX_NORMALISED: i32 = 48;

/** An entry of a block. */
export function entryAt(block: usize, index: i32): Entry {
  return changetype<Entry>(block + index * ENTRY_BYTES);
}

/*
 * Addresses of the sections, set once by `open`, and an option of the next verdicts. Globals belong
 * to one instance, so each thread has its own; the memory they point into is shared and never written to.
 */
export let tables: usize = 0;
export let countryByPair: usize = 0;
export let countries: usize = 0;
export let hasWarnings: bool = false;
export let methodEntries: usize = 0;
export let methodNodes: usize = 0;
export let waivingRules: u64 = 0;
export let directory: usize = 0;
export let hasBranches: bool = false;
export let bankTable: usize = 0;
export let bankMask: u32 = 0;
export let bankShift: u32 = 0;
export let tallies: usize = 0;
export let cells: usize = 0;

/** Chooses whether the next verdicts have the warnings of valid numbers. */
export function reportWarnings(isOn: bool): void {
  hasWarnings = isOn;
}

/**
 * Takes the addresses of the kernel's tables, of the bank directory and of the room for the thread's templates, and the
 * numbers of the directory's records, of the cells of its bank table and of its branches.
 */
export function open(
  tablesAt: usize,
  directoryAt: usize,
  recordCount: u32,
  bankCells: u32,
  branchCount: u32,
  room: usize,
): void {
  tables = tablesAt;
  countryByPair = tablesAt + load<u32>(tablesAt, layout.HEADER_COUNTRY_BY_PAIR);
  countries = tablesAt + load<u32>(tablesAt, layout.HEADER_COUNTRIES);
  methodEntries = tablesAt + load<u32>(tablesAt, layout.HEADER_METHOD_ENTRIES);
  methodNodes = tablesAt + load<u32>(tablesAt, layout.HEADER_METHOD_NODES);
  waivingRules = load<u64>(tablesAt, layout.HEADER_WAIVING_RULES);
  directory = directoryAt;
  hasBranches = branchCount !== 0;
  bankTable = directoryAt + (recordCount + 1) * shared.RECORD_BYTES;
  bankMask = bankCells - 1;
  bankShift = clz<u32>(bankMask);
  tallies = room + layout.TALLIES_AT;
  cells = room + layout.CELLS_AT;
}
