export type * from "./api-types.ts";
export {
  BankcheckClient,
  type CallOptions,
  type CheckOptions,
  type ManyOptions,
} from "./client.ts";
export { BankcheckError, type BankcheckErrorCode, type BankcheckErrorDetail } from "./errors.ts";
export type { AnswerFacts, Fetch, FetchedAnswer, FetchInit } from "./fetch-answer.ts";
export type { ClientOptions, RetryNotice, RetryRules } from "./options.ts";
export type { Account, AccountEntry } from "./sender.ts";
