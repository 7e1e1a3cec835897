import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, errorCatalogue, RequestError } from "../../src/errors.ts";
import { Exchange } from "../../src/http/exchange.ts";
import type { NativeRequest, NativeResponse } from "../../src/http/uws.ts";
import { specifiedErrors } from "../contract/error-table.ts";

interface Written {
  status: string;
  readonly headers: string[];
  body: string | undefined;
  closes: boolean | undefined;
}

/** A native response that behaves like the real one: it may be used until it is answered or aborted, and not after. */
class FakeResponse {
  readonly written: Written = { status: "200 OK", headers: [], body: undefined, closes: undefined };
  answers = 0;
  corked = 0;
  cut = false;
  #isDead = false;
  #abort: (() => void) | undefined;
  #data: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined;

  #use(): void {
    if (this.#isDead) throw new Error("the response was used after its end");
  }
  writeStatus(status: string): this {
    this.#use();
    this.written.status = status;
    return this;
  }
  writeHeader(name: string, value: string): this {
    this.#use();
    this.written.headers.push(...`${name}: ${value}`.split("\r\n"));
    return this;
  }
  end(body?: string | Uint8Array, closes?: boolean): this {
    this.#use();
    this.written.body = body === undefined ? undefined : Buffer.from(body).toString();
    this.written.closes = closes;
    this.answers++;
    this.#isDead = true;
    return this;
  }
  cork(write: () => void): this {
    this.#use();
    this.corked++;
    write();
    return this;
  }
  onAborted(handler: () => void): this {
    this.#use();
    this.#abort = handler;
    return this;
  }
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#use();
    this.#data = handler;
    return this;
  }
  getRemoteAddressAsText(): ArrayBuffer {
    this.#use();
    return Uint8Array.from(Buffer.from("192.0.2.1")).buffer;
  }
  close(): this {
    this.#use();
    this.cut = true;
    this.#isDead = true;
    return this;
  }

  /** The client goes away. */
  abort(): void {
    this.#isDead = true;
    assert.ok(this.#abort, "a response that stays open must be told of aborts, or the process ends");
    this.#abort();
  }
  /** A piece of the body comes. */
  send(text: string, isLast: boolean): void {
    this.#data?.(Uint8Array.from(Buffer.from(text)).buffer, isLast);
  }
}

function open(method = "GET", life = { stopping: false }): { exchange: Exchange; response: FakeResponse } {
  const response = new FakeResponse();
  const request = {
    getUrl: () => "/path%20",
    getQuery: () => "a=b",
  } as NativeRequest;
  const exchange = new Exchange(response as unknown as NativeResponse, request, method, life);
  exchange.requestId = "id-1";
  return { exchange, response };
}

test("an exchange keeps what the native request knew", () => {
  const { exchange } = open("POST");
  assert.equal(exchange.method, "POST");
  assert.equal(exchange.path, "/path%20");
  assert.equal(exchange.query, "a=b");
  assert.equal(exchange.remoteAddress(), "192.0.2.1");
  assert.equal(exchange.closed, false);
});

test("an answer carries its request id and the headers of every answer", () => {
  const { exchange, response } = open();
  exchange.answer(200, "{}", { "X-Extra": "1" });
  assert.equal(response.written.status, "200 OK");
  assert.deepEqual(response.written.headers, [
    "X-Request-Id: id-1",
    "Content-Type: application/json",
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
    "X-Extra: 1",
  ]);
  assert.equal(response.written.body, "{}");
  assert.equal(response.written.closes, false);
});

test("a content type that is given replaces that of JSON", () => {
  const { exchange, response } = open();
  exchange.answer(200, "<p>", { "Content-Type": "text/html" });
  assert.deepEqual(
    response.written.headers.filter((line) => line.startsWith("Content-Type")),
    ["Content-Type: text/html"],
  );
});

test("only the first answer is given", () => {
  const { exchange, response } = open();
  exchange.answerJson(200, { first: true });
  exchange.answerJson(200, { second: true });
  exchange.refuse("internal_error");
  exchange.fail(new Error("late"));
  exchange.cut();
  assert.equal(response.answers, 1);
  assert.equal(response.written.body, '{"first":true}');
  assert.equal(response.cut, false);
});

test("nothing is sent to a client that has gone", () => {
  const { exchange, response } = open();
  exchange.detach();
  response.abort();
  assert.equal(exchange.closed, true);
  exchange.answer(200, "{}");
  exchange.refuse("checker_failed");
  exchange.cut();
  assert.equal(response.answers, 0);
});

test("an answer outside the handler is corked, one inside it is not", () => {
  const inside = open();
  inside.exchange.answer(200, "{}");
  assert.equal(inside.response.corked, 0);
  const outside = open();
  outside.exchange.detach();
  outside.exchange.detach();
  outside.exchange.answer(200, "{}");
  assert.equal(outside.response.corked, 1);
});

test("the end of an exchange is told once, whatever ends it", () => {
  const ends: readonly ((opened: ReturnType<typeof open>) => void)[] = [
    ({ exchange }) => exchange.answer(200, "{}"),
    ({ exchange }) => exchange.refuse("server_busy"),
    ({ exchange }) => exchange.cut(),
    ({ response }) => response.abort(),
  ];
  for (const end of ends) {
    const opened = open();
    let told = 0;
    opened.exchange.detach();
    opened.exchange.onClosed(() => told++);
    end(opened);
    opened.exchange.answer(200, "{}");
    opened.exchange.cut();
    assert.equal(told, 1);
  }
});

test("an answer to HEAD has no body", () => {
  const { exchange, response } = open("HEAD");
  exchange.refuse("not_found");
  assert.equal(response.written.status, "404 Not Found");
  assert.equal(response.written.body, undefined);
});

test("while the service stops each answer ends its connection, also where the request came before", () => {
  const life = { stopping: false };
  const { exchange, response } = open("get", life);
  exchange.detach();
  life.stopping = true;
  exchange.answer(200, "{}");
  assert.equal(response.written.closes, true);
});

test("every code of the catalogue is answered with its status line and object", () => {
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const { exchange, response } = open();
    exchange.refuse(code);
    const status = specifiedErrors[code]!.status;
    assert.match(response.written.status, new RegExp(`^${status} [A-Z]`), code);
    const { error } = JSON.parse(response.written.body!) as { error: { code: string; http_status: number } };
    assert.equal(error.code, code);
    assert.equal(error.http_status, status);
    assert.equal(response.written.headers.includes("Retry-After: 2"), code === "server_busy");
    assert.equal(response.written.headers.includes("WWW-Authenticate: Bearer"), code === "invalid_key");
  }
});

test("what is thrown is told where it is a refusal, and is internal_error where it is a fault", () => {
  const refused = open();
  refused.exchange.fail(new RequestError("invalid_request", { field: "explain" }));
  assert.match(refused.response.written.body!, /"code":"invalid_request".*"field":"explain"/);
  for (const fault of [new Error("secret detail"), "text", undefined, null]) {
    const failed = open();
    failed.exchange.fail(fault);
    assert.match(failed.response.written.body!, /"code":"internal_error"/);
    assert.ok(!failed.response.written.body!.includes("secret"));
  }
});

test("the pieces of a body are handed on as they come", () => {
  const { exchange, response } = open("POST");
  const pieces: [string, boolean][] = [];
  exchange.onData((piece, isLast) => pieces.push([Buffer.from(piece).toString(), isLast]));
  response.send("ab", false);
  response.send("", false);
  response.send("c", true);
  assert.deepEqual(pieces, [
    ["ab", false],
    ["", false],
    ["c", true],
  ]);
});
