import * as layout from "../table-layout";
import { bankMask, bankShift, bankTable, directory, entryAt, hasBranches } from "./place";
import * as shared from "./shared-constants";

/** Finds the banks of the well-formed IBANs of a block and fetches their records ahead. */
export function findBanks(block: usize, entries: i32): void {
  for (let index = 0; index < entries; index++) {
    const entry = entryAt(block, index);
    if (entry.outcome !== shared.OUTCOME_VALID) continue;
    const record = findByBankCode(entry.text, entry.country);
    entry.bank = record;
    if (record !== 0) entry.fetched = load<u32>(record, shared.RECORD_FRAGMENT);
  }
}

/** Fetches the beginnings of the fragments of a block's banks ahead. */
export function fetchFragments(block: usize, entries: i32): void {
  for (let index = 0; index < entries; index++) {
    const entry = entryAt(block, index);
    const record = entry.bank;
    if (record === 0) continue;
    const fragment = directory + load<u32>(record, shared.RECORD_FRAGMENT);
    entry.fetched = load<u32>(fragment) + load<u32>(fragment, 64) + load<u32>(fragment, 128);
  }
}

/** The branch code where it is in the other eight bytes, 0 if it is not looked for. */
function branchPart(iban: usize, country: usize): u64 {
  if (!hasBranches) return 0;
  const branch = load<u64>(iban + load<u8>(country, layout.COUNTRY_BRANCH_START));
  return (branch & load<u64>(country, layout.COUNTRY_BRANCH_MASK)) << 16;
}

/** Address of the record of an IBAN's branch, or else of its bank; 0 if there is neither. */
function findByBankCode(iban: usize, country: usize): usize {
  // A record has sixteen bytes for bank and branch code.
  const code = iban + load<u8>(country, layout.COUNTRY_BANK_START);
  const head = load<u64>(code) & load<u64>(country, layout.COUNTRY_BANK_MASK);
  const tail = <u64>(load<u16>(code, 8) & load<u16>(country, layout.COUNTRY_BANK_TAIL_MASK));
  const index = load<u8>(country, layout.COUNTRY_INDEX);
  const branch = branchPart(iban, country);
  if (branch !== 0) {
    const record = find(index, head, tail | branch);
    if (record !== 0) return record;
  }
  return find(index, head, tail);
}

/** The hash of `banks/directory/directory-layout.ts`. */
function hashOf(country: u32, head: u64, tail: u64): u32 {
  let hash = (<u32>head ^ ((country + 1) * 0x9e37_79b1)) * 0x1656_67b1;
  hash = (hash ^ (hash >> 15) ^ <u32>(head >> 32)) * 0x85eb_ca6b;
  hash = (hash ^ (hash >> 13) ^ <u32>tail) * 0xc2b2_ae35;
  return (hash ^ (hash >> 16) ^ <u32>(tail >> 32)) * 0x27d4_eb2f;
}

function find(country: u32, head: u64, tail: u64): usize {
  let cell = hashOf(country, head, tail) >> bankShift;
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
