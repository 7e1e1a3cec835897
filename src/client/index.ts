export type * from "./api-types.ts";
export {
  type Account,
  type AccountEntry,
  BankcheckClient,
  type CallOptions,
  type CheckOptions,
  type ManyOptions,
} from "./client.ts";
export { BankcheckError, type BankcheckErrorCode, type BankcheckErrorDetail } from "./errors.ts";
export type { AnswerFacts, Fetch, FetchedAnswer, FetchInit } from "./fetch-answer.ts";
export type { ClientOptions, RetryNotice, RetryRules } from "./options.ts";
