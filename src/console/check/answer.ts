import type { CheckEntry } from "../../contract/check-entry.ts";
import type { Message } from "../../contract/message.ts";

/** What a check with `explain=1` answers, of an IBAN or of an account number. */
export interface CheckAnswer {
  readonly status: number;
  readonly message: string;
  readonly data: {
    readonly bic: string | null;
    readonly bank: string;
    readonly zip: string;
    readonly location: string;
    readonly sepa_methods?: Readonly<Record<string, number>>;
    readonly checks: readonly CheckEntry[];
    readonly messages: readonly Message[];
  };
}
