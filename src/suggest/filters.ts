import { BLZ_LENGTH, germanAccount } from "../banking/germany/account.ts";
import { isCheckDigitWaived } from "../banking/germany/iban-rules/generate.ts";
import { checkMethod } from "../banking/germany/methods.ts";
import type { IbanCountry } from "../banking/iban/registry.ts";
import { bbanStart } from "../banking/iban/structure.ts";
import { ukIban } from "../banking/national/uk-modulus.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { AccountPolicy } from "../banks/lookup/account-policy.ts";
import type { BicIndex } from "../banks/lookup/bics.ts";
import type { SuggestAnswer } from "../contract/api-types.ts";

/** How many IBANs were left after each filter. */
export type FilterCounts = SuggestAnswer["data"]["counts"];

/** The filters that need more than the IBAN itself, over one edition of the bank directory. */
export class BankFilters {
  readonly directory: BankDirectory;
  readonly policy: AccountPolicy;
  readonly #bics: BicIndex;

  constructor({ directory, policy, bics }: Pick<BankFilters, "directory" | "policy"> & { bics: BicIndex }) {
    this.directory = directory;
    this.policy = policy;
    this.#bics = bics;
  }

  /** Whether the national check digits fit, enforced or only observed; true if the country has none. */
  nationalDigitsFit(country: IbanCountry, iban: Uint8Array): boolean {
    return country.nationalCheck?.matches(iban, bbanStart) !== false;
  }

  /**
   * Returns the index of the bank of an IBAN, -1 if it is not known, and undefined if no such IBAN can have been
   * issued: a German bank code that does not exist, or an account that its bank's check-digit method, or the UK modulus
   * check, refuses.
   */
  findBank(country: IbanCountry, iban: Uint8Array): number | undefined {
    const bank = this.directory.findByIban(country, iban);
    if (country.code === ukIban.country) return this.#britishAccountFits(iban) ? bank : undefined;
    if (country.code !== "DE") return bank;
    return bank >= 0 && this.#germanAccountFits(bank, iban) ? bank : undefined;
  }

  /** Whether a BIC, or the first eight characters of one, is in the directory. */
  isKnownBic(bic: string): boolean {
    return this.#bics.find(bic).length > 0;
  }

  /** Whether the account can exist at its sort code; true if there is no rule for the sort code. */
  #britishAccountFits(iban: Uint8Array): boolean {
    const textAt = ({ start, length }: { readonly start: number; readonly length: number }): string =>
      String.fromCharCode(...iban.subarray(start, start + length));
    return this.policy.weights.check(textAt(ukIban.sortCode), textAt(ukIban.account)).result !== "failed";
  }

  #germanAccountFits(bank: number, iban: Uint8Array): boolean {
    const method = this.directory.methodIndex(bank);
    if (method < 0) return true;
    const bban = String.fromCharCode(...iban.subarray(bbanStart));
    const [blz, kontonummer] = [bban.slice(0, BLZ_LENGTH), bban.slice(BLZ_LENGTH)];
    if (checkMethod(method, germanAccount(kontonummer, blz)) !== "invalid") return true;
    return isCheckDigitWaived(blz, kontonummer, this.directory.ruleBank);
  }
}
