export type * from "../contract/api-types.ts";
export type {
  AccountOptions,
  CallOptions,
  CheckOptions,
  LanguageOptions,
  ManyOptions,
} from "./call-options.ts";
export { BankcheckClient } from "./client.ts";
export { BankcheckError, type BankcheckErrorCode, type BankcheckErrorDetail } from "./errors.ts";
export type { AnswerFacts, Fetch, FetchedAnswer, FetchInit } from "./fetch-answer.ts";
export type { Account, AccountEntry, IbanEntry, IbanWithBic } from "./many.ts";
export type { ClientOptions, RetryNotice, RetryRules } from "./options.ts";
