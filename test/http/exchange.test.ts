import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { type ErrorCode, errorCatalogue, RequestError } from "../../src/contract/errors.ts";
import { errorCodesOf } from "../../src/contract/openapi/responses.ts";
import { describedRoutes } from "../../src/contract/routes.ts";
import { unsentAnswers } from "../../src/http/bounded-bytes.ts";
import { boundedConnections } from "../../src/http/connections.ts";
import { Exchange } from "../../src/http/exchange.ts";
import type { NativeRequest, NativeResponse } from "../../src/http/native.ts";
import type { ServerLife } from "../../src/http/open-response.ts";
import { turnLimit } from "../../src/http/turn-limit.ts";
import { operationOf, publishedDocument } from "../contract/openapi/published.ts";
import { pluck } from "../support/pluck.ts";
import { words } from "../support/words.ts";
import { FakeResponse } from "./fake-response.ts";

async function nextTurn(): Promise<void> {
  await endOfTurn();
  await endOfTurn();
}

/** Asserts that a response is not answered yet, and is on the next turn. */
async function expectNextTurn(response: FakeResponse, closes: boolean): Promise<void> {
  assert.equal(response.answers, 0);
  await nextTurn();
  assert.deepEqual([response.answers, response.written.closes], [1, closes]);
}

const unsent = unsentAnswers(60_000);
after(() => unsent.close());

const lifeWith = (parts: Partial<ServerLife<Exchange>> = {}) => ({
  stopping: false,
  unsent,
  takeBodiless: () => true,
  takeKeyless: turnLimit(1_000),
  connections: boundedConnections(1_000, 0, () => {}),
  answered: () => {},
  ...parts,
});

function open(method = "GET", life: ServerLife<Exchange> = lifeWith(), connection = "") {
  const response = new FakeResponse();
  const request = {
    getUrl: () => "/path%20",
    getQuery: () => "a=b",
    forEach: (visit) => {
      visit("x-request-id", "id-1");
      visit("connection", connection);
    },
  } as NativeRequest;
  const exchange = new Exchange(response as unknown as NativeResponse, request, method, life);
  return { exchange, response };
}

test("an exchange ends once, however it ends: with at most one answer, reported with its status", async () => {
  const ends: readonly (readonly [end: (opened: ReturnType<typeof open>) => void, statuses: number[]])[] = [
    [({ exchange }) => exchange.answerJson(200, { first: true }), [200]],
    [({ exchange }) => exchange.refuse("not_found"), [404]],
    [({ exchange }) => exchange.cut(), []],
    [({ response }) => response.abort(), []],
  ];
  for (const [index, [end, statuses]] of ends.entries()) {
    const reported: string[] = [];
    let closed = 0;
    const answered: ServerLife<Exchange>["answered"] = ({ requestId }, status) =>
      reported.push(`${requestId} ${status}`);
    const { exchange, response } = open("GET", lifeWith({ answered }));
    exchange.detach();
    exchange.onClosed(() => closed++);
    end({ exchange, response });
    const { body } = response.written;
    exchange.answer(200, "{}");
    exchange.answerJson(200, { second: true });
    exchange.refuse("internal_error");
    exchange.fail(new Error("late"));
    exchange.cut();
    await nextTurn();
    assert.deepEqual(
      [response.answers, closed, response.written.body, response.cut, exchange.closed],
      [statuses.length, 1, body, index === 2, true],
    );
    const expected = statuses.map((status) => `id-1 ${status}`);
    assert.deepEqual(reported, expected);
  }
});

test("answers without a body beyond the limit wait for the next turn and end their connection", async () => {
  const life = lifeWith({ takeBodiless: () => false });
  for (const [method, status] of Object.entries({ HEAD: 200, GET: 304 })) {
    const { exchange, response } = open(method, life);
    exchange.answer(status, "{}");
    await expectNextTurn(response, true);
    const gone = open(method, life);
    gone.exchange.answer(status, "{}");
    gone.response.abort();
    await nextTurn();
    assert.equal(gone.response.answers, 0);
  }
});

test("requests without a key beyond the limit of one turn are answered in the next", async () => {
  const life = lifeWith({ takeKeyless: turnLimit(2) });
  const answersOf = () =>
    Array.from({ length: 4 }, () => {
      const { exchange, response } = open("GET", life);
      exchange.refuse("invalid_key");
      return response;
    });
  const first = answersOf();
  assert.deepEqual(pluck(first, "answers"), [1, 1, 0, 0]);
  await nextTurn();
  assert.ok(first.every(({ answers, written }) => answers === 1 && written.closes === false));
  assert.equal(answersOf()[0]!.answers, 1);
});

test("an answer that closes its connection is written on the next turn, from its own bytes", async () => {
  for (const closes of ["the client", "the service"]) {
    const life = lifeWith();
    const { exchange, response } = open("GET", life, closes === "the client" ? "close" : "");
    exchange.detach();
    life.stopping = closes === "the service";
    const slot = Buffer.from('{"status":1}');
    exchange.answerFromData(slot, "2026-09-07");
    slot.fill("x");
    await expectNextTurn(response, closes === "the service");
    assert.equal(response.written.body, '{"status":1}');
    assert.ok(!response.written.headers.some((header) => header.startsWith("Keep-Alive")));
  }
});

test("a thrown refusal is answered as it is, a thrown fault is internal_error", () => {
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

test("what the client does not take at once is kept as a copy, sent as it reads, and forgotten when all is taken or it has gone", () => {
  const begun = () => {
    const opened = open();
    opened.response.takes = 4;
    const body = Buffer.from("0123456789");
    opened.exchange.answerFromData(body, "edition");
    // The answer's bytes are used for the next request.
    body.fill("x");
    assert.deepEqual([opened.exchange.closed, unsent.size], [true, 1]);
    return opened;
  };
  const { response } = begun();
  assert.equal(response.read(), false);
  assert.equal(response.read(), true);
  assert.deepEqual([response.written.body, unsent.size], ["0123456789", 0]);
  const gone = begun();
  gone.response.abort();
  gone.exchange.cut();
  assert.deepEqual([gone.response.cut, unsent.size], [false, 0]);
});

test("a request in chunks is answered when its packet is parsed, also while the service stops, and ends its connection", async () => {
  for (const stopping of [false, true]) {
    const { exchange, response } = open("POST", lifeWith({ stopping }));
    exchange.expectChunks();
    response.send("{}", true);
    exchange.answer(200, "{}");
    await expectNextTurn(response, true);
  }
});

/** Headers of every answer; `Allow` is given by the place that raises method_not_allowed, and the language only where it is not English. */
const undocumented = words`
  X-Request-Id Content-Language Allow Content-Type X-Content-Type-Options Cache-Control Keep-Alive
`;

test("a refusal carries the very headers that the document describes for its code", () => {
  const document = publishedDocument();
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const { exchange, response } = open();
    exchange.refuse(code);
    const lines = response.written.headers.map((line) => line.split(": ") as [string, string]);
    const sent = new Map(lines.filter(([name]) => !undocumented.includes(name)));
    for (const route of describedRoutes) {
      if (!errorCodesOf(route).includes(code)) continue;
      const documented = operationOf(document, route).responses[errorCatalogue[code].http_status]!;
      const names = Object.keys(documented.headers).filter((name) => !undocumented.includes(name));
      assert.deepEqual(names, [...sent.keys()], `${route.operation} ${code}`);
      for (const name of names) {
        assert.equal(String(document.components.headers[name]?.schema.const), sent.get(name), name);
      }
    }
  }
});
