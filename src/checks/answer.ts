import { bbanStart } from "../banking/iban/structure.ts";
import type { BbanSpan } from "../banking/national/weighted.ts";
import type { AccountPolicy } from "../banks/lookup/account-policy.ts";
import type { BicRegister } from "../banks/lookup/bics.ts";
import type { BankSources, CheckEntry } from "../contract/api-types.ts";
import type { Language } from "../contract/language.ts";
import { type Message, textOf } from "../contract/message.ts";
import type { Outcome, Reason } from "../contract/status.ts";
import { isListOld } from "../contract/verdict.ts";
import type { BankFilters } from "../suggest/filters.ts";

/** One check made: what it looked at, its result, and what follows from it. */
export interface Finding<Outcome extends string>
  extends Readonly<Pick<CheckEntry, "check" | "result" | "position">> {
  /** Absent where the result explains itself. */
  readonly messages?: readonly Message[];
  /** Accepted characters at that position. */
  readonly expected?: readonly string[];
  /** The outcome of the whole, unless an earlier check decided it. */
  readonly outcome?: Outcome;
  /** A warning about a number that is still valid. */
  readonly warning?: Reason;
}

/** Returns one check made, with the sentences that explain its result. */
export function finding<Outcome extends string = never>(
  check: CheckEntry["check"],
  result: CheckEntry["result"],
  said: Message | readonly Message[] = [],
  more: Omit<Finding<Outcome>, "check" | "result" | "messages"> = {},
): Finding<Outcome> {
  const messages = "id" in said ? [said] : said;
  return { check, result, ...(messages.length === 0 ? {} : { messages }), ...more };
}

/** Returns where a part of the BBAN is in an IBAN. */
export function positionOf({ start, length }: BbanSpan): NonNullable<Finding<never>["position"]> {
  return { start: bbanStart + start, length };
}

/** Returns the outcome of a list of checks: that of the first that has one, otherwise `valid`. */
export function outcomeOf<Outcome extends string>(checks: readonly Finding<Outcome>[]): Outcome | "valid" {
  return checks.find(({ outcome }) => outcome !== undefined)?.outcome ?? "valid";
}

/** Returns a list of checks as `data.checks` has it once it was sent, without what is undefined. */
export function entriesOf(checks: readonly Finding<string>[], language: Language): readonly object[] {
  return checks.map(({ check, result, messages, position, expected }) => ({
    check,
    result,
    detail: messages && textOf(messages, language),
    messages,
    position,
    expected,
  }));
}

/** Optional parts of an answer to a check. */
export interface AnswerOptions {
  readonly language: Language;
  /** Add why a number is not valid, or what is worth a warning. */
  readonly reason: boolean;
  /** The day on which the list that names a bank has its age; without it none is old. */
  readonly today?: string | undefined;
  /** Add the list of checks, and the messages by id. */
  readonly explain: boolean;
  /** The source of corrections where the number is not valid; undefined if no suggestions are requested. */
  readonly suggest: BankFilters | undefined;
  /** Accept an IBAN as people write it. */
  readonly lenient: boolean;
  /** The UK modulus check; none if it is absent. */
  readonly policy?: AccountPolicy;
  /** Add the reach by the registers, on a day in Berlin. */
  readonly reach?: { readonly register: BicRegister; readonly today: string };
}

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
  /** The sentence of the outcome, and further messages. */
  readonly messages: readonly Message[];
  readonly data: object;
  readonly checks: readonly Finding<string>[];
  /** Who states the facts about the bank in `data`. */
  readonly sources: BankSources;
}

export function answer(result: Result, options: AnswerOptions): object {
  const message = textOf(result.messages, options.language);
  return { status: result.outcome.status, message, data: dataOf(result, options) };
}

/** Returns one entry of a batch answer, with its message beside the reason; a single answer has it elsewhere. */
export function entry(iban: string, result: Result, options: AnswerOptions): object {
  const { status } = result.outcome;
  return { iban, valid: status === 1, status, data: dataOf(result, options, true) };
}

/** Returns the facts and what an answer has on request only. */
function dataOf(result: Result, { language, reason, today, explain }: AnswerOptions, isEntry = false) {
  const { data, checks, messages, sources } = result;
  return {
    ...data,
    ...(reason ? reasonOf(result, today) : {}),
    ...(reason && isEntry ? { message: textOf(messages, language) } : {}),
    ...(explain ? { checks: entriesOf(checks, language), messages, sources } : {}),
  };
}

/** Why a number is not valid, otherwise the first thing that is only observed or assumed on it, or that its bank's list is old. */
function reasonOf({ outcome, checks, sources }: Result, today: string | undefined) {
  if (outcome.reason !== null) return { reason: outcome.reason, severity: "error" };
  const isOld = isListOld(sources.name?.edition, Date.parse(today ?? ""));
  const found = checks.find(({ warning }) => warning !== undefined);
  const reason: Reason | null = found?.warning ?? (isOld ? "bank_list_old" : null);
  return { reason, severity: reason === null ? null : "warning" };
}
