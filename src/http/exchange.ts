import {
  type ErrorCode,
  type ErrorDetail,
  type ErrorEntry,
  errorBody,
  errorCatalogue,
  RequestError,
} from "../contract/errors.ts";
import { type Language, languageOf } from "../contract/language.ts";
import { noRoute } from "../metrics/request-counts.ts";
import type { TaskRequest } from "../pool/requests.ts";
import type { TaskFailure } from "../pool/tasks.ts";
import { addressOf } from "./addresses.ts";
import {
  closing,
  commonHeaders,
  corsHeaders,
  type DataHead,
  dataHeadOf,
  errorTexts,
  everyHeader,
  jsonHeaders,
  keepAlive,
  newRequestNumber,
  requestIdOfNumber,
  statusLines,
} from "./answer-head.ts";
import type { NativeRequest, NativeResponse } from "./native.ts";
import { maxShortBody, OpenResponse, type ServerLife } from "./open-response.ts";
import { type RequestHeaders, readHeaders } from "./request.ts";

/** Answer headers beyond those every answer carries; a `Content-Type` or `Cache-Control` here replaces the usual one. */
export type AnswerHeaders = Readonly<Record<string, string>>;

export type StreamedAnswer = ReturnType<Exchange["beginStream"]>;

const inQuery = /(?:^|&)explain=1(?:&|$)/;

/** A client's own `X-Request-Id`; the service makes one in place of any other. */
const acceptedId = /^[\w.:-]{1,64}$/;

const noBody = new Uint8Array(0);

/** Characters that mean the same percent-encoded. Source: RFC 3986, section 6.2.2.2. */
const needlesslyEncoded = /%(?:3\d|[46][1-9a-f]|[57][\da]|2[de]|5f|7e)/gi;

/** The answer that is being written: a separate function for each would cost as much as what it does. */
const plainAnswer: { exchange?: Exchange; head?: DataHead; body?: Uint8Array } = {};

/** One request and its answer. Holds a copy of what is needed of the native request, which dies when its handler returns. */
export class Exchange extends OpenResponse implements TaskRequest {
  readonly method: string;
  /** Path as sent, percent-encoding untouched. */
  readonly path: string;
  /** Query without the question mark, letters and digits decoded; empty if there is none. */
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly language: Language;
  parameters: readonly string[] = [];
  body: Uint8Array = noBody;
  /** Origin of the web page that sent it and may read the answer; empty if none may. */
  allowedOrigin = "";
  /** Number of the route it led to, for its metrics; 0 for none. */
  route = noRoute;
  failure: TaskFailure | undefined;
  /** When the whole request had arrived, by the pool's clock; 0 as long as it has not. */
  arrivedAt = 0;
  #requestId: string;
  /** Source of the request id if the client sent none. */
  readonly #requestNumber = newRequestNumber();

  constructor(
    response: NativeResponse,
    request: NativeRequest,
    method: string,
    server: ServerLife<Exchange>,
  ) {
    super(response, server);
    this.method = method;
    this.path = request.getUrl();
    const query = request.getQuery() ?? "";
    this.query = query.includes("%") ? query.replace(needlesslyEncoded, decodeURIComponent) : query;
    this.headers = readHeaders(request);
    const { requestId } = this.headers;
    this.#requestId = requestId !== "" && acceptedId.test(requestId) ? requestId : "";
    this.language = languageOf(this.query, this.headers.acceptLanguage);
  }

  /** Identifies the request in its answer and in the log: the client's own, or a new one where it is empty. */
  get requestId(): string {
    this.#requestId ||= requestIdOfNumber(this.#requestNumber);
    return this.#requestId;
  }

  remoteAddress(): string {
    return addressOf(this.response);
  }

  /**
   * Answers with text or with finished bytes, which must stay as they are; does nothing when the exchange is closed.
   * `language` is that of JSON with sentences in it. Borrowed bytes are only valid during the call.
   */
  answer(
    status: number,
    body: Uint8Array | string,
    headers?: AnswerHeaders,
    closeConnection = this.server.stopping,
    language: Language = "en",
    isBorrowed = false,
  ): void {
    if (this.closed) return;
    this.close();
    const isJson = headers?.["Content-Type"] === undefined;
    const mayBeKept = headers?.["Cache-Control"] !== undefined;
    const common = isJson ? jsonHeaders[language] : mayBeKept ? everyHeader : commonHeaders;
    const isBodiless = status === 304 || this.method === "HEAD";
    const isSpared = isBodiless
      ? this.server.takeBodiless()
      : this.holder !== undefined || this.isDetached || this.server.takeKeyless();
    const mustGo = this.holder === undefined && this.server.connections.isCrowded();
    const close = closeConnection || mustGo || this.lastBody !== undefined || (isBodiless && !isSpared);
    const isLater =
      !isSpared || this.lastBody !== undefined || (this.isDetached && (close || this.headers.wantsClose));
    const bytes = isBorrowed && isLater ? Buffer.from(body) : body;
    const write = () => this.#write(status, bytes, common, headers, close, isBorrowed);
    if (closeConnection) this.lastBody?.end();
    if (isLater) this.onNextTurn(write);
    else if (this.isDetached) this.response.cork(write);
    else write();
  }

  /** Answers with what a worker has found in the bank data of an edition: finished JSON bytes. */
  answerFromData(body: Uint8Array, edition: string, etag?: string): void {
    if (this.closed) return;
    const endsConnection = this.server.stopping || this.lastBody !== undefined || this.headers.wantsClose;
    if (endsConnection || etag !== undefined || this.#requestId !== "" || this.allowedOrigin !== "") {
      const headers = { "X-Data-Edition": edition, ...(etag === undefined ? {} : { ETag: etag }) };
      this.answer(200, body, headers, undefined, this.language, true);
      return;
    }
    this.close();
    plainAnswer.exchange = this;
    plainAnswer.head = dataHeadOf(edition, this.language);
    plainAnswer.body = body;
    this.response.cork(Exchange.#writePlain);
  }

  answerJson(status: number, value: unknown): void {
    this.answer(status, JSON.stringify(value));
  }

  refuse(
    code: ErrorCode,
    detail?: ErrorDetail,
    headers?: AnswerHeaders,
    closeConnection = this.server.stopping,
  ): undefined {
    const entry: ErrorEntry = errorCatalogue[code];
    const all = headers === undefined ? entry.headers : { ...entry.headers, ...headers };
    const { language } = this;
    const explain = inQuery.test(this.query);
    const body =
      detail === undefined && !explain
        ? errorTexts[language][code]
        : JSON.stringify(errorBody(code, detail, { language, explain }));
    this.answer(entry.http_status, body, all, closeConnection, language);
  }

  fail(error: unknown): void {
    if (error instanceof RequestError) this.refuse(error.code, error.detail);
    else this.refuse("internal_error");
  }

  /**
   * Makes an answer with status 200 that is written piece by piece; the exchange must be open, and nothing of it may be
   * used once that is closed. Until it is begun another answer may take its place. It names the edition in use when it
   * begins. The answer says `Connection: close`: after a body in chunks there may be trailer fields, which the native
   * layer takes for a request.
   */
  beginStream(contentType: string, contentEncoding: string | undefined, edition: () => string) {
    if (this.lastBody === undefined) this.expectChunks();
    const response = this.response;
    const encoding = contentEncoding === undefined ? "" : `\r\nContent-Encoding: ${contentEncoding}`;
    const content = `Content-Type: ${contentType}${encoding}\r\nVary: Accept, Accept-Encoding`;
    let isBegun = false;
    return {
      get isBegun() {
        return isBegun;
      },
      begin: () => {
        if (isBegun) return;
        isBegun = true;
        response.cork(() => {
          const head = `${this.requestId}\r\nX-Data-Edition: ${edition()}\r\n${content}`;
          response.writeHeader("X-Request-Id", head + commonHeaders + closing);
          this.#allowOrigin();
        });
      },
      /** Sends at most 15.5 KB; false if the client has not yet taken what was sent before. Of more the native layer may lose some. */
      write: (piece: Uint8Array): boolean => {
        let isTaken = false;
        response.cork(() => {
          isTaken = response.write(piece);
        });
        return isTaken;
      },
      pause: () => response.pause(),
      resume: () => response.resume(),
      end: () => {
        this.close();
        this.onNextTurn(() => {
          this.end(undefined, false);
          this.server.answered(this, 200);
        });
      },
      /** Answers with an error in its place, unless it is begun; the rest of the body is read and thrown away. */
      refuse: (code: ErrorCode, detail?: ErrorDetail) => {
        response.resume();
        this.refuse(code, detail);
      },
    };
  }

  #write(
    status: number,
    body: Uint8Array | string,
    common: string,
    headers: AnswerHeaders | undefined,
    close: boolean,
    isBorrowed: boolean,
  ): void {
    const response = this.response;
    // The native layer writes 200 without being asked.
    if (status !== 200) response.writeStatus(statusLines[status] ?? String(status));
    const isBodiless = status === 304 || this.method === "HEAD";
    const isOver = this.lastBody?.isOver ?? true;
    const isClosedLater = close && !isBodiless && (!isOver || body.length > maxShortBody);
    const connection = isClosedLater ? closing : close || this.headers.wantsClose ? "" : keepAlive;
    response.writeHeader("X-Request-Id", this.requestId + common + connection);
    this.#allowOrigin();
    if (headers !== undefined) {
      for (const name in headers) response.writeHeader(name, headers[name]!);
    }
    if (isBodiless) this.endWithoutBody(body, close);
    else if (isClosedLater) this.send(body, isBorrowed, true);
    else if (close) this.end(body, close);
    else this.send(body, isBorrowed);
    this.server.answered(this, status);
  }

  #allowOrigin(): void {
    if (this.allowedOrigin === "") return;
    this.response.writeHeader("Access-Control-Allow-Origin", this.allowedOrigin + corsHeaders);
  }

  /** Writes what nearly all answers are: status 200 with headers that are bytes already. */
  static readonly #writePlain = () => {
    const { exchange, head, body } = plainAnswer as { exchange: Exchange; head: DataHead; body: Uint8Array };
    exchange.response.writeStatus(head(exchange.#requestNumber));
    exchange.send(body, true);
    exchange.server.answered(exchange, 200);
  };
}
