/** What is checked of a row: an IBAN, or an account number with its bank code. */
export type RowNumber = string | { readonly kontonummer: string; readonly blz: string };

/** One entry of the answer to a batch, as far as it is shown. */
export interface BatchEntry {
  readonly valid: boolean;
  readonly status: number;
  readonly data?: {
    readonly iban?: string | null;
    /** Whether the IBAN was made from an account number. */
    readonly made?: boolean;
    readonly bic: string | null;
    readonly bank: string;
    readonly zip: string;
    readonly location: string;
    readonly country: string;
    readonly sepa_methods?: Readonly<Record<string, number>>;
    /** Why it is not valid, as a word and as a sentence; only for `reason=1`. */
    readonly reason?: string | null;
    readonly message?: string | null;
  };
  readonly error?: { readonly code: string };
}

/** The answer to a batch. */
export interface BatchAnswer {
  readonly batch: { readonly results: readonly BatchEntry[] };
}
