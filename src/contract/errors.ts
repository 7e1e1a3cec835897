/** One row of the error catalogue: what a client gets for a code unless the place that raises it says more. */
export interface ErrorEntry {
  readonly http_status: number;
  readonly message: string;
  /** The input field the code always speaks of; codes without one may still name a field where they are raised. */
  readonly field?: string;
}

/**
 * The catalogue of every error code the service answers with: HTTP status, message and field.
 *
 * Source: interface specification, section "Errors". README, OpenAPI and the answers are made from this table.
 */
export const errorCatalogue = {
  invalid_key: { http_status: 401, message: "The API key is missing or not valid." },
  invalid_iban: {
    http_status: 400,
    message:
      "The IBAN is too short, does not begin with two letters, or contains characters other than letters and digits.",
    field: "iban",
  },
  invalid_bic: {
    http_status: 400,
    message:
      "The BIC is not in ISO 9362 format: 8 or 11 characters, first six letters, then letters or digits.",
    field: "bic",
  },
  invalid_kontonummer: {
    http_status: 400,
    message: "The account number (kontonummer) is missing, zero, or contains characters other than digits.",
    field: "kontonummer",
  },
  invalid_blz: {
    http_status: 400,
    message: "The bank code (bankleitzahl) is missing or contains characters other than digits.",
    field: "bankleitzahl",
  },
  batch_size_invalid: { http_status: 400, message: "A batch must contain 1 to 500 IBANs." },
  invalid_batch_ibans: {
    http_status: 400,
    message: "The field ibans must be an array of strings.",
    field: "ibans",
  },
  conflicting_iban_fields: {
    http_status: 400,
    message: "The body must contain either iban or ibans, not both.",
  },
  invalid_content_type: { http_status: 400, message: "The Content-Type must be application/json." },
  payload_too_large: { http_status: 413, message: "The request body is larger than the maximum of 128 KB." },
  invalid_zip: { http_status: 400, message: "The postal code (zip) must contain digits only.", field: "zip" },
  invalid_json: { http_status: 400, message: "The request body is valid JSON but not an object." },
  missing_search_criteria: {
    http_status: 400,
    message: "At least one of name, location, zip and bankleitzahl is required.",
  },
  invalid_max: { http_status: 400, message: "max must be between 1 and 50.", field: "max" },
  invalid_sepa: { http_status: 400, message: "sepa must be 0 or 1.", field: "sepa" },
  invalid_request: {
    http_status: 400,
    message: "The request does not match any endpoint or is not valid JSON.",
  },
  method_not_allowed: { http_status: 405, message: "The method is not allowed here." },
  forbidden: { http_status: 403, message: "Access to this resource is not allowed." },
  not_found: { http_status: 404, message: "The resource does not exist." },
  internal_error: {
    http_status: 500,
    message: "An unexpected server error occurred; the request can usually be retried unchanged.",
  },
  checker_failed: {
    http_status: 500,
    message: "The check could not be performed although the request was valid; please retry.",
  },
  server_busy: {
    http_status: 503,
    message: "All processing slots for checks are in use; resend the request unchanged after the wait.",
  },
  configuration_error: {
    http_status: 500,
    message: "The server configuration could not be loaded; a retry does not help.",
  },
} as const satisfies Record<string, ErrorEntry>;

/** A code of the error catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;

/** What one raised error may say beyond its row of the catalogue. */
export interface ErrorDetail {
  readonly message?: string;
  readonly field?: string;
}

/** The JSON object of an error answer, with its fields in the specified order. */
export interface ErrorBody {
  readonly error: {
    readonly http_status: number;
    readonly code: ErrorCode;
    readonly message: string;
    readonly field?: string;
  };
}

/** Builds the error object for a code; `detail` replaces the catalogue's message and field. */
export function errorBody(code: ErrorCode, detail: ErrorDetail = {}): ErrorBody {
  const entry: ErrorEntry = errorCatalogue[code];
  const field = detail.field ?? entry.field;
  const message = detail.message ?? entry.message;
  return {
    error: {
      http_status: entry.http_status,
      code,
      message,
      ...(field === undefined ? {} : { field }),
    },
  };
}

/** A refusal of a request that a layer below the HTTP server raises as an exception. */
export class RequestError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail | undefined;

  constructor(code: ErrorCode, detail?: ErrorDetail) {
    // A refusal is an answer, not a fault: collecting its stack would cost more than all the rest of it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail?.message ?? errorCatalogue[code].message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "RequestError";
    this.code = code;
    this.detail = detail;
  }
}
