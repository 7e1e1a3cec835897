import {
  type ErrorCode,
  type ErrorDetail,
  type ErrorEntry,
  errorBody,
  errorCatalogue,
  RequestError,
  type Telling,
} from "../contract/errors.ts";
import { type Language, languages } from "../contract/messages.ts";
import type { KeyHolder } from "../keys/key-ring.ts";
import { noRoute } from "../metrics/request-counts.ts";
import {
  commonHeaders,
  type DataHead,
  dataHeadOf,
  everyHeader,
  jsonHeaders,
  keepAlive,
  newRequestNumber,
  requestIdOfNumber,
} from "./answer-head.ts";
import type { NativeRequest, NativeResponse } from "./binding.ts";
import { ChunkedRequest } from "./chunked-request.ts";
import {
  type AwaitedBody,
  addressOf,
  type BodyReceiver,
  type Connections,
  nextTurn,
  type RateLimit,
  type TurnLimit,
} from "./connections.ts";
import type { UnsentAnswers } from "./unsent-answers.ts";

/** Answer headers beyond those every answer carries; a `Content-Type` or `Cache-Control` here replaces the usual one. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer that is written piece by piece, and the body that comes meanwhile. Nothing may be used once it is closed. */
export interface StreamedAnswer {
  /** Whether the status and the headers are sent. */
  readonly isBegun: boolean;
  /** Sends them, unless they are. */
  begin(): void;
  /** Calls a function that writes. */
  corked(write: () => void): void;
  /**
   * Sends bytes, from within `corked`; false where the client has not yet taken all that was sent, which only a piece of
   * more than 16 KB is told.
   */
  write(piece: Uint8Array): boolean;
  pause(): void;
  resume(): void;
  end(): void;
}

const statusLines: Readonly<Record<number, string>> = {
  200: "200 OK",
  302: "302 Found",
  304: "304 Not Modified",
  400: "400 Bad Request",
  401: "401 Unauthorized",
  403: "403 Forbidden",
  404: "404 Not Found",
  405: "405 Method Not Allowed",
  413: "413 Payload Too Large",
  500: "500 Internal Server Error",
  503: "503 Service Unavailable",
};

/** Bodies of the errors that say no more than the catalogue; a refusal under load is to cost next to nothing. */
const errorTexts = Object.fromEntries(
  languages.map((language) => [language, allErrors({ language, explain: false })]),
) as Record<Language, Readonly<Record<ErrorCode, string>>>;

function allErrors(telling: Telling): Readonly<Record<ErrorCode, string>> {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  return Object.fromEntries(
    codes.map((code) => [code, JSON.stringify(errorBody(code, undefined, telling))]),
  ) as Record<ErrorCode, string>;
}

const inQuery = /(?:^|&)explain=1(?:&|$)/;

/** What follows the origin that may read an answer: caches keep it for that origin, and scripts may read these headers. */
const corsHeaders =
  "\r\nVary: Origin\r\nAccess-Control-Expose-Headers: X-Request-Id, X-Data-Edition, Retry-After, ETag";

const noBytes = new Uint8Array(0);

/** The answer that is being written: a function of its own for each would cost as much as what it does. */
const plainAnswer: {
  exchange: Exchange | undefined;
  head: DataHead | undefined;
  body: Uint8Array | undefined;
} = { exchange: undefined, head: undefined, body: undefined };

/** What an exchange needs to know of its server when it answers. */
export interface ServerLife {
  /** Whether the server stops, so that every connection ends with its next answer. */
  readonly stopping: boolean;
  /** Where answers stand that their clients have not yet taken. */
  readonly unsent: UnsentAnswers;
  /** How often an answer without a body is given at once and leaves its connection open. */
  readonly bodiless: RateLimit;
  /** How often a request without a valid key is answered at once. */
  readonly keyless: TurnLimit;
  readonly connections: Connections;
  /** Told of each answer as it leaves. */
  answered(exchange: Exchange, status: number): void;
}

/**
 * One request and its answer.
 *
 * Holds a copy of what is needed of the native request, which dies when its handler returns, and makes sure that
 * exactly one answer is given and none after the client has gone.
 */
export class Exchange {
  /** Upper-case method. */
  readonly method: string;
  /** Path as sent, percent-encoding untouched. */
  readonly path: string;
  /** Query as sent, without the question mark; empty where there is none. */
  readonly query: string;
  /** The language that it is answered in. */
  language: Language = "en";
  /** Origin of the web page that sent it and may read the answer; empty where none may. */
  allowedOrigin = "";
  /** Number of the route it led to, for its metrics; 0 for none. */
  route = noRoute;
  /** Who sent it; undefined where no valid key came along. */
  holder: KeyHolder | undefined;
  /** Whether the client wants the connection closed after the answer. */
  isLast = false;
  /** When the whole request had arrived, by the pool's clock; 0 as long as it has not. */
  arrivedAt = 0;
  readonly #response: NativeResponse;
  readonly #server: ServerLife;
  #requestId = "";
  /** What the id is made from, as soon as there is one, where the client sent none. */
  #requestNumber = 0;
  #closed = false;
  #detached = false;
  #onClosed: (() => void) | undefined;
  #chunks: ChunkedRequest | undefined;
  #awaitedBody: AwaitedBody | undefined;
  #isBodyExpected = false;
  /** Takes a body that was expected before anybody asked for it. */
  #take: BodyReceiver | undefined;
  /** Whether the native response must not be used any more. */
  #isGone = false;

  constructor(response: NativeResponse, request: NativeRequest, method: string, server: ServerLife) {
    this.#response = response;
    this.#server = server;
    this.method = method;
    this.path = request.getUrl();
    this.query = request.getQuery() ?? "";
  }

  /** Identifies the request in its answer and in the log: the client's own, or a new one where it is empty. */
  get requestId(): string {
    if (this.#requestId === "") this.#requestId = requestIdOfNumber(this.#takeNumber());
    return this.#requestId;
  }

  set requestId(given: string) {
    this.#requestId = given;
  }

  #takeNumber(): number {
    if (this.#requestNumber === 0) this.#requestNumber = newRequestNumber();
    return this.#requestNumber;
  }

  /** Whether the answer was given or the client has gone: nothing more can be sent. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Keeps the exchange open after the handler has returned; every later answer is corked. */
  detach(): void {
    if (this.#detached) return;
    this.#detached = true;
    this.#response.onAborted(() => {
      this.#isGone = true;
      this.#chunks?.end();
      this.#server.connections.lost();
      if (this.#closed) this.#server.unsent.delete(this);
      else this.#close();
    });
  }

  /** Calls back once when the exchange closes, whether answered or aborted. */
  onClosed(callback: () => void): void {
    this.#onClosed = callback;
  }

  /**
   * Notes that a body comes, of a length that was told. Must be called before anything is answered: a piece of a body that
   * nobody has asked for could be taken for part of another request's while connections are short.
   */
  expectBody(): void {
    this.#isBodyExpected = true;
    this.#receiveBody((chunk, isLast) => this.#take?.(chunk, isLast));
  }

  /** Notes that a body comes in chunks, as `expectBody` does. */
  expectChunks(): void {
    const chunks = new ChunkedRequest();
    this.detach();
    this.#receiveBody((chunk, isLast) => chunks.take(new Uint8Array(chunk), isLast));
    this.#chunks = chunks;
  }

  /** Whether the body comes in chunks. */
  get isChunked(): boolean {
    return this.#chunks !== undefined;
  }

  /** Receives the body piece by piece; each piece is only valid during the call. */
  onData(receive: (piece: Uint8Array, isLast: boolean) => void): void {
    this.detach();
    const take: BodyReceiver = (chunk, isLast) => receive(new Uint8Array(chunk), isLast);
    if (this.#chunks !== undefined) this.#chunks.onData(receive);
    else if (this.#isBodyExpected) this.#take = take;
    else this.#receiveBody(take);
  }

  #receiveBody(receive: BodyReceiver): void {
    this.#awaitedBody = this.#server.connections.onData(this.#response, receive);
  }

  /** The client's address as text. Only valid while the exchange is open. */
  remoteAddress(): string {
    return addressOf(this.#response);
  }

  /**
   * Answers with text or with finished bytes, which must stay as they are; does nothing when the exchange is closed.
   */
  answer(
    status: number,
    body: Uint8Array | string,
    headers?: AnswerHeaders,
    closeConnection = this.#server.stopping,
  ): void {
    if (this.#closed) return;
    this.#close();
    const isJson = headers?.["Content-Type"] === undefined;
    const mayBeKept = headers?.["Cache-Control"] !== undefined;
    const common = isJson ? jsonHeaders[this.language] : mayBeKept ? everyHeader : commonHeaders;
    const isBodiless = status === 304 || this.method === "HEAD";
    const isSpared = isBodiless
      ? this.#server.bodiless.take()
      : this.holder !== undefined || this.#detached || this.#server.keyless.take();
    const mustGo = this.holder === undefined && this.#server.connections.isCrowded;
    const close = closeConnection || mustGo || this.isChunked || (isBodiless && !isSpared);
    const write = () => this.#write(status, body, common, headers, close);
    if (this.#chunks !== undefined && !closeConnection) this.#chunks.hold(() => this.#corked(write));
    else if (!isSpared || this.isChunked || (this.#detached && (close || this.isLast))) this.#nextTurn(write);
    else if (this.#detached) this.#response.cork(write);
    else write();
  }

  /** Answers with what a worker has found in the bank data of an edition: finished JSON bytes. */
  answerFromData(body: Uint8Array, edition: string, etag?: string): void {
    if (this.#closed) return;
    this.#close();
    // Whoever sent the body in chunks waits for nothing more: the worker's answer never comes in the same turn.
    const close = this.#server.stopping || this.isChunked;
    const head = dataHeadOf(edition, this.language);
    if (close || this.isLast) {
      const copy = Buffer.from(body);
      this.#nextTurn(() => this.#write(200, copy, head.withEtag(etag), undefined, close, true));
      return;
    }
    const isPlain =
      etag === undefined && this.#requestId === "" && this.allowedOrigin === "" && this.method !== "HEAD";
    if (isPlain) {
      plainAnswer.exchange = this;
      plainAnswer.head = head;
      plainAnswer.body = body;
      this.#response.cork(Exchange.#writePlain);
      return;
    }
    this.#response.cork(() => this.#write(200, body, head.withEtag(etag), undefined, false, true));
  }

  /** Answers with a value as JSON. */
  answerJson(status: number, value: unknown, headers?: AnswerHeaders): void {
    this.answer(status, JSON.stringify(value), headers);
  }

  /** Answers with an error of the catalogue. */
  refuse(
    code: ErrorCode,
    detail?: ErrorDetail,
    headers?: AnswerHeaders,
    closeConnection = this.#server.stopping,
  ): void {
    const entry: ErrorEntry = errorCatalogue[code];
    const all = headers === undefined ? entry.headers : { ...entry.headers, ...headers };
    const { language } = this;
    const explain = inQuery.test(this.query);
    const body =
      detail === undefined && !explain
        ? errorTexts[language][code]
        : JSON.stringify(errorBody(code, detail, { language, explain }));
    this.answer(entry.http_status, body, all, closeConnection);
  }

  /** Answers with the error that was thrown; anything but a RequestError is internal_error. */
  fail(error: unknown): void {
    if (error instanceof RequestError) this.refuse(error.code, error.detail);
    else this.refuse("internal_error");
  }

  /**
   * Makes an answer with status 200 that is written piece by piece; the exchange must be open. Until it is begun another
   * answer may take its place. The client is told to close the connection after it: behind a body in chunks there may be
   * trailer fields, which the native layer takes for a request.
   */
  beginStream(contentType: string, contentEncoding: string | undefined): StreamedAnswer {
    this.detach();
    const response = this.#response;
    const encoding = contentEncoding === undefined ? "" : `\r\nContent-Encoding: ${contentEncoding}`;
    const head = `${this.requestId}\r\nContent-Type: ${contentType}${encoding}\r\nVary: Accept, Accept-Encoding${commonHeaders}\r\nConnection: close`;
    let isBegun = false;
    return {
      get isBegun() {
        return isBegun;
      },
      begin: () => {
        if (isBegun) return;
        isBegun = true;
        response.cork(() => response.writeHeader("X-Request-Id", head));
      },
      corked: (write) => response.cork(write),
      write: (piece) => response.write(piece),
      pause: () => response.pause(),
      resume: () => response.resume(),
      end: () => {
        this.#close();
        this.#nextTurn(() => {
          this.#end(undefined, false);
          this.#server.answered(this, 200);
        });
      },
    };
  }

  /** Ends the connection, without an answer or in the middle of one; does nothing after it. */
  cut(): void {
    this.#close();
    nextTurn(() => {
      if (this.#isGone) return;
      this.#response.close();
      this.#done();
    });
  }

  #write(
    status: number,
    body: Uint8Array | string,
    common: string,
    headers: AnswerHeaders | undefined,
    close: boolean,
    isBorrowed = false,
  ): void {
    const response = this.#response;
    // The native layer writes 200 by itself.
    if (status !== 200) response.writeStatus(statusLines[status] ?? String(status));
    response.writeHeader("X-Request-Id", this.requestId + common + (close || this.isLast ? "" : keepAlive));
    if (this.allowedOrigin !== "") {
      response.writeHeader("Access-Control-Allow-Origin", this.allowedOrigin + corsHeaders);
    }
    if (headers !== undefined) {
      for (const name in headers) response.writeHeader(name, headers[name]!);
    }
    if (status === 304 || this.method === "HEAD") this.#endWithoutBody(body, close);
    else if (close) this.#end(body, close);
    else if (typeof body === "string") this.#send(Buffer.from(body), false, false);
    else this.#send(body, isBorrowed, !isBorrowed);
    this.#server.answered(this, status);
  }

  /** Writes what nearly all answers are: status 200 with headers that are bytes already. */
  static readonly #writePlain = () => {
    const { exchange, head, body } = plainAnswer as { exchange: Exchange; head: DataHead; body: Uint8Array };
    exchange.#response.writeHeader("X-Request-Id", head.bytesFor(exchange.#takeNumber()));
    exchange.#send(body, true, false);
    exchange.#server.answered(exchange, 200);
  };

  /**
   * Writes on the next turn of the event loop. Until then the request counts as open, so that the native layer closes
   * a connection that pipelines behind it.
   */
  #nextTurn(write: () => void): void {
    this.detach();
    nextTurn(() => this.#corked(write));
  }

  #corked(write: () => void): void {
    if (!this.#isGone) this.#response.cork(write);
  }

  /** Ends an answer to HEAD or with 304, which reports the length of a body that it does not have. */
  #endWithoutBody(body: Uint8Array | string, close: boolean): void {
    // Before the native layer closes, it writes a header of its own, so the length must not have ended the head.
    if (!close) this.#response.tryEnd(noBytes, Buffer.byteLength(body));
    this.#end(undefined, close);
  }

  #end(body: Uint8Array | string | undefined, close: boolean): void {
    this.#response.end(body, close);
    this.#done();
  }

  /**
   * Sends a body as far as the client takes it, and the rest as it comes to read. Until then the native layer takes no
   * further request on the connection, so that a client that does not read cannot heap up answers.
   *
   * Borrowed bytes stand in a slot that is needed for the next request; shared ones stay, and are kept once for all.
   */
  #send(body: Uint8Array, isBorrowed: boolean, isShared: boolean): void {
    const response = this.#response;
    const [, isSent] = response.tryEnd(body, body.length);
    if (isSent) {
      this.#done();
      return;
    }
    this.detach();
    const start = response.getWriteOffset();
    const left = body.subarray(start);
    const rest = isBorrowed ? Buffer.from(left) : left;
    response.onWritable((offset) => {
      const [isTaken, isEnd] = response.tryEnd(rest.subarray(offset - start), body.length);
      if (isEnd) this.#done();
      return isTaken;
    });
    this.#server.unsent.add(this, isShared ? 0 : rest.length);
  }

  /** The native response is done with. */
  #done(): void {
    this.#isGone = true;
    this.#awaitedBody?.end();
    const { unsent } = this.#server;
    if (unsent.size > 0) unsent.delete(this);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const callback = this.#onClosed;
    this.#onClosed = undefined;
    callback?.();
  }
}
