import type { ErrorObject } from "../contract/api-types.ts";

/** An error code of the service, or what went wrong on the way to it and back. */
export type BankcheckErrorCode =
  | ErrorObject["code"]
  | "unreachable"
  | "timed_out"
  | "rate_limited"
  | "untrusted_certificate"
  | "wrong_protocol"
  | "unknown_host"
  | "invalid_answer"
  | "incomplete_answer";

/** Details of a failed request. */
export interface BankcheckErrorDetail {
  /** HTTP status of the answer; undefined if none came. */
  readonly httpStatus?: number | undefined;
  /** The input field at fault, where there is one. */
  readonly field?: string | undefined;
  /** How long the service asks to wait before the request is sent again, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The id by which the service's log names the request. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A request that the service refused, or that did not get an answer.
 *
 * @example
 * const error = await client.check("DE89370400440532013000", { bic: "X" }).catch((reason) => reason);
 * [error.code, error.httpStatus, error.field, error.isRetryable] // → ["invalid_bic", 400, "bic", false]
 */
export class BankcheckError extends Error {
  override readonly name = "BankcheckError";
  readonly code: BankcheckErrorCode;
  readonly httpStatus: number | undefined;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(code: BankcheckErrorCode, message: string, detail: BankcheckErrorDetail = {}) {
    super(message, { cause: detail.cause });
    this.code = code;
    this.httpStatus = detail.httpStatus;
    this.field = detail.field;
    this.retryAfter = detail.retryAfter;
    this.requestId = detail.requestId;
  }

  /** Whether the same request may succeed when it is sent again. */
  get isRetryable(): boolean {
    return retryableCodes.has(this.code);
  }

  /** Whether the service, or a proxy before it, had no capacity for the request. */
  get isBusy(): boolean {
    return this.code === "server_busy" || this.code === "rate_limited";
  }
}

/** Source: interface specification, section "Errors"; beyond it, what happens to a connection. */
const retryableCodes: ReadonlySet<BankcheckErrorCode> = new Set([
  "server_busy",
  "internal_error",
  "checker_failed",
  "unreachable",
  "unknown_host",
  "timed_out",
  "rate_limited",
]);
