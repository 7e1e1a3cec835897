import { createGermanAccount, readBlzBytes, readKontonummerBytes } from "../banking/germany/account.ts";
import { isCheckDigitWaived } from "../banking/germany/iban-rules/waived.ts";
import { AccountVerdict, checkMethod } from "../banking/germany/methods.ts";
import { checkIban } from "../banking/iban/check.ts";
import { type IbanCountry, ibanCountryByCode, ibanCountryOf } from "../banking/iban/registry.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { findBankOfBban } from "../banks/directory/find-bank.ts";
import { germanRuleBank } from "../banks/directory/rule-bank.ts";
import { IbanOutcome } from "../contract/status.ts";

/** Where bank code and account number stand in a German IBAN. Source: SWIFT IBAN Registry, DE. */
export const germanIban = { blzStart: 4, blzLength: 8, kontonummerStart: 12, kontonummerLength: 10 } as const;

const germany = ibanCountryByCode("DE");

/**
 * Checks IBANs against registry, bank directory, national check digits and German check-digit methods.
 *
 * One per worker: what the last check found stands in its fields until the next one. Allocates only for a German
 * account that fails its method.
 */
export class IbanChecker {
  readonly directory: BankDirectory;
  /** Country of the last IBAN; undefined where it is not registered. */
  country: IbanCountry | undefined;
  /** Index of the last IBAN's bank in the directory, −1 where it is unknown or was not looked for. */
  bank = -1;
  /** Whether country, length, structure and ISO check digits of the last IBAN were right. */
  wellFormed = false;
  readonly #account = createGermanAccount();

  constructor(directory: BankDirectory) {
    this.directory = directory;
  }

  /** Checks the formal IBAN (`isFormalIban`) in `bytes` and gives the number of its outcome in `ibanOutcomes`. */
  check(bytes: Uint8Array, start: number, length: number): number {
    this.bank = -1;
    this.country = ibanCountryOf(bytes[start]!, bytes[start + 1]!);
    const finding = checkIban(bytes, start, length);
    const { country } = this;
    this.wellFormed = finding === 0;
    if (finding !== 0 || country === undefined) return finding;
    this.bank = findBankOfBban(this.directory, country, bytes, start + 4);
    if (country === germany) return this.#checkGermanAccount(bytes, start);
    const { nationalCheck } = country;
    if (nationalCheck !== null && country.nationalCheckEnforced && !nationalCheck.matches(bytes, start + 4)) {
      return IbanOutcome.wrong_national_check_digits;
    }
    return IbanOutcome.valid;
  }

  #checkGermanAccount(bytes: Uint8Array, start: number): number {
    if (this.bank < 0) return IbanOutcome.unknown_bank_code;
    const method = this.directory.methodIndex(this.bank);
    if (method < 0) return IbanOutcome.valid;
    readKontonummerBytes(this.#account, bytes, start + germanIban.kontonummerStart);
    readBlzBytes(this.#account, bytes, start + germanIban.blzStart);
    if (checkMethod(method, this.#account) !== AccountVerdict.invalid) return IbanOutcome.valid;
    return isAccountWaived(this.directory, bytes, start)
      ? IbanOutcome.valid
      : IbanOutcome.wrong_account_check_digit;
  }
}

/**
 * Whether the account in the German IBAN at `start` is right although it fails its method, since the bank's IBAN rule
 * gives it without its check digit.
 *
 * The IBAN is well-formed and in `directory`. Rarely reached, so that it may allocate: some microseconds.
 */
export function isAccountWaived(directory: BankDirectory, bytes: Uint8Array, start: number): boolean {
  const bban = Buffer.from(bytes.subarray(start + germanIban.blzStart, start + 22)).toString("latin1");
  return isCheckDigitWaived(bban.slice(0, 8), bban.slice(8), (blz) => germanRuleBank(directory, blz));
}
