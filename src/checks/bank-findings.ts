import { explainMethod } from "../banking/germany/methods.ts";
import type { IbanCountry } from "../banking/iban/registry.ts";
import { assumedSepaEdition } from "../banking/sepa.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankRecord, DirectoryEdition } from "../banks/directory/record.ts";
import type { AccountPolicy } from "../banks/lookup/account-policy.ts";
import { type Message, message } from "../contract/message.ts";
import type { AccountOutcome } from "../contract/status.ts";
import { type Finding, finding } from "./answer.ts";

/** Checks a German account number by its bank's check-digit method, which the bank's IBAN rule may waive. */
export function checkByBankMethod(
  kontonummer: string,
  { method, bankCode }: BankRecord,
  { observed }: AccountPolicy,
  isWaived: () => boolean,
): Finding<AccountOutcome> {
  const check = "check_digit_method";
  if (method === null) {
    return finding(check, "unknown", message("method_of_bank_unknown"), { outcome: "unknown_method" });
  }
  const explained = explainMethod(method, kontonummer, bankCode);
  const { verdict, variant, checkDigitPosition: digit, expectedCheckDigits: expected } = explained;
  const place = digit === null ? {} : { position: { start: digit - 1, length: 1 } };
  switch (verdict) {
    case "valid":
      return finding(check, "passed", message("method_passed", { method, variant: variant ?? 1 }), place);
    case "unchecked": {
      const said = message("method_without_check_digit", { method });
      return finding(check, "not_applicable", said, { outcome: "no_check_digit" });
    }
    case "unknown_method":
      return finding(check, "unknown", message("method_not_supported", { method }), { outcome: verdict });
    case "invalid": {
      if (isWaived()) return finding(check, "not_applicable", message("method_waived"));
      const isObserved = observed.includes("DE");
      const said = message(isObserved ? "method_observed" : "method_failed", { method });
      return finding(check, "failed", said, {
        ...place,
        expected,
        ...(isObserved ? { warning: "account_check_digit" } : { outcome: "wrong_check_digit" }),
      });
    }
  }
}

/** Checks whether a German bank code is marked for deletion; that makes nothing invalid. */
export function checkDeletion(bank: BankRecord): Finding<never> {
  const check = "bank_code_deletion";
  const { deleteMark, successor } = bank;
  if (deleteMark === null) return finding(check, "unknown", message("deletion_unknown"));
  if (deleteMark) {
    const expected = successor === null ? {} : { expected: [successor] };
    const warning = successor === null ? check : "bank_code_former";
    return finding(check, "failed", replacementWarning(bank), { ...expected, warning });
  }
  const said = successor === null ? undefined : message("deletion_successor", { successor });
  return finding(check, "passed", said);
}

/** Returns the warning of a bank code that is marked for deletion or was merged into another; otherwise no message. */
export function replacementWarning({ country, deleteMark, successor }: BankRecord): readonly Message[] {
  if (deleteMark !== true && country === "DE") return [];
  if (successor !== null) return [message("bank_code_replaced", { successor })];
  return deleteMark === true ? [message("deletion_marked")] : [];
}

export function checkSepaSource(
  country: string,
  bank: BankRecord | undefined,
  { scl }: DirectoryEdition,
): Finding<never> {
  const check = "sepa_methods";
  if (bank?.sepaSource === "local") return finding(check, "passed", message("sepa_local"));
  const majority = country === "DE" ? [] : [message("sepa_majority", { edition: assumedSepaEdition })];
  if (scl === undefined) return finding(check, "unknown", [message("sepa_without_directory"), ...majority]);
  const edition = { edition: scl };
  if (bank?.sepaSource === "directory")
    return finding(check, "passed", message("sepa_from_directory", edition));
  if (bank?.sepaSource === "inherited") return finding(check, "passed", message("sepa_inherited", edition));
  return finding(check, "unknown", [message("sepa_unlisted", edition), ...majority]);
}

/** What the checks of a bank's IBAN read. */
export interface Subject {
  readonly directory: BankDirectory;
  readonly country: IbanCountry;
  readonly iban: string;
  readonly bank: BankRecord | undefined;
  readonly bic: string | undefined;
}
