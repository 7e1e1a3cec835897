import { germanIban, KONTONUMMER_LENGTH } from "../banking/germany/account.ts";
import type { DigitSumCheck } from "../banking/germany/check-methods/digit-sum.ts";
import { End, type MethodNode } from "../banking/germany/check-methods/graph.ts";
import { algorithmNames } from "../banking/germany/check-methods/named-algorithms.ts";
import { rulesThatWaive } from "../banking/germany/iban-rules/generate.ts";
import { graph } from "../banking/germany/methods.ts";
import { type IbanCountry, ibanCountries, ibanCountryByCode } from "../banking/iban/registry.ts";
import { bbanStart, CharClass } from "../banking/iban/structure.ts";
import { remainder97 } from "../banking/mod97.ts";
import { CODE_BYTES } from "../banks/directory/directory-layout.ts";
import { defaultPolicy } from "../banks/lookup/account-policy.ts";
import { outcomeOf } from "../checks/answer.ts";
import { enforcements } from "../checks/country-checks.ts";
import { checkForm } from "../checks/form-check.ts";
import { TableBlock } from "./table-block.ts";
import * as layout from "./table-layout.ts";
import { outcomeNames } from "./wording.ts";

/**
 * Lays out everything constant that the kernel reads: countries and check-digit methods.
 *
 * All of it is built from the objects that the checks and answers in TypeScript work with, so that each rule is in
 * one place. The bytes may be copied to any place of the shared memory; offsets in them count from their first byte.
 * In the countries `observed` an account that fails its check makes an IBAN suspicious, not wrong. About 70 KB; takes
 * some milliseconds, so call it once and copy the result.
 */
export function kernelTables(observed = defaultPolicy.observed): Uint8Array {
  const block = new TableBlock();
  const header = block.reserve(layout.HEADER_BYTES);
  const methods = encodeMethods(block);
  block.u32(header + layout.HEADER_COUNTRY_BY_PAIR, encodePrefixes(block));
  block.u32(header + layout.HEADER_COUNTRIES, encodeCountries(block, observed));
  block.u32(header + layout.HEADER_METHOD_ENTRIES, methods.entries);
  block.u32(header + layout.HEADER_METHOD_NODES, methods.nodes);
  block.u32(header + layout.HEADER_WAIVING_RULES, encodeWaivingRules(block));
  return block.finished();
}

function encodeWaivingRules(block: TableBlock): number {
  let bits = 0n;
  for (const rule of rulesThatWaive) {
    if (Number(rule) >= layout.RULE_BITS) throw new RangeError(`the kernel has no bit for IBAN rule ${rule}`);
    bits |= 1n << BigInt(rule);
  }
  const at = block.reserve(8);
  block.u64(at, bits);
  return at;
}

const LETTERS = 26;
const LETTER_A = 65;
/** Third and fourth character must be digits, first and second letters. */
const CHECK_DIGIT_PLACES = 0b1100n;
const COUNTRY_CODE_PLACES = 0b0011n;
/** The kernel reads codes in words of eight bytes, the longer of them with two bytes more. */
const BYTES_READ_OF_CODE = 10;

const germany = ibanCountryByCode("DE");

/** Lays out what a prefix means, for all 676 pairs of letters. */
function encodePrefixes(block: TableBlock): number {
  return block.bytes(
    Uint8Array.from({ length: LETTERS * LETTERS }, (_, pair) => {
      const prefix = String.fromCharCode(LETTER_A + Math.floor(pair / LETTERS), LETTER_A + (pair % LETTERS));
      const country = ibanCountryByCode(prefix);
      return country?.index ?? layout.UNREGISTERED + outcomeNames.indexOf(outcomeOf(checkForm(prefix)));
    }),
  );
}

/** Lays out the countries of the IBAN registry in the order of their indexes. */
function encodeCountries(block: TableBlock, observed: readonly string[]): number {
  const countries = block.reserve(ibanCountries.length * layout.COUNTRY_BYTES);
  for (const country of ibanCountries) {
    const at = countries + country.index * layout.COUNTRY_BYTES;
    writeForm(block, at, country, observed);
    writeBankPlaces(block, at, country);
  }
  return countries;
}

function writeForm(block: TableBlock, at: number, country: IbanCountry, observed: readonly string[]): void {
  const { classes } = country;
  const placesOf = (characterClass: number) =>
    classes.reduce(
      (places, found, index) =>
        found === characterClass ? places | (1n << BigInt(bbanStart + index)) : places,
      0n,
    );
  block.u64(at + layout.COUNTRY_DIGITS, placesOf(CharClass.n) | CHECK_DIGIT_PLACES);
  block.u64(at + layout.COUNTRY_LETTERS, placesOf(CharClass.a) | COUNTRY_CODE_PLACES);
  block.u8(at + layout.COUNTRY_IBAN_LENGTH, country.ibanLength);
  block.u8(at + layout.COUNTRY_INDEX, country.index);
  const prefix = Buffer.from(`${country.code}00`);
  block.u8(at + layout.COUNTRY_PREFIX, remainder97(prefix, 0, prefix.length));
  const made = enforcements(country, observed);
  block.u8(
    at + layout.COUNTRY_FLAGS,
    (country === germany ? layout.COUNTRY_FLAG_GERMAN : 0) |
      (made.has(true) ? layout.COUNTRY_FLAG_MAY_REJECT : 0) |
      (made.has(false) ? layout.COUNTRY_FLAG_MAY_WARN : 0) |
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
  const place = bbanStart + start;
  if (place + BYTES_READ_OF_CODE > layout.LOOKED_AT) throw new RangeError(`no code may begin at ${place}`);
  return place;
}

function byteMask(length: number): bigint {
  return (1n << BigInt(8 * length)) - 1n;
}

const MAX_CONTRIBUTION = 255;

/** Lays out the decision graphs of all check-digit methods, in the order of `methodNames`. */
function encodeMethods(block: TableBlock) {
  const entries = block.u16s(graph.methods.map(({ entry }) => targetOf(entry)));
  const sums = graph.sums.map((sum) => {
    const { contributions, allowed } = folded(sum);
    return { contributions: block.bytes(contributions), allowed: block.u16s(allowed) };
  });
  const nodes = block.reserve(graph.nodes.length * layout.NODE_BYTES);
  for (const [index, node] of graph.nodes.entries()) {
    const at = nodes + index * layout.NODE_BYTES;
    block.u16(at + layout.NODE_TARGETS, targetOf(node.whenFails));
    block.u16(at + layout.NODE_TARGETS + 2, targetOf(node.whenHolds));
    writeTest(block, at, node.test, sums);
  }
  return { entries, nodes };
}

/** The kernel treats an account without check digit as one whose check digit is right. */
function targetOf(target: number): number {
  if (target === End.invalid) return layout.TARGET_WRONG;
  if (target < 0) return layout.TARGET_RIGHT;
  if (target >= layout.TARGET_WRONG) throw new RangeError("more nodes than the kernel can number");
  return target;
}

/**
 * Compacts a calculation's tables, so that many of them share the cache: where the allowed check digits repeat with
 * a period, as they do for a remainder, the contributions are taken modulo that period.
 */
function folded({ contributions, allowed }: DigitSumCheck) {
  const period = periodOf(allowed);
  if (period > MAX_CONTRIBUTION + 1)
    throw new RangeError("a digit sum whose contributions do not fit a byte");
  const small = Uint8Array.from(contributions, (value) => value % period);
  let highest = 0;
  for (let row = 0; row < small.length; row += 10) highest += Math.max(...small.subarray(row, row + 10));
  return {
    contributions: small,
    allowed: Uint16Array.from({ length: highest + 1 }, (_, sum) => allowed[sum % period]!),
  };
}

/** The smallest period of a table: its length where it does not repeat. */
function periodOf(table: Uint16Array): number {
  let period = 1;
  while (table.some((value, index) => value !== table[index % period])) period++;
  return period;
}

function writeTest(
  block: TableBlock,
  at: number,
  test: MethodNode["test"],
  sums: readonly { readonly contributions: number; readonly allowed: number }[],
): void {
  const write = (kind: number, place: number) => {
    block.u8(at + layout.NODE_KIND, kind);
    block.u8(at + layout.NODE_PLACE, place);
  };
  switch (test.kind) {
    case "sum":
      // Where the sum alone decides, every digit is allowed or none, so any place will do.
      write(layout.NODE_SUM, digitPlace(test.checkPosition ?? KONTONUMMER_LENGTH));
      block.u32(at + layout.NODE_CONTRIBUTIONS, sums[test.sum]!.contributions);
      block.u32(at + layout.NODE_ALLOWED, sums[test.sum]!.allowed);
      return;
    case "members":
      write(test.from === test.to ? layout.NODE_DIGIT : layout.NODE_DIGIT_PAIR, digitPlace(test.from));
      writeMembers(block, at, test.members);
      return;
    case "length":
      write(layout.NODE_LENGTH, 0);
      writeMembers(block, at, test.members);
      return;
    case "range":
      write(layout.NODE_RANGE, digitPlace(test.from));
      block.u8(at + layout.NODE_LAST_PLACE, digitPlace(test.to));
      block.u64(at + layout.NODE_FIRST, BigInt(test.min));
      block.u64(at + layout.NODE_SECOND, BigInt(test.max));
      return;
    case "stepwise":
      write(layout.NODE_STEPWISE, algorithmNames.indexOf(test.algorithm));
  }
}

function digitPlace(position: number): number {
  return germanIban.kontonummer.start + position - 1;
}

function writeMembers(block: TableBlock, at: number, members: readonly number[]): void {
  let bits = 0n;
  for (const member of members) bits |= 1n << BigInt(member);
  block.u64(at + layout.NODE_FIRST, BigInt.asUintN(64, bits));
  block.u64(at + layout.NODE_SECOND, bits >> 64n);
}
