import { CharClass } from "../banking/iban/bban.ts";
import { type IbanCountry, ibanCountries, ibanCountryByCode } from "../banking/iban/registry.ts";
import { remainder97 } from "../banking/mod97.ts";
import { CODE_BYTES } from "../banks/directory/directory-layout.ts";
import { outcomeOf } from "../checks/answer.ts";
import { mayReject, mayWarn } from "../checks/country-checks.ts";
import { checkForm } from "../checks/iban-form.ts";
import * as layout from "./layout.ts";
import { countryPieces, outcomeNames, type PieceWriter } from "./piece-table.ts";
import type { TableBlock } from "./tables.ts";

const LETTERS = 26;
const LETTER_A = 65;
const BBAN_START = 4;
/** Third and fourth character must be digits, first and second letters. */
const CHECK_DIGIT_PLACES = 0b1100n;
const COUNTRY_CODE_PLACES = 0b0011n;
/** The kernel reads codes in words of eight bytes, the longer of them with two bytes more. */
const BYTES_READ_OF_CODE = 10;

const germany = ibanCountryByCode("DE");

/** Lays out what a prefix means, for all 676 pairs of letters. */
export function layPrefixes(block: TableBlock): number {
  return block.bytes(
    Uint8Array.from({ length: LETTERS * LETTERS }, (_, pair) => {
      const prefix = String.fromCharCode(LETTER_A + Math.floor(pair / LETTERS), LETTER_A + (pair % LETTERS));
      const country = ibanCountryByCode(prefix);
      return country?.index ?? layout.UNREGISTERED + outcomeNames.indexOf(outcomeOf(checkForm(prefix)));
    }),
  );
}

/** Lays out the countries of the IBAN registry in the order of their indexes. */
export function layCountries(block: TableBlock, pieces: PieceWriter, enforcesUkModulus: boolean): number {
  const countries = block.reserve(ibanCountries.length * layout.COUNTRY_BYTES);
  for (const country of ibanCountries) {
    const at = countries + country.index * layout.COUNTRY_BYTES;
    writeForm(block, at, country, enforcesUkModulus);
    writeBankPlaces(block, at, country);
    writePieces(block, at, country, pieces);
  }
  return countries;
}

function writeForm(block: TableBlock, at: number, country: IbanCountry, enforcesUkModulus: boolean): void {
  const { classes } = country;
  const placesOf = (characterClass: number) =>
    classes.reduce(
      (places, found, index) =>
        found === characterClass ? places | (1n << BigInt(BBAN_START + index)) : places,
      0n,
    );
  block.u64(at + layout.COUNTRY_DIGITS, placesOf(CharClass.n) | CHECK_DIGIT_PLACES);
  block.u64(at + layout.COUNTRY_LETTERS, placesOf(CharClass.a) | COUNTRY_CODE_PLACES);
  block.u8(at + layout.COUNTRY_IBAN_LENGTH, country.ibanLength);
  block.u8(at + layout.COUNTRY_INDEX, country.index);
  const prefix = Buffer.from(`${country.code}00`);
  block.u8(at + layout.COUNTRY_PREFIX, remainder97(prefix, 0, prefix.length));
  block.u8(
    at + layout.COUNTRY_FLAGS,
    (country === germany ? layout.COUNTRY_FLAG_GERMAN : 0) |
      (mayReject(country, enforcesUkModulus) ? layout.COUNTRY_FLAG_MAY_REJECT : 0) |
      (mayWarn(country) ? layout.COUNTRY_FLAG_MAY_WARN : 0) |
      (country.bank === null ? 0 : layout.COUNTRY_FLAG_BANK_CODES),
  );
}

/** A code longer than the directory has room for is never found, so that it is not looked up at all. */
function writeBankPlaces(block: TableBlock, at: number, { bank, branch }: IbanCountry): void {
  if (bank === null || bank.length > CODE_BYTES.bank) return;
  block.u8(at + layout.COUNTRY_BANK_START, placeOf(bank.start));
  block.u8(at + layout.COUNTRY_BANK_LENGTH, bank.length);
  const mask = byteMask(bank.length);
  block.u64(at + layout.COUNTRY_BANK_MASK, BigInt.asUintN(64, mask));
  block.u16(at + layout.COUNTRY_BANK_TAIL_MASK, Number(mask >> 64n));
  if (branch === null || branch.length > CODE_BYTES.branch) return;
  block.u8(at + layout.COUNTRY_BRANCH_START, placeOf(branch.start));
  block.u64(at + layout.COUNTRY_BRANCH_MASK, byteMask(branch.length));
}

function placeOf(start: number): number {
  const place = BBAN_START + start;
  if (place + BYTES_READ_OF_CODE > layout.LOOKED_AT) throw new RangeError(`no code may begin at ${place}`);
  return place;
}

function byteMask(length: number): bigint {
  return (1n << BigInt(8 * length)) - 1n;
}

function writePieces(block: TableBlock, at: number, country: IbanCountry, pieces: PieceWriter): void {
  const { countryOnly, unknownBank, unknownBankInvalid } = countryPieces(country);
  block.u32(at + layout.COUNTRY_ONLY, pieces.write(countryOnly));
  block.u32(at + layout.COUNTRY_UNKNOWN_BANK, pieces.write(unknownBank));
  block.u32(at + layout.COUNTRY_UNKNOWN_BANK_INVALID, pieces.write(unknownBankInvalid));
}
