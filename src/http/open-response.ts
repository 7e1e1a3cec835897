import type { KeyHolder } from "../keys/key-table.ts";
import type { UnsentAnswers } from "./bounded-bytes.ts";
import type { Connections } from "./connections.ts";
import { LastBody } from "./last-body.ts";
import type { NativeResponse } from "./native.ts";
import { nextTurn } from "./next-turn.ts";

/** The state of the server that an answer depends on. */
export interface ServerLife<Request> {
  /** Whether the server stops, so that every connection ends with its next answer. */
  stopping: boolean;
  readonly unsent: UnsentAnswers;
  /** Whether an answer without a body may be given at once and leave its connection open; counts it if so. */
  takeBodiless(): boolean;
  /** Whether a request without a valid key may be answered at once, in this turn of the event loop; counts it if so. */
  takeKeyless(): boolean;
  readonly connections: Connections;
  answered(request: Request, status: number): void;
}

const noBytes = new Uint8Array(0);

/** Maximum number of characters of a body that fits the native layer's 16 KB buffer for small writes, with its head. */
export const maxShortBody = 5_120;

/**
 * A native response from its request to its end.
 *
 * Makes sure that it is answered once and never used after its end or after the client has gone: the native layer would
 * take the process with it.
 */
export abstract class OpenResponse {
  /** Who sent the request; undefined without a valid key. */
  holder: KeyHolder | undefined;
  protected readonly response: NativeResponse;
  protected readonly server: ServerLife<this>;
  protected isDetached = false;
  /** A body that comes in chunks or is a stream's, so that the connection ends with the answer. */
  lastBody: LastBody | undefined;
  #isClosed = false;
  #onClosed: (() => void) | undefined;
  /** Drops its request where that waits for a worker; called when the client gives up. */
  abandon: (() => void) | undefined;
  /** Whether the native response must not be used any more. */
  #isGone = false;
  readonly #uncount: ((isClosed: boolean) => void) | undefined;

  constructor(response: NativeResponse, server: ServerLife<never>) {
    this.response = response;
    this.server = server as ServerLife<this>;
    this.#uncount = server.connections.ofAddress?.request();
  }

  /** Whether the answer was given or the client has gone: nothing more can be sent. */
  get closed(): boolean {
    return this.#isClosed;
  }

  /** Keeps the response open after the handler has returned; every later answer is corked. */
  detach(): void {
    if (this.isDetached) return;
    this.isDetached = true;
    this.response.onAborted(() => this.abort());
  }

  /** Takes a body that comes in chunks, before anything is answered. */
  expectChunks(): void {
    const body = new LastBody();
    this.onData((piece, isLast) => body.take(piece, isLast));
    this.lastBody = body;
  }

  /** Receives the body piece by piece, from within the handler; each piece is only valid during the call. */
  onData(receive: (piece: Uint8Array, isLast: boolean) => void): void {
    if (this.lastBody !== undefined) {
      this.lastBody.onData(receive);
      return;
    }
    this.server.connections.receiving(this.response);
    this.detach();
    this.response.onData((chunk, isLast) => receive(new Uint8Array(chunk), isLast));
  }

  protected abort(): void {
    this.#isGone = true;
    this.#uncount?.(true);
    this.lastBody?.end();
    if (this.#isClosed) this.server.unsent.delete(this);
    else {
      this.close();
      this.abandon?.();
    }
  }

  /** Calls back once when the response closes, whether answered or aborted. */
  onClosed(callback: () => void): void {
    this.#onClosed = callback;
  }

  /** Ends the connection, without an answer or in the middle of one; does nothing after it. */
  cut(): void {
    this.close();
    nextTurn(() => this.#closeNow());
  }

  /** Ends the connection without an answer, from within its handler and before the response is detached. */
  drop(): void {
    this.close();
    this.#isGone = true;
    this.response.close();
  }

  protected close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const callback = this.#onClosed;
    this.#onClosed = undefined;
    callback?.();
  }

  /**
   * Writes on the next turn of the event loop. Until then the request counts as open, so that the native layer closes
   * a connection that pipelines after it.
   */
  protected onNextTurn(write: () => void): void {
    this.detach();
    nextTurn(() => this.corked(write));
  }

  /** Writes with as few packets as possible, unless the client has gone. */
  protected corked(write: () => void): void {
    if (!this.#isGone) this.response.cork(write);
  }

  /** Ends an answer to HEAD or with 304, which reports the length of a body that it does not have. */
  protected endWithoutBody(body: Uint8Array | string, close: boolean): void {
    const length = Buffer.byteLength(body);
    // Before the native layer closes, it writes a header of its own, so the length must not have ended the head; and an
    // empty body would end the answer here.
    if (!close && length > 0) this.response.tryEnd(noBytes, length);
    this.end(undefined, close);
  }

  protected end(body: Uint8Array | string | undefined, close: boolean): void {
    this.response.end(body, close);
    this.#done();
  }

  /**
   * Sends a body as far as the client takes it, and the rest as it reads on. Until then the native layer takes no
   * further request on the connection, so that a client that does not read cannot make answers pile up.
   *
   * Borrowed bytes are in a slot that the next request needs; other bytes stay, and are kept once for all.
   *
   * `close` closes the connection after a long body, as the head must say. The native layer would take all of it at once,
   * keep what the client does not take, and lose it where the socket does not take the head.
   */
  protected send(body: Uint8Array | string, isBorrowed: boolean, close = false): void {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    // The length that the head reports.
    if (close) this.response.tryEnd(noBytes, bytes.length);
    // A length of one more keeps the response open: only an open one can be closed.
    const total = close ? bytes.length + 1 : bytes.length;
    const { response } = this;
    const [isAllTaken, isSent] = response.tryEnd(bytes, total);
    if (isSent) {
      this.#done();
      return;
    }
    this.detach();
    const start = response.getWriteOffset();
    const left = bytes.subarray(start);
    const rest = isBorrowed ? Buffer.from(left) : left;
    response.onWritable((offset) => {
      const [isTaken, isEnd] = response.tryEnd(rest.subarray(offset - start), total);
      if (isEnd) this.#done();
      else if (isTaken) this.#closeWhenTaken(total);
      return isTaken;
    });
    const isShared = !isBorrowed && bytes === body;
    this.server.unsent.add(this, isShared ? 0 : rest.length);
    if (isAllTaken) this.#closeWhenTaken(total);
  }

  /**
   * Closes the connection on the next turn, unless the socket has not yet taken what was written; once the client sends no
   * more, since what it sends to a closed connection would cost it the answer.
   */
  #closeWhenTaken(total: number): void {
    nextTurn(() => {
      let isTaken = false;
      this.corked(() => {
        [isTaken] = this.response.tryEnd(noBytes, total);
      });
      if (!isTaken) return;
      if (this.lastBody === undefined) this.#closeNow();
      else this.lastBody.discard(() => this.#closeNow(), this.holder !== undefined);
    });
  }

  #closeNow(): void {
    if (this.#isGone) return;
    this.response.close();
    this.#done();
  }

  #done(): void {
    this.#isGone = true;
    this.#uncount?.(false);
    this.lastBody?.end();
    const { unsent } = this.server;
    if (unsent.size > 0) unsent.delete(this);
  }
}
