export type * from "./api-types.ts";
export {
  BankcheckClient,
  type CallOptions,
  type CheckOptions,
  type ClientOptions,
} from "./client.ts";
export { BankcheckError, type BankcheckErrorCode, type BankcheckErrorDetail } from "./errors.ts";
export type { Fetch, FetchedAnswer, FetchInit } from "./exchange.ts";
export type { RetryRules } from "./retry.ts";
