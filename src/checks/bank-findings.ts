import { explainMethod } from "../banking/germany/methods.ts";
import type { BankRecord, DirectoryEdition } from "../banks/directory/record.ts";
import { type Message, message } from "../contract/message.ts";
import type { AccountOutcome } from "../contract/status.ts";
import type { Finding } from "./answer.ts";

/** Result of a check-digit method, before it is turned into a status. */
type MethodFinding = Finding<
  Extract<AccountOutcome, "wrong_check_digit" | "no_check_digit" | "unknown_method">
>;

/** Checks a German account number by its bank's check-digit method. */
export function checkByBankMethod(kontonummer: string, { method, bankCode }: BankRecord): MethodFinding {
  const check = "check_digit_method";
  if (method === null) {
    const messages = [message("method_of_bank_unknown")];
    return { check, result: "unknown", messages, outcome: "unknown_method" };
  }
  const { verdict, variant, checkDigitPosition, expectedCheckDigits } = explainMethod(
    method,
    kontonummer,
    bankCode,
  );
  const position =
    checkDigitPosition === null ? {} : { position: { start: checkDigitPosition - 1, length: 1 } };
  switch (verdict) {
    case "valid":
      return {
        check,
        result: "passed",
        messages: [message("method_passed", { method, variant: variant ?? 1 })],
        ...position,
      };
    case "unchecked":
      return {
        check,
        result: "not_applicable",
        messages: [message("method_without_check_digit", { method })],
        outcome: "no_check_digit",
      };
    case "unknown_method":
      return {
        check,
        result: "unknown",
        messages: [message("method_not_supported", { method })],
        outcome: "unknown_method",
      };
    case "invalid":
      return {
        check,
        result: "failed",
        messages: [message("method_failed", { method })],
        ...position,
        expected: expectedCheckDigits,
        outcome: "wrong_check_digit",
      };
  }
}

/** Checks whether a German bank code is marked for deletion; that makes nothing invalid. */
export function checkDeletion(bank: BankRecord): Finding<never> {
  const check = "bank_code_deletion";
  const { deleteMark, successor } = bank;
  if (deleteMark === null) return { check, result: "unknown", messages: [message("deletion_unknown")] };
  if (!deleteMark) {
    return successor === null
      ? { check, result: "passed" }
      : { check, result: "passed", messages: [message("deletion_successor", { successor })] };
  }
  return {
    check,
    result: "failed",
    messages: deletionWarning(bank),
    ...(successor === null ? {} : { expected: [successor] }),
    warning: "bank_code_deletion",
  };
}

/** Returns the warning of a bank code marked for deletion; no message for any other bank code. */
export function deletionWarning({ deleteMark, successor }: BankRecord): readonly Message[] {
  if (deleteMark !== true) return [];
  return [
    successor === null
      ? message("deletion_marked")
      : message("deletion_marked_with_successor", { successor }),
  ];
}

/** Says where a bank's SEPA flags come from. */
export function checkSepaSource(bank: BankRecord | undefined, { scl }: DirectoryEdition): Finding<never> {
  const check = "sepa_methods";
  if (scl === undefined) return { check, result: "unknown", messages: [message("sepa_without_directory")] };
  const edition = { edition: scl };
  switch (bank?.sepaSource) {
    case "directory":
      return { check, result: "passed", messages: [message("sepa_from_directory", edition)] };
    case "inherited":
      return { check, result: "passed", messages: [message("sepa_inherited", edition)] };
    default:
      return { check, result: "unknown", messages: [message("sepa_unlisted", edition)] };
  }
}
