/** One entry of the answer to a batch, as far as it is shown. */
export interface BatchEntry {
  readonly valid: boolean;
  readonly status: number;
  readonly data?: {
    readonly bic: string | null;
    readonly bank: string;
    readonly zip: string;
    readonly location: string;
    readonly country: string;
    readonly sepa_methods?: Readonly<Record<string, number>>;
  };
  readonly error?: { readonly code: string };
}

/** The answer to a batch. */
export interface BatchAnswer {
  readonly batch: { readonly results: readonly BatchEntry[] };
}
