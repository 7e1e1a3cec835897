import * as layout from "../table-layout";
import { cells, directory } from "./place";
import * as shared from "./shared-constants";

/** Address of the cell of a template, or of the free one where it belongs. At least one cell is free. */
export function cellOf(what: u32, bank: u32): usize {
  const key = <u64>what | ((<u64>bank) << 32);
  let cell = <u32>(((key ^ (key >> 29)) * 0x9e37_79b9_7f4a_7c15) >> 48);
  let at = cells + <usize>cell * layout.CELL_BYTES;
  let found = load<u64>(at);
  while (found !== key && found !== 0) {
    cell = (cell + 1) & <u32>(layout.CELLS - 1);
    at = cells + <usize>cell * layout.CELL_BYTES;
    found = load<u64>(at);
  }
  return at;
}

/*
 * Texts are copied in words of 16 bytes, so that up to FILL_SLACK bytes beyond the end of an answer are written; what
 * follows overwrites them. Most texts are shorter than what is copied without a look at their length.
 */

/**
 * Writes a template with a number in its places, and where it is cut the fragment of a bank; returns the address after it.
 *
 * `bank` is the address of a record, or 0 for a template that is not cut.
 */
export function putTemplate(at: usize, template: usize, number: usize, length: u32, bank: usize): usize {
  const head: usize = load<u16>(template, layout.TEMPLATE_HEAD_BYTES);
  const text = template + layout.TEMPLATE_TEXT;
  put64(at, text);
  put32(at + 64, text + 64);
  v128.store(at, v128.load(text, 96), 96);
  if (head > 112) putText(at + 112, text + 112, head - 112);
  putWhole(
    at + load<u16>(template, layout.TEMPLATE_WHOLE),
    at + load<u16>(template, layout.TEMPLATE_WHOLE_AGAIN),
    number,
    length,
  );
  const places: usize = load<u16>(template, layout.TEMPLATE_PLACES);
  if (places !== 0) putParts(at, text + load<u16>(template, layout.TEMPLATE_BYTES), places, number);
  at += head;
  if (bank === 0) return at;
  at = putFragment(at, bank, number);
  const tail = text + head;
  put80(at, tail);
  const rest: usize = load<u16>(template, layout.TEMPLATE_BYTES) - head;
  if (rest > 80) putText(at + 80, tail + 80, rest - 80);
  return at + rest;
}

function put32(at: usize, from: usize): void {
  v128.store(at, v128.load(from));
  v128.store(at, v128.load(from, 16), 16);
}

function put64(at: usize, from: usize): void {
  put32(at, from);
  put32(at + 32, from + 32);
}

function put80(at: usize, from: usize): void {
  put64(at, from);
  v128.store(at, v128.load(from, 64), 64);
}

/** Writes the whole number at two places, which are the same or beyond the text where there is one or none. */
function putWhole(at: usize, again: usize, number: usize, length: u32): void {
  if (length - 16 <= 16) {
    const first = v128.load(number);
    const last = v128.load(number + length - 16);
    v128.store(at, first);
    v128.store(at + length - 16, last);
    v128.store(again, first);
    v128.store(again + length - 16, last);
  } else {
    putPart(at, number, length);
    putPart(again, number, length);
  }
}

/** Writes the parts of a number that `places` say, which are at `place`. */
function putParts(at: usize, place: usize, places: usize, number: usize): void {
  const end = place + places * layout.PLACE_BYTES;
  for (; place < end; place += layout.PLACE_BYTES) {
    putPart(at + load<u16>(place), number + load<u16>(place, 2), load<u16>(place, 4));
  }
}

/** Copies part of a number exactly, since text of the template follows: in two words that may overlap. */
function putPart(at: usize, from: usize, length: usize): void {
  const end = at + length;
  const last = from + length;
  if (length >= 16) {
    for (; at + 16 < end; at += 16, from += 16) v128.store(at, v128.load(from));
    v128.store(end - 16, v128.load(last - 16));
  } else if (length >= 8) {
    const head = load<u64>(from);
    store<u64>(end - 8, load<u64>(last - 8));
    store<u64>(at, head);
  } else {
    for (; at < end; at++, from++) store<u8>(at, load<u8>(from));
  }
}

/** Writes the fragment of a bank with the kontonummer of a German IBAN. */
function putFragment(at: usize, bank: usize, iban: usize): usize {
  const fragment: usize = directory + load<u32>(bank, shared.RECORD_FRAGMENT);
  const length: usize = load<u16>(bank, shared.RECORD_FRAGMENT_BYTES);
  // Nearly all have 80 to 160 bytes. No byte beyond the last is read: it may be in a line that the cache lacks.
  if (length - 80 <= 80) {
    put80(at, fragment);
    put80(at + length - 80, fragment + length - 80);
  } else {
    putText(at, fragment, length);
  }
  const kontonummer: u32 = load<u8>(bank, shared.RECORD_KONTONUMMER);
  if (kontonummer !== 0) {
    store<u64>(at + kontonummer, load<u64>(iban, shared.GERMAN_KONTONUMMER));
    store<u16>(at + kontonummer, load<u16>(iban, shared.GERMAN_KONTONUMMER + 8), 8);
  }
  return at + length;
}

/** Copies a text in words of 16 bytes, the last of which may end beyond it. */
export function putText(at: usize, from: usize, length: usize): usize {
  for (let done: usize = 0; done < length; done += 16) v128.store(at + done, v128.load(from + done));
  return at + length;
}

export function putDigits(at: usize, number: u64): usize {
  let end = at + 1;
  for (let power: u64 = 10; power <= number; power *= 10) end++;
  let place = end;
  do {
    store<u8>(--place, 48 + <u8>(number % 10));
    number /= 10;
  } while (place > at);
  return end;
}
