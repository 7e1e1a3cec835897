import type { IbanCountry } from "../../banking/iban/registry.ts";
import type { BankDirectory } from "./directory.ts";

/**
 * Finds the bank of an IBAN by the bank and branch identifiers of its country; -1 where the directory has none.
 *
 * `bytes` is ASCII and fits the country's structure; the BBAN begins at `bbanStart`. No allocation.
 * Source: SWIFT IBAN Registry, release 102, "bank identifier position" and "branch identifier position".
 */
export function findBankOfBban(
  directory: BankDirectory,
  country: IbanCountry,
  bytes: Uint8Array,
  bbanStart: number,
): number {
  const { bank, branch } = country;
  if (bank === null) return -1;
  const bankStart = bbanStart + bank.start;
  if (country.code === "DE") return directory.findByBlz(readNumber(bytes, bankStart, bank.length));
  if (branch === null) return directory.findByBankCode(country.index, bytes, bankStart, bank.length);
  const branchStart = bbanStart + branch.start;
  return directory.findByBankAndBranch(
    country.index,
    bytes,
    bankStart,
    bank.length,
    branchStart,
    branch.length,
  );
}

function readNumber(bytes: Uint8Array, start: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 10 + bytes[start + index]! - 48;
  return value;
}
