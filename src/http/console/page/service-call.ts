/** One check of an answer asked for with `explain=1`. */
export interface Check {
  readonly check: string;
  readonly result: "passed" | "failed" | "unknown" | "not_applicable";
  readonly detail?: string;
  readonly position?: { readonly start: number; readonly length: number };
  readonly expected?: readonly string[];
}

/** What a check with `explain=1` answers, of an IBAN or of an account number. */
export interface CheckAnswer {
  readonly status: number;
  readonly message: string;
  readonly data: {
    readonly bic: string | null;
    readonly bank: string;
    readonly zip: string;
    readonly location: string;
    readonly sepa_methods?: Readonly<Record<string, number>>;
    readonly checks: readonly Check[];
  };
}

/** An answer of the service that is an error, with its HTTP status. */
export class ServiceError extends Error {
  readonly httpStatus: number;

  constructor(httpStatus: number, message: string) {
    super(message);
    this.httpStatus = httpStatus;
  }
}

/** Asks the service for a check; a `ServiceError` says why there is none, any other error that it was not reached. */
export async function requestCheck(path: string, key: string, signal: AbortSignal): Promise<CheckAnswer> {
  const answer = await fetch(path, { headers: { "X-API-Key": key }, signal });
  const body = await answer.json();
  if (!answer.ok) throw new ServiceError(answer.status, body.error.message);
  return body;
}
