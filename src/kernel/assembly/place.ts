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
export const ENTRY_BYTES: i32 = 96;
/** Bytes of a block. */
export const BLOCK_BYTES: i32 = 16 * 96;

/** u32 address of the string in normal form, or as it was sent where ENTRY_AS_SENT is not 0. */
export const ENTRY_TEXT: usize = 0;
/** u32 length of the string in normal form, or as it was sent where it is left to the reference. */
export const ENTRY_LENGTH: usize = 4;
/** u32 number of the outcome in `ibanOutcomes`, as far as it is known; VERDICT_BLANK or LEFT_TO_REFERENCE. */
export const ENTRY_OUTCOME: usize = 8;
/** u32 address of the country, 0 if it is not registered or the string is not an IBAN. */
export const ENTRY_COUNTRY: usize = 12;
/** u32 address of the bank's record, 0 if it is unknown or is not looked for. */
export const ENTRY_BANK: usize = 16;
/** u32: not 0 if the string is not kept in normal form, since it is longer than any IBAN or left to the reference. */
export const ENTRY_AS_SENT: usize = 20;
/** u32 that is never read: it is written so that the memory its value comes from is fetched ahead. */
export const ENTRY_FETCHED: usize = 24;
/** Room for a string that was not sent in normal form. */
export const ENTRY_NORMALISED: usize = 32;
/** Maximum number of characters kept there. */
export const MAX_NORMALISED: i32 = 48;

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
export let records: usize = 0;
export let hasBranches: bool = false;
export let bankTable: usize = 0;
export let bankMask: u32 = 0;
export let bankShift: u32 = 0;

/** Chooses whether the next verdicts have the warnings of valid numbers. */
export function reportWarnings(isOn: bool): void {
  hasWarnings = isOn;
}

/** Takes the addresses of the kernel's tables and of the bank directory. */
export function open(tablesAt: usize, directoryAt: usize): void {
  tables = tablesAt;
  countryByPair = tablesAt + load<u32>(tablesAt, layout.HEADER_COUNTRY_BY_PAIR);
  countries = tablesAt + load<u32>(tablesAt, layout.HEADER_COUNTRIES);
  methodEntries = tablesAt + load<u32>(tablesAt, layout.HEADER_METHOD_ENTRIES);
  methodNodes = tablesAt + load<u32>(tablesAt, layout.HEADER_METHOD_NODES);
  waivingRules = load<u64>(tablesAt + load<u32>(tablesAt, layout.HEADER_WAIVING_RULES));
  directory = directoryAt;
  records = directoryAt + load<u32>(directoryAt, shared.DIRECTORY_RECORDS);
  hasBranches = load<u32>(directoryAt, shared.DIRECTORY_BRANCH_COUNT) !== 0;
  bankTable = directoryAt + load<u32>(directoryAt, shared.DIRECTORY_BANK_TABLE);
  bankMask = load<u32>(directoryAt, shared.DIRECTORY_BANK_CELLS) - 1;
  bankShift = clz<u32>(bankMask);
}
