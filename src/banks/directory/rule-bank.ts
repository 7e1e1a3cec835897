import type { RuleBank } from "../../banking/germany/iban-rules/draft.ts";
import type { BankDirectory } from "./directory.ts";

/** Facts already decoded, by index of the bank; a directory never changes. */
const decodedBanks = new WeakMap<BankDirectory, Map<number, RuleBank>>();

/**
 * Returns the facts that the IBAN rules need about a German bank code; undefined if the directory does not have it.
 *
 * The first call for a bank code decodes its record (2 µs) and keeps the facts, at most one small object per German bank.
 */
export function germanRuleBank(directory: BankDirectory, blz: string): RuleBank | undefined {
  const index = directory.findByCode("DE", blz);
  if (index < 0) return undefined;
  const banks = decodedBanks.get(directory) ?? new Map<number, RuleBank>();
  const bank = banks.get(index) ?? decode(directory, index);
  decodedBanks.set(directory, banks.set(index, bank));
  return bank;
}

function decode(directory: BankDirectory, index: number): RuleBank {
  const { method, bic, rule, successor, removed } = directory.record(index);
  return { method, bic, rule, successor, removed };
}
