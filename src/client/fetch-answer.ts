import type { ErrorAnswer } from "../contract/api-types.ts";
import { BankcheckError, type BankcheckErrorCode } from "./errors.ts";

/** A request as it is given to `fetch`. */
export interface FetchInit {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for GET. */
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** The part of a `Response` that the client reads. */
export interface FetchedAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** A readable stream of bytes, or anything else that yields them; otherwise the text is read at once. */
  readonly body?: unknown;
}

/** Sends one request: the platform's `fetch`, or what behaves like it as far as this goes. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedAnswer>;

/** A request whose body may be bytes, or be sent in pieces while its answer comes. */
export interface PiecewiseInit extends Omit<FetchInit, "body"> {
  readonly body?: string | Uint8Array | AsyncIterable<string>;
}

/** A `fetch` that also sends a body in pieces, which those of browsers do not. */
export interface PiecewiseFetch {
  (url: string, init: PiecewiseInit): Promise<FetchedAnswer>;
  readonly sendsPieces: true;
}

/** Facts about an answer from its headers. */
export interface AnswerFacts {
  /** The id by which the service's log names the request. */
  readonly requestId: string | undefined;
  /** The edition of the bank data that answered; undefined for what needs none. */
  readonly edition: string | undefined;
}

/** One call: its request, and how its answer is read. */
export interface Call<Answer> {
  readonly path: string;
  /** A JSON document to post, or what `POST /v1/stream` answers in parts; GET if it is undefined. */
  readonly body?: string | StreamedBody | undefined;
  /** Sent as `X-Request-Id`; the service makes an id if it is undefined. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Reads the requested data from the text of an answer, empty if it came in parts; throws if the text is another answer. */
  readonly read: (text: string, facts: AnswerFacts) => Answer;
}

/** Lines or rows that one request asks, and that are answered one after the other. */
export interface StreamedBody {
  readonly mediaType: string;
  readonly answered: number;
  /** Whether nothing is left to ask for. */
  readonly isComplete: boolean;
  /** Begins an attempt; returns what has no answer. */
  begin(): string | Uint8Array | AsyncIterable<string>;
  /** Takes a part of the answer as it comes. */
  take(bytes: Uint8Array): void;
}

interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How long the whole answer may take, or until the next part of one that is read in parts, in milliseconds. */
  readonly timeout: number;
  readonly fetch: Fetch | PiecewiseFetch;
}

/**
 * Makes one attempt at a call and returns what its `read` makes of the answer.
 *
 * Throws a BankcheckError for every answer but 2xx and for what happens to the connection; the signal's reason when it
 * is aborted.
 */
export async function fetchAnswer<Answer>(
  { baseUrl, apiKey, timeout, fetch }: Service,
  { path, body, requestId: givenId, signal, read }: Call<Answer>,
): Promise<Answer> {
  signal?.throwIfAborted();
  const streamed = typeof body === "object" ? body : undefined;
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(givenId === undefined ? {} : { "X-Request-Id": givenId }),
  };
  const init: Omit<PiecewiseInit, "signal"> =
    body === undefined
      ? { method: "GET", headers }
      : {
          method: "POST",
          headers: { "Content-Type": streamed?.mediaType ?? "application/json", ...headers },
          body: typeof body === "object" ? body.begin() : body,
        };
  // AbortSignal.any would do, but in Node 20 what it makes lives as long as the caller's signal.
  const attempt = new AbortController();
  const abort = () => attempt.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const late = `The service did not answer in full within ${timeout} ms.`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => attempt.abort(new BankcheckError("timed_out", late)), timeout);
  };
  restart();
  let response: FetchedAnswer;
  let text = "";
  try {
    response = await (fetch as PiecewiseFetch)(baseUrl + path, { ...init, signal: attempt.signal });
    if (streamed === undefined || !response.ok) text = await response.text();
    else {
      for await (const part of partsOf(response, streamed)) {
        restart();
        streamed.take(part);
      }
    }
  } catch (error) {
    if (error instanceof BankcheckError) throw error;
    throw attempt.signal.aborted ? attempt.signal.reason : connectionError(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
  const { ok, status: httpStatus, headers: answered } = response;
  const requestId = answered.get("X-Request-Id") ?? undefined;
  if (!ok) throw errorOf(response, text, requestId);
  try {
    return read(text, { requestId, edition: answered.get("X-Data-Edition") ?? undefined });
  } catch (cause) {
    if (cause instanceof BankcheckError) throw cause;
    const message = "The answer is not from this service: it is not the expected JSON.";
    throw new BankcheckError("invalid_answer", message, { httpStatus, cause });
  }
}

/** An answer that breaks off once all that is wanted is there is whole. */
async function* partsOf(answer: FetchedAnswer, wanted: StreamedBody): AsyncGenerator<Uint8Array, void, void> {
  const body = answer.body as Partial<AsyncIterable<Uint8Array>> & Partial<ReadableStream<Uint8Array>>;
  try {
    if (body?.[Symbol.asyncIterator] !== undefined) yield* body as AsyncIterable<Uint8Array>;
    else if (body?.getReader === undefined) yield new TextEncoder().encode(await answer.text());
    else {
      // Not every browser can iterate over what fetch answers.
      const reader = body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    }
  } catch (error) {
    if (!wanted.isComplete) throw error;
  }
}

function errorOf(
  { status: httpStatus, headers }: FetchedAnswer,
  text: string,
  requestId: string | undefined,
): BankcheckError {
  const detail = { httpStatus, requestId, retryAfter: retryAfterOf(headers.get("Retry-After"), Date.now()) };
  try {
    const { code, message, field } = (JSON.parse(text) as ErrorAnswer).error;
    if (typeof code === "string" && typeof message === "string")
      return new BankcheckError(httpStatus === 429 ? "rate_limited" : code, message, { ...detail, field });
  } catch {
    // A proxy in front of the service has written it.
  }
  const code = passingStatuses.get(httpStatus) ?? (httpStatus >= 500 ? "unreachable" : "invalid_answer");
  return new BankcheckError(code, `The answer was HTTP status ${httpStatus}.`, detail);
}

/** What the status of a proxy's answer says where waiting may help. */
const passingStatuses: ReadonlyMap<number, BankcheckErrorCode> = new Map([
  [408, "timed_out"],
  [429, "rate_limited"],
  [500, "internal_error"],
  [503, "server_busy"],
  [504, "timed_out"],
]);

/** Seconds, or a date. Source: RFC 9110, section 10.2.3. */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = /[A-Za-z]/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** What is wrong with a connection by the code of its error; only with the last one waiting helps. Source: Node.js, "Common system errors". */
const faults: readonly (readonly [RegExp, BankcheckErrorCode, fault: string, advice: string])[] = [
  [
    /CERT|^UNABLE_TO_/,
    "untrusted_certificate",
    "The certificate of the service is not trusted",
    "; name the certificate of its authority in NODE_EXTRA_CA_CERTS",
  ],
  [
    /^(?:EPROTO|ERR_SSL_\w*(?:WRONG_VERSION|PROTOCOL|HANDSHAKE_FAILURE|PACKET_LENGTH)\w*|HPE_INVALID_(?:CONSTANT|VERSION|STATUS))$/,
    "wrong_protocol",
    "The server speaks another protocol, or another version of TLS",
    "; look at the address",
  ],
  [/^ENOTFOUND$/, "unknown_host", "The name of the host is not known", ""],
  [/^/, "unreachable", "The service cannot be reached", ""],
];

function connectionError(cause: unknown): BankcheckError {
  const { message, code = "" } = systemErrorOf(cause as Error);
  // OpenSSL says where in its source it found out, between colons.
  const reason = (message || code).replace(/^.*SSL routines:[^:]*:([^:]+):.*$/s, "$1").trim();
  const [, kind, fault, advice] = faults.find(([codes]) => codes.test(code))!;
  return new BankcheckError(kind, `${fault}: ${reason}${advice}.`, { cause });
}

/** Node's fetch says "fetch failed" and keeps the system's error in its cause. */
function systemErrorOf(error: Error & { readonly code?: string }): typeof error {
  const { code, cause } = error;
  return typeof code !== "string" && cause instanceof Error ? systemErrorOf(cause) : error;
}
