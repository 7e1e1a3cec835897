import { KONTONUMMER_LENGTH } from "../account.ts";

/**
 * The facts of the bank code file that the IBAN rules read.
 *
 * Only `method`, `bic` and `rule` are needed; an absent, null or empty fact is one that is not known.
 */
export interface RuleBank {
  /** Check-digit method, two characters. */
  readonly method: string | null;
  readonly bic: string | null;
  /** IBAN rule with or without its version (`"000503"`, `"0005"`). */
  readonly rule: string | null;
  /** Eight-digit bank code that follows this one; `"00000000"` is none. */
  readonly successor?: string | null | undefined;
  /** Whether the bank code was removed from the bank code file: change code D (field 11), not a deletion mark (field 12). */
  readonly removed?: boolean | undefined;
}

/** Looks up a bank code's facts; undefined if the bank code file does not have it. */
export type BankOf = (blz: string) => RuleBank | undefined;

/** Bank code, account number and BIC while the steps of a rule change them. */
export interface Draft {
  blz: string;
  /** Ten digits. */
  kontonummer: string;
  /** The BIC a step has given; undefined: that of the bank code. */
  bic: string | undefined;
  /** What a step found that did not end the rule: a check digit is wrong, or the bank code's method is not known. */
  found: "invalid" | "unknown_method" | undefined;
  /** Whether a wrong check digit is only noted. */
  readonly observes: boolean;
  readonly bankOf: BankOf;
}

/** Returns the successor a bank code file names, or undefined if it names none. */
export function successorOf(bank: RuleBank): string | undefined {
  const successor = bank.successor;
  return typeof successor === "string" && /^[1-9]\d{7}$/.test(successor) ? successor : undefined;
}

/** Returns digits without leading zeros, as the rules write account numbers. */
export function significant(digits: string): string {
  let leading = 0;
  while (digits[leading] === "0") leading++;
  return digits.slice(leading);
}

/**
 * Returns a number of ten digits as a pattern writes it; undefined if it does not fit the pattern `from`.
 *
 * A digit of a pattern stands for itself, each letter for any digit, whose place `to` may change.
 */
export function rewritten(kontonummer: string, from: string, to: string): string | undefined {
  for (let at = 0; at < KONTONUMMER_LENGTH; at++) {
    if (/\d/.test(from[at]!) && from[at] !== kontonummer[at]) return undefined;
  }
  return to.replace(/[a-z]/g, (letter) => kontonummer[from.indexOf(letter)]!);
}
