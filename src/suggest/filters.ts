import { BLZ_LENGTH, germanAccount } from "../banking/germany/account.ts";
import { isCheckDigitWaived } from "../banking/germany/iban-rules/generate.ts";
import { checkMethod } from "../banking/germany/methods.ts";
import type { IbanCountry } from "../banking/iban/registry.ts";
import { bbanStart } from "../banking/iban/structure.ts";
import { checkModulus, ukIban } from "../banking/national/uk-modulus.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { AccountPolicy } from "../banks/lookup/account-policy.ts";

/** What the filters read besides the IBAN itself: the bank data of one edition, and the weights of the UK modulus check. */
export interface BankFilters {
  readonly directory: BankDirectory;
  readonly policy: AccountPolicy;
}

/** Whether the national check digits fit, enforced or only observed; true if the country has none. */
export function nationalDigitsFit(country: IbanCountry, iban: Uint8Array): boolean {
  return country.nationalCheck?.matches(iban, bbanStart) !== false;
}

/**
 * Returns the index of the bank of an IBAN, -1 if it is not known, and undefined if no such IBAN can have been issued: a
 * German bank code that does not exist, or an account that its bank's check-digit method, or the UK modulus check,
 * refuses.
 */
export function findBank(
  { directory, policy }: BankFilters,
  country: IbanCountry,
  iban: Uint8Array,
): number | undefined {
  const bank = directory.findByIban(country, iban);
  if (country.code === ukIban.country) return britishAccountFits(policy, iban) ? bank : undefined;
  if (country.code !== "DE") return bank;
  return bank >= 0 && germanAccountFits(directory, bank, iban) ? bank : undefined;
}

/** Whether the account can exist at its sort code; true if there is no rule for the sort code. */
function britishAccountFits({ weights }: AccountPolicy, iban: Uint8Array): boolean {
  const table = weights()?.table;
  const account = String.fromCharCode(...iban.subarray(ukIban.account.start));
  return table === undefined || checkModulus(table, account) !== "failed";
}

function germanAccountFits(directory: BankDirectory, bank: number, iban: Uint8Array): boolean {
  const method = directory.methodIndex(bank);
  if (method < 0) return true;
  const bban = String.fromCharCode(...iban.subarray(bbanStart));
  const [blz, kontonummer] = [bban.slice(0, BLZ_LENGTH), bban.slice(BLZ_LENGTH)];
  if (checkMethod(method, germanAccount(kontonummer, blz)) !== "invalid") return true;
  return isCheckDigitWaived(blz, kontonummer, directory.ruleBank);
}
