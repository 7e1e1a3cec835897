import { record as field, RECORD_BYTES, SLOT_BYTES } from "./directory-layout.ts";
import { hashBankKey, hashBlz, slotShift } from "./hash.ts";

/** Says where a hash table and the records it leads to stand, as byte offsets from the directory's first byte. */
export interface TablePlace {
  readonly table: number;
  /** A power of two, more than there are keys. */
  readonly slots: number;
  readonly records: number;
}

/** Enters a Bankleitzahl and its record index into the BLZ table; the Bankleitzahl must not be there yet. */
export function enterBlz(view: DataView, place: TablePlace, blz: number, recordIndex: number): void {
  enter(view, place, hashBlz(blz), blz, recordIndex);
}

/** Enters a record that is already written into the bank table, under its country, bank code and branch code. */
export function enterBank(view: DataView, place: TablePlace, recordIndex: number): void {
  const at = place.records + recordIndex * RECORD_BYTES;
  const hash = hashBankKey(
    view.getUint8(at + field.country),
    view.getInt32(at, true),
    view.getInt32(at + 4, true),
    view.getInt32(at + 8, true),
    view.getInt32(at + 12, true),
  );
  enter(view, place, hash, hash, recordIndex);
}

function enter(view: DataView, place: TablePlace, hash: number, mark: number, recordIndex: number): void {
  let slot = hash >>> slotShift(place.slots);
  while (view.getUint32(place.table + slot * SLOT_BYTES + 4, true) !== 0)
    slot = (slot + 1) & (place.slots - 1);
  const at = place.table + slot * SLOT_BYTES;
  view.setInt32(at, mark, true);
  view.setUint32(at + 4, recordIndex + 1, true);
}
