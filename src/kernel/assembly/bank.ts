import {
  COUNTRY_BANK_LENGTH,
  COUNTRY_BANK_MASK,
  COUNTRY_BANK_START,
  COUNTRY_BANK_TAIL_MASK,
  COUNTRY_BRANCH_MASK,
  COUNTRY_BRANCH_START,
  COUNTRY_INDEX,
  DIRECTORY_RECORD_BYTES,
  DIRECTORY_SLOT_BYTES,
  RECORD_COUNTRY,
} from "../layout";
import { bankMask, bankShift, bankTable, blzMask, blzShift, blzTable, hasBranches, records } from "./place";

/** Address of the main record of a Bankleitzahl, 0 where there is none. The table is that of `banks/layout.ts`. */
export function findByBlz(blz: u32): usize {
  let slot = (blz * 0x9e37_79b1) >> blzShift;
  let at = blzTable + slot * DIRECTORY_SLOT_BYTES;
  let key = load<u32>(at);
  while (key !== blz && key !== 0) {
    slot = (slot + 1) & blzMask;
    at = blzTable + slot * DIRECTORY_SLOT_BYTES;
    key = load<u32>(at);
  }
  const entry = load<u32>(at, 4);
  return entry === 0 ? 0 : records + (entry - 1) * DIRECTORY_RECORD_BYTES;
}

/** Address of the record of an IBAN's branch, or else of its bank; 0 where there is neither. */
export function findBank(iban: usize, country: usize): usize {
  if (load<u8>(country, COUNTRY_BANK_LENGTH) === 0) return 0;
  const bank = iban + load<u8>(country, COUNTRY_BANK_START);
  const head = load<u64>(bank) & load<u64>(country, COUNTRY_BANK_MASK);
  const tail = <u64>(load<u16>(bank, 8) & load<u16>(country, COUNTRY_BANK_TAIL_MASK));
  const index = load<u8>(country, COUNTRY_INDEX);
  const branchMask = load<u64>(country, COUNTRY_BRANCH_MASK);
  if (hasBranches && branchMask !== 0) {
    const branch = load<u64>(iban + load<u8>(country, COUNTRY_BRANCH_START)) & branchMask;
    const record = find(index, head, tail | (branch << 16));
    if (record !== 0) return record;
  }
  return find(index, head, tail);
}

/** Takes the sixteen bytes of a record's bank and branch code; the hash is that of `banks/keys.ts`. */
function find(country: u32, codeHead: u64, codeTail: u64): usize {
  let hash = (<u32>codeHead ^ ((country + 1) * 0x9e37_79b1)) * 0x1656_67b1;
  hash = (hash ^ (hash >> 15) ^ <u32>(codeHead >> 32)) * 0x85eb_ca6b;
  hash = (hash ^ (hash >> 13) ^ <u32>codeTail) * 0xc2b2_ae35;
  hash = (hash ^ (hash >> 16) ^ <u32>(codeTail >> 32)) * 0x27d4_eb2f;
  let slot = hash >> bankShift;
  let at = bankTable + slot * DIRECTORY_SLOT_BYTES;
  let entry = load<u32>(at, 4);
  while (entry !== 0) {
    if (load<u32>(at) === hash) {
      const record = records + (entry - 1) * DIRECTORY_RECORD_BYTES;
      if (
        load<u64>(record) === codeHead &&
        load<u64>(record, 8) === codeTail &&
        load<u8>(record, RECORD_COUNTRY) === country
      ) {
        return record;
      }
    }
    slot = (slot + 1) & bankMask;
    at = bankTable + slot * DIRECTORY_SLOT_BYTES;
    entry = load<u32>(at, 4);
  }
  return 0;
}
