import type { Message } from "./message.ts";

/** The checks that may be made, by the names that `data.checks` has; further ones may come. */
export const checkNames = [
  "spelling",
  "country",
  "length",
  "structure",
  "iso_check_digits",
  "form",
  "bank_code",
  "bank_code_deletion",
  "check_digit_method",
  "national_check_digits",
  "uk_modulus",
  "currency",
  "iban_rule",
  "bic",
  "sepa_methods",
] as const;

/** Name of a check. */
export type CheckName = (typeof checkNames)[number];

/** What became of one check: `unknown` where it could not be made, for want of data or since an earlier one failed. */
export type CheckResult = "passed" | "failed" | "not_applicable" | "unknown";

/** One entry of `data.checks`, given for `explain=1`. */
export interface CheckEntry {
  readonly check: CheckName;
  readonly result: CheckResult;
  /** For people: what was compared, or why nothing was. */
  readonly detail?: string;
  /** The sentences of `detail`. */
  readonly messages?: readonly Message[];
  /** Where the check looked: zero-based offset and length inside the IBAN or the ten-digit account number. */
  readonly position?: { readonly start: number; readonly length: number };
  /** What would be right at that position; several where more than one would be. */
  readonly expected?: readonly string[];
}
