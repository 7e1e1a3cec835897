import type { ErrorAnswer } from "./api-types.ts";
import { BankcheckError } from "./errors.ts";

/** What a client says of a request to be sent. */
export interface FetchInit {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What a client reads of an answer. */
export interface FetchedAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Sends one request: the platform's `fetch`, or what behaves like it as far as this goes. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedAnswer>;

/** One request of the service. */
export interface ServiceRequest {
  readonly url: string;
  readonly apiKey: string;
  readonly body: string;
  /** How long the whole answer may take, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** Reads what is asked for from the text of an answer; throws where the text is no such answer. */
export type ReadAnswer<Answer> = (text: string) => Answer;

/**
 * Posts a JSON body once and gives what `read` makes of the answer.
 *
 * Throws a BankcheckError for every answer but 2xx and for what happens to the connection; the signal's reason when it
 * is aborted.
 */
export async function exchange<Answer>(
  fetch: Fetch,
  request: ServiceRequest,
  read: ReadAnswer<Answer>,
): Promise<Answer> {
  const { url, apiKey, body, timeout, signal } = request;
  signal?.throwIfAborted();
  // AbortSignal.any would do, but in Node 20 what it makes lives as long as the caller's signal.
  const attempt = new AbortController();
  const abort = () => attempt.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(
    () => attempt.abort(new BankcheckError("timed_out", `No whole answer came within ${timeout} ms.`)),
    timeout,
  );
  try {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${apiKey}` };
    const response = await fetch(url, { method: "POST", headers, body, signal: attempt.signal });
    const text = await response.text();
    if (!response.ok) throw errorOf(response, text);
    return readAnswer(text, response.status, read);
  } catch (error) {
    if (error instanceof BankcheckError) throw error;
    if (attempt.signal.aborted) throw attempt.signal.reason;
    throw new BankcheckError("unreachable", `The service cannot be reached: ${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function readAnswer<Answer>(text: string, httpStatus: number, read: ReadAnswer<Answer>): Answer {
  try {
    return read(text);
  } catch (cause) {
    throw new BankcheckError("invalid_answer", "What answered is not the service: no such JSON came.", {
      httpStatus,
      cause,
    });
  }
}

function errorOf(response: FetchedAnswer, text: string): BankcheckError {
  const { status: httpStatus } = response;
  const retryAfter = retryAfterOf(response.headers.get("Retry-After"));
  try {
    const { code, message, field } = (JSON.parse(text) as ErrorAnswer).error;
    return new BankcheckError(code, message, { httpStatus, field, retryAfter });
  } catch (cause) {
    // A proxy in front of the service answers in its own words; what it says of the service passes by.
    const code = passingStatuses.get(httpStatus) ?? "invalid_answer";
    return new BankcheckError(code, `The answer was HTTP status ${httpStatus}.`, {
      httpStatus,
      retryAfter,
      cause,
    });
  }
}

const passingStatuses = new Map([
  [502, "unreachable"],
  [503, "server_busy"],
  [504, "timed_out"],
] as const) as ReadonlyMap<number, "unreachable" | "server_busy" | "timed_out">;

/** Source: RFC 9110, section 10.2.3; the form with a date is not used by the service. */
function retryAfterOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

/** Node's fetch says "fetch failed" and keeps the reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  return cause.message || String((cause as Error & { code?: string }).code ?? message);
}
