import { expectOptions } from "./call-options.ts";
import { Change } from "./change.ts";
import { BankcheckError } from "./errors.ts";
import type { Fetch } from "./fetch-answer.ts";
import { fetchOverHttp } from "./fetch-over-http.ts";

/** Options of a client. */
export interface ClientOptions extends Partial<RetryRules> {
  /** Address of the service, `https://bankcheck.example`; a path in it is kept. In browsers a path alone, `/api`, is of the page's origin. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How long one answer may take, in milliseconds; 30,000 unless given. */
  readonly timeout?: number;
  /** Maximum number of requests in flight, 1 to 64; 4 unless given. Fewer are while the service is busy. */
  readonly concurrency?: number;
  /** Called before each wait for a retry. */
  readonly onRetry?: (notice: RetryNotice) => void;
  /** Used instead of Node's HTTP client, or of the browser's `fetch`; it never receives a body in pieces. */
  readonly fetch?: Fetch;
}

/** A request that will be sent again. */
export interface RetryNotice {
  readonly error: BankcheckError;
  /** Number of the retry, from 1. */
  readonly retry: number;
  /** How long it waits, in milliseconds. */
  readonly delay: number;
  /** Whether every other request waits as well, since the service as a whole is away or busy. */
  readonly pausesAll: boolean;
}

/** The longest time a platform's timer can wait, in milliseconds. */
const maxTimerMs = 2_147_483_647;

/** Default options; eight retries within a minute let requests outlast a restart of the service. */
export const defaults: Required<Omit<ClientOptions, "baseUrl" | "apiKey" | "onRetry">> = {
  timeout: 30_000,
  concurrency: 4,
  retries: 8,
  minDelayMs: 250,
  maxDelayMs: 30_000,
  giveUpAfter: Number.POSITIVE_INFINITY,
  fetch: fetchOverHttp ?? ((url, init) => globalThis.fetch(url, init)),
};

/** Options with their defaults; the address has no slash at its end. */
export type SenderOptions = ClientOptions & typeof defaults;

/** Checks the options of a client and fills in the defaults. Throws a RangeError; no message repeats the API key. */
export function senderOptions(options: ClientOptions): SenderOptions {
  expectOptions(options, [...Object.keys(defaults), "baseUrl", "apiKey", "onRetry"]);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const all = { ...defaults, ...Object.fromEntries(given) } as SenderOptions;
  expectInteger("timeout", all.timeout, 1, maxTimerMs);
  expectInteger("concurrency", all.concurrency, 1, 64);
  expectInteger("retries", all.retries, 0, 1_000);
  expectInteger("minDelayMs", all.minDelayMs, 0, maxTimerMs);
  expectInteger("maxDelayMs", all.maxDelayMs, 0, maxTimerMs);
  if (!(all.giveUpAfter >= 0)) throw new RangeError("giveUpAfter must be 0 milliseconds or more.");
  return { ...all, baseUrl: addressOf(options.baseUrl), apiKey: keyOf(options.apiKey) };
}

function addressOf(baseUrl: string): string {
  // A path is of the page's own origin.
  const page = baseUrl.startsWith("/")
    ? (globalThis as { readonly location?: { readonly href: string } }).location?.href
    : undefined;
  const address = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined;
  const isHttp = address?.protocol === "http:" || address?.protocol === "https:";
  if (address === undefined || !isHttp) {
    throw new RangeError(
      `baseUrl must be an address like https://bankcheck.example, but is ${JSON.stringify(baseUrl)}.`,
    );
  }
  if (address.username !== "" || address.password !== "" || address.search !== "" || address.hash !== "") {
    throw new RangeError("baseUrl must be an address without a user name, password, query or fragment.");
  }
  return (address.origin + address.pathname).replace(/\/+$/, "");
}

/** A header carries a key as it is, so that it can hold nothing but visible ASCII. */
function keyOf(apiKey: string): string {
  if (typeof apiKey === "string" && /^[!-~]+$/.test(apiKey)) return apiKey;
  throw new RangeError("apiKey must be one or more visible ASCII characters without spaces.");
}

function expectInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} must be an integer from ${min} to ${max}, but is ${value}.`);
}

/** Rules for retrying failed requests. */
export interface RetryRules {
  /** Maximum number of retries of a request, 0 to 1,000. */
  readonly retries: number;
  /** Wait before the first retry, in milliseconds; each further wait is twice as long. */
  readonly minDelayMs: number;
  /** The longest such wait, in milliseconds. */
  readonly maxDelayMs: number;
  /** No retry begins later than this many milliseconds after the call; Infinity for no such bound. */
  readonly giveUpAfter: number;
}

/** A name may be unknown while a network comes up; after this time it is taken for wrong. */
const maxUnknownHostMs = 10_000;

/**
 * Returns how long to wait before a request is sent again, in milliseconds, or undefined if it must be given up.
 *
 * Never less than the service asks for. Up to a quarter is added at random, so that many clients do not retry at
 * once: `chance`, from 0 to 1, says how much. `retry` counts from 0, `elapsed` milliseconds since the call began.
 */
export function retryDelay(
  error: unknown,
  retry: number,
  rules: RetryRules,
  elapsed: number,
  chance: number,
): number | undefined {
  if (!(error instanceof BankcheckError) || !error.isRetryable || retry >= rules.retries) return undefined;
  const backoff = Math.min(rules.maxDelayMs, rules.minDelayMs * 2 ** retry);
  const delay = Math.max(error.retryAfter ?? 0, backoff);
  const giveUpAfter =
    error.code === "unknown_host" ? Math.min(maxUnknownHostMs, rules.giveUpAfter) : rules.giveUpAfter;
  if (elapsed + delay > giveUpAfter) return undefined;
  return Math.min(maxTimerMs, delay * (1 + chance / 4));
}

/** Waits; rejects with the signal's reason when it is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const end = new Change();
  const abort = () => end.happened();
  signal?.addEventListener("abort", abort);
  if (signal?.aborted !== true) await end.next(milliseconds);
  signal?.removeEventListener("abort", abort);
  signal?.throwIfAborted();
}
