import { BankcheckError } from "./errors.ts";

/** How failed requests are sent again. */
export interface RetryRules {
  /** How often a request is sent again before it is given up, 0 to 1,000. */
  readonly retries: number;
  /** Wait before the first retry, in milliseconds; each further wait is twice as long. */
  readonly firstDelay: number;
  /** The longest such wait, in milliseconds. */
  readonly longestDelay: number;
  /** No retry begins later than this many milliseconds after the call; Infinity for no such bound. */
  readonly giveUpAfter: number;
}

/** Rules that outlast a restart of the service: eight retries within about a minute. */
export const defaultRetryRules: RetryRules = {
  retries: 8,
  firstDelay: 250,
  longestDelay: 30_000,
  giveUpAfter: Number.POSITIVE_INFINITY,
};

/** The longest time a platform's timer can wait, in milliseconds. */
export const maxDelay = 2_147_483_647;

/**
 * Returns how long to wait before a request is sent again, in milliseconds, or undefined where it is to be given up.
 *
 * Never less than the service asks for. Up to a quarter is added by chance, so that many clients do not come back at
 * once.
 *
 * @param retry number of the retry, from 0.
 * @param elapsed milliseconds since the call began.
 * @param chance a number from 0 to 1.
 */
export function retryDelay(
  error: unknown,
  retry: number,
  rules: RetryRules,
  elapsed: number,
  chance: number,
): number | undefined {
  if (!(error instanceof BankcheckError) || !error.isRetryable || retry >= rules.retries) return undefined;
  const backoff = Math.min(rules.longestDelay, rules.firstDelay * 2 ** retry);
  const delay = Math.max(error.retryAfter ?? 0, backoff);
  if (elapsed + delay > rules.giveUpAfter) return undefined;
  return Math.min(maxDelay, delay * (1 + chance / 4));
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
