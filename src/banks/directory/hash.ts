/** Hashes a Bankleitzahl to 32 bits, of which the upper ones choose the slot. */
export function hashBlz(blz: number): number {
  return Math.imul(blz, 0x9e3779b1);
}

/**
 * Hashes a bank key to a signed 32-bit number, of which the upper bits choose the slot.
 *
 * The words are the sixteen bytes of a record's bank and branch code, read as four little-endian i32.
 */
export function hashBankKey(country: number, w0: number, w1: number, w2: number, w3: number): number {
  // The country is spread over all bits first: it would otherwise cancel out against the code's first letter.
  let hash = Math.imul(w0 ^ Math.imul(country + 1, 0x9e3779b1), 0x165667b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ w1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ w2, 0xc2b2ae35);
  return Math.imul(hash ^ (hash >>> 16) ^ w3, 0x27d4eb2f);
}

/** Packs up to four bytes into a little-endian i32, missing ones as zero; a count below 1 gives 0. */
export function packBytes(bytes: Uint8Array, start: number, count: number): number {
  let word = 0;
  for (let at = 0; at < count && at < 4; at++) word |= bytes[start + at]! << (at << 3);
  return word;
}

/** Returns how far a 32-bit hash is shifted right to become a slot of a table with `slots` slots (a power of two, 2 or more). */
export function slotShift(slots: number): number {
  return Math.clz32(slots) + 1;
}

/** Returns the number of slots for so many keys: a power of two, at least twice the keys and never below 2. */
export function slotsFor(keys: number): number {
  let slots = 2;
  while (slots < keys * 2) slots *= 2;
  return slots;
}
