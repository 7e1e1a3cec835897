import type { CheckEntry, Message } from "../../contract/message.ts";

/** A number that may have been meant. */
export interface Suggestion {
  readonly iban?: string;
  readonly kontonummer?: string;
  readonly bankleitzahl?: string;
  readonly kind: string;
  readonly positions: readonly number[];
  readonly bank: string;
  readonly bic: string | null;
}

/** What a check with `explain=1&suggest=1` answers, of an IBAN or of an account number. */
export interface CheckAnswer {
  readonly status: number;
  readonly message: string;
  readonly data: {
    readonly iban: string | null;
    readonly bic: string | null;
    readonly kto: string | number;
    readonly blz: string;
    readonly bank: string;
    readonly zip: string;
    readonly location: string;
    readonly country: string;
    readonly sepa_methods?: Readonly<Record<string, number>>;
    readonly checks: readonly CheckEntry[];
    readonly messages: readonly Message[];
    readonly suggestions?: readonly Suggestion[] | null;
  };
}
