import { batchPieces } from "../answers/batch-answer.ts";
import { ibanDataPieces } from "../answers/iban-data.ts";
import { rulesThatWaive } from "../banking/germany/iban-rules/waived.ts";
import { CharClass } from "../banking/iban/bban.ts";
import { checkIban } from "../banking/iban/check.ts";
import {
  type IbanCountry,
  ibanCountries,
  ibanCountryByCode,
  ibanCountryOf,
} from "../banking/iban/registry.ts";
import { ibanRemainder } from "../banking/mod97.ts";
import { IbanOutcome } from "../banking/status.ts";
import { MAX_FRAGMENT_BYTES } from "../banks/fragment.ts";
import { CODE_BYTES } from "../banks/layout.ts";
import * as layout from "./layout.ts";
import { layMethods } from "./method-table.ts";
import { TableBlock } from "./table-block.ts";

const LETTERS = 26;
const LETTER_A = 65;
const germany = ibanCountryByCode("DE");

/**
 * Lays out everything constant the kernel reads: countries, pieces of answers, check-digit methods.
 *
 * The bytes may be copied to any multiple of 16 in the shared memory; offsets in them count from their first byte.
 */
export function kernelTables(): Uint8Array {
  const block = new TableBlock();
  const header = block.reserve(layout.HEADER_BYTES);
  const pieces = new PieceWriter(block);
  block.u32(header + layout.HEADER_COUNTRY_BY_PAIR, block.bytes(countryByPair()));
  block.u32(header + layout.HEADER_COUNTRIES, layCountries(block, pieces));
  block.u32(header + layout.HEADER_PIECES, layFixedPieces(block, pieces));
  const methods = layMethods(block);
  block.u32(header + layout.HEADER_METHOD_ENTRIES, methods.entries);
  block.u32(header + layout.HEADER_METHOD_NODES, methods.nodes);
  block.u32(header + layout.HEADER_WAIVING_RULES, layWaivingRules(block));
  block.u32(header + layout.HEADER_ENTRY_ROOM, 4 * pieces.longest + MAX_FRAGMENT_BYTES + 256);
  return block.finished();
}

/** Writes pieces into the tables; equal ones are not joined, there are few. */
class PieceWriter {
  readonly #block: TableBlock;
  /** Bytes of the longest piece. */
  longest = 0;

  constructor(block: TableBlock) {
    this.#block = block;
  }

  /** Writes parts as one piece and gives its offset. */
  write(...parts: readonly Uint8Array[]): number {
    const text = Buffer.concat(parts);
    const offset = this.#block.reserve(4 + text.length);
    this.#block.u32(offset, text.length);
    for (const [index, byte] of text.entries()) this.#block.u8(offset + 4 + index, byte);
    this.longest = Math.max(this.longest, text.length);
    return offset;
  }
}

function countryByPair(): Uint8Array {
  const sample = new Uint8Array(layout.SHORTEST_IBAN);
  return Uint8Array.from({ length: LETTERS * LETTERS }, (_, pair) => {
    sample[0] = LETTER_A + Math.floor(pair / LETTERS);
    sample[1] = LETTER_A + (pair % LETTERS);
    const country = ibanCountryOf(sample[0], sample[1]);
    return country?.index ?? layout.UNREGISTERED + checkIban(sample, 0, sample.length);
  });
}

function layCountries(block: TableBlock, pieces: PieceWriter): number {
  const countries = block.reserve(ibanCountries.length * layout.COUNTRY_BYTES);
  for (const country of ibanCountries) {
    const at = countries + country.index * layout.COUNTRY_BYTES;
    writeForm(block, at, country);
    writeBankSpans(block, at, country);
    const { quote, countryOnly, unknownBank, unknownBankOfInvalid } = ibanDataPieces;
    const end = batchPieces.entryTail;
    block.u32(at + layout.COUNTRY_ONLY, pieces.write(quote, countryOnly[country.index]!, end));
    block.u32(at + layout.COUNTRY_UNKNOWN_BANK, pieces.write(unknownBank[country.index]!, end));
    block.u32(
      at + layout.COUNTRY_UNKNOWN_BANK_INVALID,
      pieces.write(unknownBankOfInvalid[country.index]!, end),
    );
  }
  return countries;
}

function writeForm(block: TableBlock, at: number, country: IbanCountry): void {
  const { classes, code } = country;
  const placesOf = (characterClass: number, others: bigint) =>
    classes.reduce(
      (places, found, index) => (found === characterClass ? places | (1n << BigInt(index + 4)) : places),
      others,
    );
  block.u64(at + layout.COUNTRY_DIGITS, placesOf(CharClass.n, 0b1100n));
  block.u64(at + layout.COUNTRY_LETTERS, placesOf(CharClass.a, 0b0011n));
  block.u8(at + layout.COUNTRY_IBAN_LENGTH, country.ibanLength);
  block.u8(at + layout.COUNTRY_INDEX, country.index);
  const prefix = Buffer.from(`${code}00`);
  block.u8(at + layout.COUNTRY_PREFIX, ibanRemainder(prefix, 0, prefix.length));
  block.u8(
    at + layout.COUNTRY_FLAGS,
    (country === germany ? layout.COUNTRY_FLAG_GERMAN : 0) |
      (country.nationalCheck !== null && country.nationalCheckEnforced
        ? layout.COUNTRY_FLAG_NATIONAL_CHECK
        : 0),
  );
}

function writeBankSpans(block: TableBlock, at: number, { bank, branch }: IbanCountry): void {
  if (bank === null || bank.length > CODE_BYTES.bank) return;
  block.u8(at + layout.COUNTRY_BANK_START, 4 + bank.start);
  block.u8(at + layout.COUNTRY_BANK_LENGTH, bank.length);
  const bankMask = byteMask(bank.length);
  block.u64(at + layout.COUNTRY_BANK_MASK, BigInt.asUintN(64, bankMask));
  block.u16(at + layout.COUNTRY_BANK_TAIL_MASK, Number(bankMask >> 64n));
  if (branch === null || branch.length > CODE_BYTES.branch) return;
  block.u8(at + layout.COUNTRY_BRANCH_START, 4 + branch.start);
  block.u64(at + layout.COUNTRY_BRANCH_MASK, byteMask(branch.length));
}

function byteMask(length: number): bigint {
  return (1n << BigInt(8 * length)) - 1n;
}

function layFixedPieces(block: TableBlock, pieces: PieceWriter): number {
  const batch = batchPieces;
  const data = ibanDataPieces;
  const fixed: Record<number, number> = {
    [layout.PIECE_BATCH_HEAD]: pieces.write(batch.head),
    [layout.PIECE_RESULTS]: pieces.write(batch.results),
    [layout.PIECE_FIRST_ENTRY]: pieces.write(batch.entryHead),
    [layout.PIECE_NEXT_ENTRY]: pieces.write(batch.comma, batch.entryHead),
    [layout.PIECE_NOT_AN_IBAN]: pieces.write(
      batch.entryMiddle[IbanOutcome.not_an_iban]!,
      data.noIban,
      batch.errorTail,
    ),
    [layout.PIECE_UNREGISTERED_COUNTRY]: pieces.write(data.quote, data.noCountry, batch.entryTail),
    [layout.PIECE_KONTONUMMER]: pieces.write(data.quote, data.kontonummer),
    [layout.PIECE_BLZ]: pieces.write(data.blz),
    [layout.PIECE_BATCH_TAIL]: pieces.write(batch.tail),
  };
  const byOutcome = batch.entryMiddle.map((middle) => pieces.write(middle, data.iban));
  const offsets = [...Object.values(fixed), ...byOutcome];
  const table = block.reserve(offsets.length * 4);
  for (const [index, offset] of offsets.entries()) block.u32(table + index * 4, offset);
  return table;
}

function layWaivingRules(block: TableBlock): number {
  const table = block.reserve(8);
  let bits = 0n;
  for (const rule of rulesThatWaive) {
    if (Number(rule) >= 64) throw new RangeError(`the kernel has no bit for IBAN rule ${rule}`);
    bits |= 1n << BigInt(Number(rule));
  }
  block.u64(table, bits);
  return table;
}
