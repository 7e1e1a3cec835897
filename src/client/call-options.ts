import type { AnswerFacts } from "./fetch-answer.ts";

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Names the request in the service's log: 1 to 64 letters, digits, `_ . : -`. */
  readonly requestId?: string;
  /** Receives the id of the request, and the edition of the bank data that answered it. */
  readonly onAnswer?: ((facts: AnswerFacts) => void) | undefined;
}

/** Options of a call whose answer has messages. */
export interface LanguageOptions extends CallOptions {
  /** Language of the messages, `de` unless given. */
  readonly lang?: "de" | "en" | undefined;
}

/** Options of a check. */
export interface CheckOptions extends LanguageOptions {
  /** Add every check made, as `data.checks`. */
  readonly explain?: boolean;
  /** Add what a number that is not valid was probably meant to be, as `data.suggestions`. */
  readonly suggest?: boolean;
  /** Accept what people write around a number: separators, the word IBAN. */
  readonly lenient?: boolean;
  /** Add why a number is not valid, or what is worth a warning. */
  readonly reason?: boolean;
  /** Add which SEPA schemes reach the bank, as `data.sepa_reach`. */
  readonly reach?: boolean;
}

/** Options of the check of an account. */
export interface AccountOptions extends CheckOptions {
  /** Generate the IBAN and add the SEPA methods. */
  readonly sepa?: boolean;
}

/** Options of the check of many numbers. */
export interface ManyOptions extends Omit<CheckOptions, "requestId"> {
  /** The longest time that an item waits for others to be sent with, in milliseconds; 10 unless given. */
  readonly maxWait?: number;
}

const ofCalls = ["signal", "requestId", "onAnswer"];
const ofChecks = [...ofCalls, "lang", "explain", "suggest", "lenient", "reason", "reach"];
const ofMany = [...ofChecks.filter((name) => name !== "requestId"), "maxWait"];

/** Names of the options of each kind of call. */
export const optionNames = {
  call: ofCalls,
  answer: [...ofCalls, "lang"],
  check: [...ofChecks, "bic"],
  batch: ofChecks,
  many: ofMany,
  account: [...ofChecks, "sepa"],
  accounts: [...ofMany, "sepa"],
  sample: [...ofCalls, "lang", "n", "seed"],
  usage: [...ofCalls, "days"],
} as const;

/** Throws a RangeError for an option that a call does not have, since it would have no effect. */
export function expectOptions(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new RangeError(`Unknown option ${JSON.stringify(unknown)}; the options are ${known.join(", ")}.`);
}

/** Options that are not sent in the query; `bic` is in the body, as `sepa` of a single account is. */
const notInQuery = [...ofCalls, "bic"];

/** Returns the query of a call, with its question mark; empty if nothing is asked for. */
export function queryOf(options: object): string {
  const asked = Object.entries(options).flatMap(([name, value]) => {
    if (notInQuery.includes(name) || value === undefined || value === false) return [];
    return `${name}=${encodeURIComponent(value === true ? 1 : String(value))}`;
  });
  return asked.length === 0 ? "" : `?${asked.join("&")}`;
}
