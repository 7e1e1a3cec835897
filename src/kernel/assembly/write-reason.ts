import {
  COUNTRY_FLAG_BANK_CODES,
  COUNTRY_FLAG_MAY_WARN,
  COUNTRY_FLAGS,
  COUNTRY_INDEX,
  PIECE_AFTER_SUCCESSOR,
  PIECE_MARKED_INVALID,
  PIECE_MARKED_VALID,
  PIECE_REASONS,
  PIECE_SUCCEEDED_INVALID,
  PIECE_SUCCEEDED_VALID,
  PIECE_WARNINGS,
  WARN_BANK_CODE,
} from "../layout";
import { FLAG_DELETION_MARKED, OUTCOME_VALID, RECORD_FLAGS, RECORD_SUCCESSOR } from "../restated";
import { copy, fixedPiece, putPiece } from "./answer";
import { warningOfCountry } from "./host";
import { directory } from "./place";

/** Writes why a number is not valid, or what is worth a warning, and closes `data` and the entry. */
export function writeReason(to: usize, iban: usize, country: usize, bank: usize, outcome: i32): usize {
  if (bank !== 0 && (load<u8>(bank, RECORD_FLAGS) & FLAG_DELETION_MARKED) !== 0) {
    return writeDeletion(to, bank, outcome === OUTCOME_VALID);
  }
  const piece = outcome === OUTCOME_VALID ? warningOf(iban, country, bank) : PIECE_REASONS + outcome;
  return putPiece(to, fixedPiece(piece));
}

function warningOf(iban: usize, country: usize, bank: usize): i32 {
  const flags = load<u8>(country, COUNTRY_FLAGS);
  if (bank === 0 && (flags & COUNTRY_FLAG_BANK_CODES) !== 0) return PIECE_WARNINGS + WARN_BANK_CODE;
  const warning =
    (flags & COUNTRY_FLAG_MAY_WARN) !== 0 ? warningOfCountry(load<u8>(country, COUNTRY_INDEX), iban) : -1;
  return warning < 0 ? PIECE_REASONS + OUTCOME_VALID : PIECE_WARNINGS + warning;
}

function writeDeletion(to: usize, bank: usize, isValid: bool): usize {
  const successor: usize = load<u32>(bank, RECORD_SUCCESSOR);
  if (successor === 0) return putPiece(to, fixedPiece(isValid ? PIECE_MARKED_VALID : PIECE_MARKED_INVALID));
  to = putPiece(to, fixedPiece(isValid ? PIECE_SUCCEEDED_VALID : PIECE_SUCCEEDED_INVALID));
  // A text follows its length in two bytes.
  const text = directory + successor;
  to = copy(to, text + 2, load<u16>(text));
  return putPiece(to, fixedPiece(PIECE_AFTER_SUCCESSOR));
}
