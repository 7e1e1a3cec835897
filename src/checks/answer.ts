import type { BicRegister } from "../banks/lookup/bic-register.ts";
import { type Message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";
import type { Reason } from "../contract/reasons.ts";
import type { Outcome } from "../contract/status.ts";
import type { BankFilters } from "../suggest/filters.ts";
import type { UkModulus } from "./country-checks.ts";
import { entriesOf, type Finding } from "./finding.ts";

/** What an answer to a check has beyond what it always has. */
export interface AnswerOptions {
  readonly language: Language;
  /** Add why a number is not valid, or what is worth a warning. */
  readonly reason: boolean;
  /** Add the list of checks, and the messages by id. */
  readonly explain: boolean;
  /** With what the number is corrected where it is not valid; undefined where no suggestions are asked for. */
  readonly suggest: BankFilters | undefined;
  /** Accept an IBAN as people write it. */
  readonly lenient: boolean;
  /** The UK modulus check; none where it is absent. */
  readonly modulus?: UkModulus;
  /** Add the reach by the registers, on a day in Berlin. */
  readonly reach?: { readonly register: BicRegister; readonly today: string };
}

/** What is answered where nothing is asked for. */
export const plain: AnswerOptions = {
  language: "en",
  reason: false,
  explain: false,
  suggest: undefined,
  lenient: false,
};

/** The result of a check before it becomes an answer. */
export interface Result {
  readonly outcome: Outcome;
  /** The sentence of the outcome, and what else is to be said. */
  readonly messages: readonly Message[];
  readonly data: object;
  readonly checks: readonly Finding<string>[];
}

/** Returns the answer to a single check. */
export function answer(result: Result, options: AnswerOptions): object {
  const message = textOf(result.messages, options.language);
  return { status: result.outcome.status, message, data: { ...result.data, ...extrasOf(result, options) } };
}

/** Returns one entry of a batch answer; a single answer has its message elsewhere. */
export function entry(iban: string, result: Result, options: AnswerOptions): object {
  const { reason, severity, ...others } = extrasOf(result, options);
  const reasons = options.reason
    ? { reason, severity, message: textOf(result.messages, options.language) }
    : {};
  const { status } = result.outcome;
  return { iban, valid: status === 1, status, data: { ...result.data, ...reasons, ...others } };
}

/** Returns the fields of `data` that an answer has on request only. */
function extrasOf(result: Result, { language, reason, explain }: AnswerOptions) {
  const { checks, messages } = result;
  return {
    ...(reason ? reasonOf(result) : {}),
    ...(explain ? { checks: entriesOf(checks, language), messages } : {}),
  };
}

/** Why a number is not valid, otherwise the first thing that is only observed or assumed on it. */
function reasonOf({ outcome, checks }: Result): {
  readonly reason: Reason | null;
  readonly severity: "error" | "warning" | null;
} {
  if (outcome.reason !== null) return { reason: outcome.reason, severity: "error" };
  const warning = checks.find((finding) => finding.warning !== undefined)?.warning;
  return warning === undefined ? { reason: null, severity: null } : { reason: warning, severity: "warning" };
}
