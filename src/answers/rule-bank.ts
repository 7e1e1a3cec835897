import type { RuleBank } from "../banking/germany/iban-rules/generate.ts";
import type { BankDirectory } from "../banks/directory.ts";

/** What the IBAN rules need to know of a German bank code; undefined for one that is not in the directory. Allocates. */
export function germanRuleBank(directory: BankDirectory, blz: string): RuleBank | undefined {
  const index = directory.findByBlz(Number(blz));
  if (index < 0) return undefined;
  const { method, bic, rule, successor, deleteMark, name } = directory.record(index);
  return { method, bic, rule, successor, name, ...(deleteMark === null ? {} : { deleteMark }) };
}
