import type { ModulusCheck } from "../banking/united-kingdom/modulus-check.ts";
import type { ModulusEdition } from "../banks/lookup/modulus-edition.ts";
import { message } from "../contract/message.ts";
import type { IbanOutcome } from "../contract/status.ts";
import type { Finding } from "./finding.ts";

/** The UK modulus check as a worker makes it. */
export interface UkModulus {
  /** First day of the weights; undefined where there are none. */
  readonly edition: string | undefined;
  /** Whether a failure makes an IBAN invalid; otherwise it is only told. */
  readonly isEnforced: boolean;
  check(sortCode: string, account: string): ModulusCheck;
}

/** The UK modulus check with the weights of one edition of the bank data. */
export class UkModulusOf implements UkModulus {
  readonly isEnforced: boolean;
  readonly #weights: ModulusEdition;

  constructor(weights: ModulusEdition, isEnforced: boolean) {
    this.#weights = weights;
    this.isEnforced = isEnforced;
  }

  get edition(): string | undefined {
    return this.#weights.edition;
  }

  check(sortCode: string, account: string): ModulusCheck {
    return this.#weights.check(sortCode, account);
  }
}

/** No weights: nothing is checked. */
export const noUkModulus: UkModulus = {
  edition: undefined,
  isEnforced: false,
  check: () => ({ result: "no_rule", isExempt: false, steps: [] }),
};

/** Where sort code and account stand in an IBAN with the country code GB. Source: SWIFT IBAN Registry, GB. */
const sortCode = { start: 8, length: 6 } as const;
const account = { start: 14, length: 8 } as const;

/** Checks sort code and account of a well-formed IBAN with the country code GB. */
export function checkUkModulus(iban: string, modulus: UkModulus): Finding<IbanOutcome> {
  const check = "uk_modulus";
  const position = { start: sortCode.start, length: sortCode.length + account.length };
  const code = iban.slice(sortCode.start, account.start);
  const { result, isExempt } = modulus.check(code, iban.slice(account.start));
  const edition = modulus.edition ?? "";
  switch (result) {
    case "no_rule":
      return {
        check,
        result: "unknown",
        messages: [
          modulus.edition === undefined
            ? message("uk_modulus_off")
            : message("uk_modulus_no_rule", { code, edition }),
        ],
        position,
      };
    case "passed":
      return {
        check,
        result: isExempt ? "not_applicable" : "passed",
        messages: [message(isExempt ? "uk_modulus_exempt" : "uk_modulus_passed", { edition })],
        position,
      };
    case "failed":
      return {
        check,
        result: "failed",
        messages: [message(modulus.isEnforced ? "uk_modulus_failed" : "uk_modulus_observed", { edition })],
        position,
        ...(modulus.isEnforced ? { outcome: "wrong_national_check_digits" } : { warning: "uk_modulus" }),
      };
  }
}
