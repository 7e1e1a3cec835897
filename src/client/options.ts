import type { Fetch } from "./exchange.ts";
import { defaultRetryRules, maxDelay, type RetryRules } from "./retry.ts";
import type { RetryNotice, SenderOptions } from "./sender.ts";

/** How a client reaches the service. */
export interface ClientOptions extends Partial<RetryRules> {
  /** Address of the service, `https://bankcheck.example`; a path in it is kept. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How long one answer may take, in milliseconds; 30,000 unless given. */
  readonly timeout?: number;
  /** The most requests in flight, 1 to 64; 4 unless given. Fewer are while the service is busy. */
  readonly concurrency?: number;
  /** Called before each wait for a retry. */
  readonly onRetry?: (notice: RetryNotice) => void;
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch;
}

/** Checks the options of a client and fills in the defaults. Throws a RangeError; no message repeats the API key. */
export function senderOptions(options: ClientOptions): SenderOptions {
  const { timeout = 30_000, concurrency = 4, fetch, onRetry } = options;
  const { retries, firstDelay, longestDelay, giveUpAfter } = defaultRetryRules;
  const rules = {
    retries: options.retries ?? retries,
    firstDelay: options.firstDelay ?? firstDelay,
    longestDelay: options.longestDelay ?? longestDelay,
    giveUpAfter: options.giveUpAfter ?? giveUpAfter,
  };
  expectInteger("timeout", timeout, 1, maxDelay);
  expectInteger("concurrency", concurrency, 1, 64);
  expectInteger("retries", rules.retries, 0, 1_000);
  expectInteger("firstDelay", rules.firstDelay, 0, maxDelay);
  expectInteger("longestDelay", rules.longestDelay, 0, maxDelay);
  if (!(rules.giveUpAfter >= 0)) throw new RangeError("giveUpAfter must be 0 milliseconds or more.");
  return {
    baseUrl: addressOf(options.baseUrl),
    apiKey: keyOf(options.apiKey),
    timeout,
    concurrency,
    rules,
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    onRetry,
  };
}

function addressOf(baseUrl: string): string {
  const address = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isHttp = address?.protocol === "http:" || address?.protocol === "https:";
  if (address === undefined || !isHttp) {
    throw new RangeError(
      `baseUrl must be an address like https://bankcheck.example, but is ${JSON.stringify(baseUrl)}.`,
    );
  }
  if (address.username !== "" || address.password !== "" || address.search !== "" || address.hash !== "") {
    throw new RangeError("baseUrl must be an address without a user name, password, query or fragment.");
  }
  return baseUrl.replace(/\/+$/, "");
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
