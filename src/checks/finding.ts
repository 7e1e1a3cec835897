import type { CheckEntry, CheckName, CheckResult } from "../contract/check-entry.ts";
import { type Message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";
import type { Reason } from "../contract/reasons.ts";

/** One check made: what it looked at, its result, and what follows from it. */
export interface Finding<Outcome extends string> {
  readonly check: CheckName;
  readonly result: CheckResult;
  /** What is to be said about it; nothing where the result says it all. */
  readonly messages?: readonly Message[];
  /** Zero-based offset and length inside the IBAN or the ten-digit account number. */
  readonly position?: CheckEntry["position"];
  /** What would be right at that position. */
  readonly expected?: readonly string[];
  /** The outcome of the whole, unless an earlier check decided it. */
  readonly outcome?: Outcome;
  /** What is worth a warning where the whole is valid all the same. */
  readonly warning?: Reason;
}

/** Returns the outcome of a list of checks: that of the first that has one, otherwise `valid`. */
export function outcomeOf<Outcome extends string>(checks: readonly Finding<Outcome>[]): Outcome | "valid" {
  return checks.find(({ outcome }) => outcome !== undefined)?.outcome ?? "valid";
}

/** Returns a list of checks as `data.checks` has it. */
export function entriesOf(checks: readonly Finding<string>[], language: Language): readonly CheckEntry[] {
  return checks.map(({ check, result, messages, position, expected }) => ({
    check,
    result,
    ...(messages === undefined ? {} : { detail: textOf(messages, language), messages }),
    ...(position === undefined ? {} : { position }),
    ...(expected === undefined ? {} : { expected }),
  }));
}
