import type { Language } from "./language.ts";
import { doubtfulFromDays } from "./limits.ts";
import type { Reason } from "./status.ts";

/** What people read of a check, everywhere the same: valid; valid, but with a reservation; not valid. */
export type VerdictWord = "valid" | "doubtful" | "invalid";

export const verdictWords: Readonly<Record<VerdictWord, Readonly<Record<Language, string>>>> = {
  valid: { en: "Valid", de: "Gültig" },
  doubtful: { en: "Valid, but …", de: "Gültig, aber …" },
  invalid: { en: "Not valid", de: "Ungültig" },
};

/**
 * The reasons for which a number that has not status 1 is still not wrong: nothing failed in the number itself.
 *
 * The BIC beside the IBAN is another bank's or a former one; the bank's method or IBAN rule cannot be applied.
 */
const reservations: ReadonlySet<string> = new Set<Reason>([
  "bic_mismatch",
  "bic_former",
  "method_unknown",
  "no_check_digit",
  "rule_forbids_iban",
  "rule_unknown",
  "rule_target_unknown",
]);

/**
 * Returns the verdict of a check by `status === 1` and `data.reason`. A valid number with a reason has a warning: its
 * bank is not known or only by a list over a year old, its bank code is marked for deletion, or a check was only observed.
 *
 * @example verdictOf(true, "bank_code_deletion") // → "doubtful"
 */
export function verdictOf(isValid: boolean, reason: string | null | undefined): VerdictWord {
  if (isValid) return reason ? "doubtful" : "valid";
  return reservations.has(reason ?? "") ? "doubtful" : "invalid";
}

/**
 * Whether a list of banks is more than a year old at a moment, in milliseconds since 1970. A month as its edition ("2025-09")
 * begins on its first day, a year on New Year's Day, both by UTC; false where edition or moment (NaN) is not known.
 */
export function isListOld(edition: string | null | undefined, at: number): boolean {
  return at - Date.parse(edition ?? "") >= doubtfulFromDays * 86_400_000;
}
