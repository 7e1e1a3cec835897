import { explainMethod } from "../banking/germany/explain.ts";
import type { BankRecord, DirectoryEdition } from "../banks/directory/record.ts";
import type { CheckEntry } from "../contract/check-entry.ts";

/** Explains the check of a German account number by the bank's check-digit method. */
export function explainCheckDigitMethod(kontonummer: string, bank: BankRecord): CheckEntry {
  const check = "check_digit_method";
  if (bank.method === null) return { check, result: "unknown", detail: "The bank's method is not known." };
  const { verdict, variant, checkDigitPosition, expectedCheckDigits } = explainMethod(
    bank.method,
    kontonummer,
    bank.bankCode,
  );
  const method = `Method ${bank.method}`;
  const position =
    checkDigitPosition === null ? {} : { position: { start: checkDigitPosition - 1, length: 1 } };
  switch (verdict) {
    case "valid":
      return { check, result: "passed", detail: `${method}, variant ${variant ?? 1}.`, ...position };
    case "unchecked":
      return { check, result: "not_applicable", detail: `${method}: the number carries no check digit.` };
    case "unknown_method":
      return { check, result: "unknown", detail: `${method} is not known.` };
    case "invalid":
      return { check, result: "failed", detail: `${method}.`, ...position, expected: expectedCheckDigits };
  }
}

/** Explains whether a German bank code is marked for deletion, and which one follows it. */
export function explainDeletion({ deleteMark, successor }: BankRecord): CheckEntry {
  const check = "bank_code_deletion";
  if (deleteMark === null) {
    return {
      check,
      result: "unknown",
      detail: "The data does not say whether the bank code is to be deleted.",
    };
  }
  const named = successor === null ? {} : { expected: [successor] };
  if (deleteMark) return { check, result: "failed", detail: deletionSentence(successor), ...named };
  return successor === null
    ? { check, result: "passed" }
    : { check, result: "passed", detail: `The bank code has the successor ${successor}.` };
}

/** The sentence that warns of a bank code marked for deletion. */
export function deletionSentence(successor: string | null): string {
  return successor === null
    ? "The bank code is marked for deletion and has no successor."
    : `The bank code is marked for deletion; its successor is ${successor}.`;
}

/** Says where a bank's SEPA flags come from, and of which edition the clearing directory is. */
export function explainSepaSource(bank: BankRecord | undefined, { scl }: DirectoryEdition): CheckEntry {
  const check = "sepa_methods";
  if (scl === undefined) {
    return { check, result: "unknown", detail: "Assumed: no directory of participants is loaded." };
  }
  const directory = `the directory of reachable payment service providers (edition ${scl})`;
  switch (bank?.sepaSource) {
    case "directory":
      return { check, result: "passed", detail: `Read from ${directory}.` };
    case "inherited":
      return { check, result: "passed", detail: `Inherited from the head office's entry in ${directory}.` };
    default:
      return { check, result: "unknown", detail: `Assumed: no BIC of the bank is listed in ${directory}.` };
  }
}
