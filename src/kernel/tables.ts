import { rulesThatWaive } from "../banking/germany/iban-rules/waived.ts";
import { layCountries, layPrefixes } from "./country-table.ts";
import * as layout from "./layout.ts";
import { layMethods } from "./method-table.ts";
import { layFixedPieces, PieceWriter } from "./piece-table.ts";
import { TableBlock } from "./table-block.ts";
import { variants } from "./variants.ts";

/**
 * Lays out everything constant that the kernel reads: countries, pieces of answers, check-digit methods.
 *
 * All of it is built from the objects that the checks and answers in TypeScript work with, so that each rule stands in
 * one place. The bytes may be copied to any place of the shared memory; offsets in them count from their first byte.
 * With `enforcesUkModulus` a British IBAN that fails the modulus check is wrong. About 70 KB, some milliseconds; call it
 * once and copy the result.
 */
export function kernelTables(enforcesUkModulus = false): Uint8Array {
  const block = new TableBlock();
  const header = block.reserve(layout.HEADER_BYTES);
  const pieces = new PieceWriter(block);
  const methods = layMethods(block);
  block.u32(header + layout.HEADER_COUNTRY_BY_PAIR, layPrefixes(block));
  block.u32(header + layout.HEADER_COUNTRIES, layCountries(block, pieces, enforcesUkModulus));
  block.u32(
    header + layout.HEADER_PIECES,
    block.doubleWords(variants.map((options) => layFixedPieces(block, pieces, options))),
  );
  block.u32(header + layout.HEADER_METHOD_ENTRIES, methods.entries);
  block.u32(header + layout.HEADER_METHOD_NODES, methods.nodes);
  block.u32(header + layout.HEADER_WAIVING_RULES, layWaivingRules(block));
  block.u32(header + layout.HEADER_ENTRY_ROOM, pieces.entryRoom);
  return block.finished();
}

function layWaivingRules(block: TableBlock): number {
  let bits = 0n;
  for (const rule of rulesThatWaive) {
    if (Number(rule) >= layout.RULE_BITS) throw new RangeError(`the kernel has no bit for IBAN rule ${rule}`);
    bits |= 1n << BigInt(rule);
  }
  const word = block.reserve(8);
  block.u64(word, bits);
  return word;
}
