import type { Message } from "./message.ts";

/** What became of one check: `unknown` where it could not be made, for want of data or since an earlier one failed. */
export type CheckResult = "passed" | "failed" | "not_applicable" | "unknown";

/** One entry of `data.checks`, given for `explain=1`. */
export interface CheckEntry {
  readonly check: string;
  readonly result: CheckResult;
  /** For people: what was compared, or why nothing was. */
  readonly detail?: string;
  /** The sentences of `detail`. */
  readonly messages?: Message[];
  /** Where the check looked: zero-based offset and length inside the IBAN or the ten-digit account number. */
  readonly position?: { readonly start: number; readonly length: number };
  /** What would be right at that position; several where more than one would be. */
  readonly expected?: readonly string[];
}
