import { generateIban } from "../../../../src/banking/germany/iban-rules/generate.ts";

/** Bank code → its check-digit method and BIC. */
export type BankFacts = Readonly<Record<string, readonly [method: string | null, bic: string | null]>>;

/** Returns a function that answers `"<BLZ>/<ten-digit account> <BIC>"` or the refusal for an account under one rule. */
export function accountByRule(rule: string, facts: BankFacts): (blz: string, kontonummer: string) => string {
  return (blz, kontonummer) => {
    const generated = generateIban(blz, kontonummer, (wanted) => {
      const known = facts[wanted];
      return known && { method: known[0], bic: known[1], rule: wanted === blz ? rule : null };
    });
    return "error" in generated
      ? generated.error
      : `${generated.blz}/${generated.kontonummer} ${generated.bic}`;
  };
}
