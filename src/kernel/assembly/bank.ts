import * as layout from "../table-layout";
import { bankMask, bankShift, bankTable, directory, Entry, entryAt, hasBranches } from "./place";
import * as shared from "./shared-constants";

/** Finds the banks of the well-formed IBANs of a block. The records are fetched ahead, before one is compared. */
export function findBanks(block: usize, entries: i32): void {
  for (let index = 0; index < entries; index++) {
    const entry = entryAt(block, index);
    entry.bankHash =
      entry.outcome === shared.OUTCOME_VALID
        ? hashOf(countryIndex(entry), codeHead(entry), codeTail(entry))
        : 0;
  }
  for (let index = 0; index < entries; index++) {
    const entry = entryAt(block, index);
    entry.fetched = load<u32>(
      directory + load<u32>(bankTable + (entry.bankHash >> bankShift) * shared.CELL_BYTES),
    );
  }
  for (let index = 0; index < entries; index++) {
    const entry = entryAt(block, index);
    if (entry.outcome === shared.OUTCOME_VALID) entry.bank = findBank(entry);
  }
}

/** Fetches the fragments of a block's banks ahead; few have more than three lines of the cache. */
export function fetchFragments(block: usize, entries: i32): void {
  for (let index = 0; index < entries; index++) {
    const entry = entryAt(block, index);
    const record = entry.bank;
    if (record === 0) continue;
    const fragment = directory + load<u32>(record, shared.RECORD_FRAGMENT);
    const end = fragment + load<u16>(record, shared.RECORD_FRAGMENT_BYTES);
    entry.fetched = load<u32>(fragment) + load<u32>(fragment, 64) + load<u32>(end - 4);
  }
}

function countryIndex(entry: Entry): u32 {
  return load<u8>(entry.country, layout.COUNTRY_INDEX);
}

/** The first eight of the sixteen bytes that a record has for bank and branch code. */
function codeHead(entry: Entry): u64 {
  const country = entry.country;
  return (
    load<u64>(entry.text + load<u8>(country, layout.COUNTRY_BANK_START)) &
    load<u64>(country, layout.COUNTRY_BANK_MASK)
  );
}

/** The other eight bytes without the branch code. */
function codeTail(entry: Entry): u64 {
  const country = entry.country;
  const tail = load<u16>(entry.text + load<u8>(country, layout.COUNTRY_BANK_START), 8);
  return <u64>(tail & load<u16>(country, layout.COUNTRY_BANK_TAIL_MASK));
}

/** The branch code where it is in the other eight bytes, 0 if it is not looked for. */
function branchPart(entry: Entry): u64 {
  if (!hasBranches) return 0;
  const country = entry.country;
  const branch = load<u64>(entry.text + load<u8>(country, layout.COUNTRY_BRANCH_START));
  return (branch & load<u64>(country, layout.COUNTRY_BRANCH_MASK)) << 16;
}

/** Address of the record of an IBAN's branch, or else of its bank; 0 if there is neither. */
function findBank(entry: Entry): usize {
  const country = countryIndex(entry);
  const head = codeHead(entry);
  const tail = codeTail(entry);
  const branch = branchPart(entry);
  if (branch !== 0) {
    const record = find(hashOf(country, head, tail | branch), country, head, tail | branch);
    if (record !== 0) return record;
  }
  return find(entry.bankHash, country, head, tail);
}

/** The hash of `banks/directory/directory-layout.ts`. */
function hashOf(country: u32, head: u64, tail: u64): u32 {
  let hash = (<u32>head ^ ((country + 1) * 0x9e37_79b1)) * 0x1656_67b1;
  hash = (hash ^ (hash >> 15) ^ <u32>(head >> 32)) * 0x85eb_ca6b;
  hash = (hash ^ (hash >> 13) ^ <u32>tail) * 0xc2b2_ae35;
  return (hash ^ (hash >> 16) ^ <u32>(tail >> 32)) * 0x27d4_eb2f;
}

function find(hash: u32, country: u32, head: u64, tail: u64): usize {
  let cell = hash >> bankShift;
  let record: usize = load<u32>(bankTable + cell * shared.CELL_BYTES);
  while (record !== 0) {
    record += directory;
    if (
      load<u64>(record) === head &&
      load<u64>(record, 8) === tail &&
      load<u8>(record, shared.RECORD_COUNTRY) === country
    ) {
      return record;
    }
    cell = (cell + 1) & bankMask;
    record = load<u32>(bankTable + cell * shared.CELL_BYTES);
  }
  return 0;
}
