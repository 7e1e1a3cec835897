/*
 * Entries are worked on in blocks, one step for all of a block before the next step: WebAssembly has no instruction to
 * fetch memory ahead, and look-ups that wait for each other would take as long as all other work. The steps leave what
 * they find in the block, ENTRY_BYTES per entry, which stands at the end of the room for the answer.
 */

/** The most entries of a block: few enough that what is fetched ahead for them stays in the nearest cache. */
export const BLOCK_ENTRIES: i32 = 16;
/** Bytes of an entry in a block. */
export const ENTRY_BYTES: i32 = 96;
/** Bytes of a block. */
export const BLOCK_BYTES: i32 = 16 * 96;

/** u32 address of the normalised IBAN, or of the string as it was sent where ENTRY_AS_SENT is not 0. */
export const ENTRY_TEXT: usize = 0;
/** u32 length of the string in normal form. */
export const ENTRY_LENGTH: usize = 4;
/** u32 number of the outcome in `ibanOutcomes`, as far as it is known. */
export const ENTRY_OUTCOME: usize = 8;
/** u32 address of the country, 0 where it is not registered; nothing where the string is no IBAN. */
export const ENTRY_COUNTRY: usize = 12;
/** u32 address of the bank's record, 0 where it is unknown or is not looked for. */
export const ENTRY_BANK: usize = 16;
/** u32: not 0 where the string is not kept in normal form, since it is no IBAN or longer than any. */
export const ENTRY_AS_SENT: usize = 20;
/** u32 that is never read: it is written so that the memory its value comes from is fetched ahead. */
export const ENTRY_FETCHED: usize = 24;
/** Room for an IBAN that was not sent in normal form. */
export const ENTRY_NORMALISED: usize = 32;
/** The most characters kept there. */
export const MOST_NORMALISED: i32 = 48;
