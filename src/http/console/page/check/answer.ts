/** One check of an answer asked for with `explain=1`. */
export interface Check {
  readonly check: string;
  readonly result: "passed" | "failed" | "unknown" | "not_applicable";
  readonly detail?: string;
  readonly position?: { readonly start: number; readonly length: number };
  readonly expected?: readonly string[];
}

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
    readonly checks: readonly Check[];
  };
}
