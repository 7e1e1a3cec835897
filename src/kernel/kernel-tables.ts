import { germanIban, KONTONUMMER_LENGTH } from "../banking/germany/account.ts";
import type { MethodNode } from "../banking/germany/check-methods/graph.ts";
import { algorithmNames } from "../banking/germany/check-methods/named-algorithms.ts";
import { rulesThatWaive } from "../banking/germany/iban-rules/generate.ts";
import { graph } from "../banking/germany/methods.ts";
import { type IbanCountry, ibanCountries, ibanCountryByCode } from "../banking/iban/registry.ts";
import { bbanStart, CharClass, classAt } from "../banking/iban/structure.ts";
import { asciiBytes, LETTER_A, remainder97 } from "../banking/mod97.ts";
import { defaultPolicy } from "../banks/lookup/account-policy.ts";
import { outcomeOf } from "../checks/answer.ts";
import { enforcements } from "../checks/country-checks.ts";
import { checkForm } from "../checks/form-check.ts";
import * as layout from "./table-layout.ts";
import { outcomeNames } from "./wording.ts";

/** Tables begin at multiples of this. */
const ALIGNMENT = 16;
/** The kernel copies texts in words of 16 bytes, so that it reads beyond the last one. */
const SLACK = 64;

/**
 * Lays out everything constant that the kernel reads: countries and check-digit methods.
 *
 * All of it is built from the objects that the checks and answers in TypeScript work with, so that each rule is in
 * one place. The bytes may be copied to any place of the shared memory; offsets in them count from their first byte.
 * In the countries `observed` an account that fails its check makes an IBAN suspicious, not wrong. About 50 KB; takes
 * some milliseconds, so call it once and copy the result.
 */
export function kernelTables(observed = defaultPolicy.observed): Uint8Array {
  const header = Buffer.alloc(layout.HEADER_BYTES);
  const tables = [header];
  let length = header.length;
  /** Appends a table and returns its offset; the kernel reads numbers in little-endian order, as this machine writes them. */
  const append = (table: Uint8Array | Uint16Array | Int16Array): number => {
    const aligned = Buffer.alloc(Math.ceil(table.byteLength / ALIGNMENT) * ALIGNMENT);
    aligned.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength));
    tables.push(aligned);
    length += aligned.length;
    return length - aligned.length;
  };
  const sums = graph.sums.map(({ contributions, allowed }) => ({
    contributions: append(contributions),
    allowed: append(allowed),
  }));
  const nodes = graph.nodes.map((node) => encodeNode(node, sums));
  const entries = Int16Array.from(graph.methods, ({ entry }) => entry);
  const countries = ibanCountries.map((country) => encodeCountry(country, observed));
  header.writeUInt32LE(append(encodePrefixes()), layout.HEADER_COUNTRY_BY_PAIR);
  header.writeUInt32LE(append(Buffer.concat(countries)), layout.HEADER_COUNTRIES);
  header.writeUInt32LE(append(entries), layout.HEADER_METHOD_ENTRIES);
  header.writeUInt32LE(append(Buffer.concat(nodes)), layout.HEADER_METHOD_NODES);
  header.writeBigUInt64LE(waivingRules(), layout.HEADER_WAIVING_RULES);
  return Buffer.concat([...tables, Buffer.alloc(SLACK)]);
}

function waivingRules(): bigint {
  let bits = 0n;
  for (const rule of rulesThatWaive) {
    if (Number(rule) >= layout.RULE_BITS) throw new RangeError(`the kernel has no bit for IBAN rule ${rule}`);
    bits |= 1n << BigInt(rule);
  }
  return bits;
}

const LETTERS = 26;
/** The kernel reads codes in words of eight bytes, the longer of them with two bytes more. */
const BYTES_READ_OF_CODE = 10;

/** Lays out what a prefix means, for all 676 pairs of letters. */
function encodePrefixes(): Uint8Array {
  return Uint8Array.from({ length: LETTERS * LETTERS }, (_, pair) => {
    const prefix = String.fromCharCode(LETTER_A + Math.floor(pair / LETTERS), LETTER_A + (pair % LETTERS));
    const country = ibanCountryByCode(prefix);
    return country?.index ?? layout.UNREGISTERED + outcomeNames.indexOf(outcomeOf(checkForm(prefix)));
  });
}

function encodeCountry(country: IbanCountry, observed: readonly string[]): Uint8Array {
  const { code, index, ibanLength, bank, branch } = country;
  const bytes = Buffer.alloc(layout.COUNTRY_BYTES);
  const placesOf = (characterClass: number) => {
    let places = 0n;
    for (let at = 0; at < ibanLength; at++)
      if (classAt(country, at) === characterClass) places |= 1n << BigInt(at);
    return places;
  };
  bytes.writeBigUInt64LE(placesOf(CharClass.n), layout.COUNTRY_DIGITS);
  bytes.writeBigUInt64LE(placesOf(CharClass.a), layout.COUNTRY_LETTERS);
  bytes.writeUInt8(ibanLength, layout.COUNTRY_IBAN_LENGTH);
  bytes.writeUInt8(index, layout.COUNTRY_INDEX);
  bytes.writeUInt8(remainder97(asciiBytes(`${code}00`), 0, 4), layout.COUNTRY_PREFIX);
  const made = enforcements(country, observed);
  const flags =
    (code === "DE" ? layout.COUNTRY_FLAG_GERMAN : 0) |
    (made.has(true) ? layout.COUNTRY_FLAG_MAY_REJECT : 0) |
    (made.has(false) ? layout.COUNTRY_FLAG_MAY_WARN : 0);
  bytes.writeUInt8(flags, layout.COUNTRY_FLAGS);
  bytes.writeUInt8(placeOf(bank.start), layout.COUNTRY_BANK_START);
  const mask = byteMask(bank.length);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, mask), layout.COUNTRY_BANK_MASK);
  bytes.writeUInt16LE(Number(mask >> 64n), layout.COUNTRY_BANK_TAIL_MASK);
  bytes.writeUInt8(placeOf(branch?.start ?? 0), layout.COUNTRY_BRANCH_START);
  bytes.writeBigUInt64LE(byteMask(branch?.length ?? 0), layout.COUNTRY_BRANCH_MASK);
  return bytes;
}

function placeOf(start: number): number {
  const place = bbanStart + start;
  if (place + BYTES_READ_OF_CODE > layout.LOOKED_AT) throw new RangeError(`no code may begin at ${place}`);
  return place;
}

function byteMask(length: number): bigint {
  return (1n << BigInt(8 * length)) - 1n;
}

/** Lays out a node of the decision graphs of all check-digit methods; `sums` are the offsets of their tables. */
function encodeNode(
  { test, whenFails, whenHolds }: MethodNode,
  sums: readonly { readonly contributions: number; readonly allowed: number }[],
): Uint8Array {
  const bytes = Buffer.alloc(layout.NODE_BYTES);
  bytes.writeInt16LE(whenFails, layout.NODE_TARGETS);
  bytes.writeInt16LE(whenHolds, layout.NODE_TARGETS + 2);
  const write = (kind: number, place: number) => {
    bytes.writeUInt8(kind, layout.NODE_KIND);
    bytes.writeUInt8(place, layout.NODE_PLACE);
  };
  switch (test.kind) {
    case "sum":
      // Where the sum alone decides, every digit is allowed or none, so any place will do.
      write(layout.NODE_SUM, digitPlace(test.checkPosition ?? KONTONUMMER_LENGTH));
      bytes.writeUInt32LE(sums[test.sum]!.contributions, layout.NODE_CONTRIBUTIONS);
      bytes.writeUInt32LE(sums[test.sum]!.allowed, layout.NODE_ALLOWED);
      return bytes;
    case "digit":
      write(layout.NODE_DIGIT, digitPlace(test.position));
      bytes.writeUInt32LE(test.allowed, layout.NODE_DIGITS);
      return bytes;
    case "range":
      write(layout.NODE_RANGE, digitPlace(test.from));
      bytes.writeUInt8(digitPlace(test.to), layout.NODE_LAST_PLACE);
      bytes.writeBigUInt64LE(BigInt(test.min), layout.NODE_MIN);
      bytes.writeBigUInt64LE(BigInt(test.max), layout.NODE_MAX);
      return bytes;
    case "stepwise":
      write(layout.NODE_STEPWISE, algorithmNames.indexOf(test.algorithm));
      return bytes;
  }
}

function digitPlace(position: number): number {
  return germanIban.kontonummer.start + position - 1;
}
