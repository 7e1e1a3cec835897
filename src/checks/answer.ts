import type { CheckEntry } from "../contract/check-entry.ts";
import { type Message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";
import type { Status } from "../contract/status.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { entriesOf, type Finding } from "./finding.ts";
import type { UkModulus } from "./uk-modulus.ts";

/** What an answer to a check has beyond what it always has. */
export interface AnswerOptions {
  readonly language: Language;
  /** Add the list of checks, and the messages by id. */
  readonly explain: boolean;
  /** With what the number is corrected where it is not valid; undefined where no suggestions are asked for. */
  readonly suggest: BankFilters | undefined;
  /** Accept an IBAN as people write it. */
  readonly lenient: boolean;
  /** The UK modulus check; none where it is absent. */
  readonly modulus?: UkModulus;
}

/** What is answered where nothing is asked for. */
export const plain: AnswerOptions = { language: "en", explain: false, suggest: undefined, lenient: false };

/** The result of a check before it becomes an answer. */
export interface Result {
  readonly status: Status;
  readonly messages: readonly Message[];
  readonly data: object;
  readonly checks: readonly Finding<string>[];
}

/** Returns the answer to a single check. */
export function answer(result: Result, options: AnswerOptions): object {
  const { status, messages, data } = result;
  return {
    status,
    message: textOf(messages, options.language),
    data: { ...data, ...extrasOf(result, options) },
  };
}

/** Returns the fields of `data` that an answer has on request only. */
function extrasOf(
  { messages, checks }: Result,
  { explain, language }: AnswerOptions,
): { readonly checks?: readonly CheckEntry[]; readonly messages?: readonly Message[] } {
  return explain ? { checks: entriesOf(checks, language), messages } : {};
}
