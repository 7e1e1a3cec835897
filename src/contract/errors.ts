import type { ErrorAnswer } from "./api-types.ts";
import type { Language } from "./language.ts";
import { maxBatchIbans, maxBodyBytes, maxSearchResults, retryAfterSeconds } from "./limits.ts";
import { type Message, type MessageId, textOf } from "./message.ts";

export interface ErrorEntry {
  readonly http_status: number;
  /** Parameters of its sentence, whose id is the code. */
  readonly params?: Readonly<Record<string, number>>;
  /** The input field the code is always about; codes without one may still name a field where they are raised. */
  readonly field?: string;
  /** Response headers that are always the same. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A response header whose value depends on the request. */
  readonly header?: string;
  /** Whether the same request may succeed when it is sent again. */
  readonly retry?: true;
}

/**
 * The catalogue of every error code of the service.
 *
 * Source: interface specification, section "Errors". README, OpenAPI, the answers and the client's retries are made from
 * this table.
 */
export const errorCatalogue = {
  invalid_key: { http_status: 401, headers: { "WWW-Authenticate": "Bearer" } },
  invalid_iban: { http_status: 400, field: "iban" },
  invalid_bic: { http_status: 400, field: "bic" },
  invalid_kontonummer: { http_status: 400, field: "kontonummer" },
  invalid_blz: { http_status: 400, field: "bankleitzahl" },
  batch_size_invalid: { http_status: 400, params: { max: maxBatchIbans } },
  invalid_batch_ibans: { http_status: 400, field: "ibans" },
  conflicting_iban_fields: { http_status: 400 },
  invalid_content_type: { http_status: 400 },
  payload_too_large: { http_status: 413, params: { max: maxBodyBytes / 1_024 } },
  invalid_zip: { http_status: 400, field: "zip" },
  invalid_json: { http_status: 400 },
  missing_search_criteria: { http_status: 400 },
  invalid_max: { http_status: 400, params: { max: maxSearchResults }, field: "max" },
  invalid_sepa: { http_status: 400, field: "sepa" },
  invalid_request: { http_status: 400 },
  method_not_allowed: { http_status: 405, header: "Allow" },
  forbidden: { http_status: 403 },
  not_found: { http_status: 404 },
  internal_error: { http_status: 500, retry: true },
  checker_failed: { http_status: 500, retry: true },
  server_busy: { http_status: 503, headers: { "Retry-After": String(retryAfterSeconds) }, retry: true },
  configuration_error: { http_status: 500 },
} as const satisfies { readonly [Code in MessageId]?: ErrorEntry };

export type ErrorCode = keyof typeof errorCatalogue;

/** Details of a raised error beyond its row of the catalogue. */
export interface ErrorDetail {
  readonly message?: Message;
  readonly field?: string;
}

export interface ErrorForm {
  readonly language: Language;
  /** Whether sentences come with their ids. */
  readonly explain: boolean;
}

/** Returns the sentence of a code unless the place that raises it says more. */
export function errorMessage(code: ErrorCode): Message {
  const { params }: ErrorEntry = errorCatalogue[code];
  return params === undefined ? { id: code } : { id: code, params };
}

/** Builds the answer of an error with its fields in the specified order; `detail` replaces the catalogue's message and field. */
export function errorBody(
  code: ErrorCode,
  detail: ErrorDetail = {},
  { language, explain }: ErrorForm = { language: "en", explain: false },
): ErrorAnswer {
  const entry: ErrorEntry = errorCatalogue[code];
  const field = detail.field ?? entry.field;
  const message = detail.message ?? errorMessage(code);
  return {
    error: {
      http_status: errorCatalogue[code].http_status,
      code,
      message: textOf(message, language),
      ...(field === undefined ? {} : { field }),
      ...(explain ? { messages: [message] } : {}),
    },
  };
}

/** V8 and others have the limit, the language does not. */
const stacks: typeof Error & { stackTraceLimit?: number | undefined } = Error;

/** A refusal of a request that a layer below the HTTP server raises as an exception. */
export class RequestError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail | undefined;

  constructor(code: ErrorCode, detail?: ErrorDetail) {
    // A refusal is an answer, not a fault: collecting its stack would cost more than all the rest of it.
    const { stackTraceLimit } = stacks;
    stacks.stackTraceLimit = 0;
    super();
    stacks.stackTraceLimit = stackTraceLimit;
    this.name = "RequestError";
    this.code = code;
    this.detail = detail;
  }

  /** The fault in English, for logs and command lines. */
  override get message(): string {
    return textOf(this.detail?.message ?? errorMessage(this.code), "en");
  }
}
