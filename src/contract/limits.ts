/** The largest request body the service takes: 128 KB. Source: interface specification, section "Limits". */
export const maxBodyBytes = 131_072;

/** The most IBANs that one batch may contain. Source: interface specification, section "Limits". */
export const maxBatchIbans = 500;

/** Upper bounds of the buckets of every duration histogram, in milliseconds. */
export const durationBounds = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000,
] as const;
