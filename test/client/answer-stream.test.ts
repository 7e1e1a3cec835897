import assert from "node:assert/strict";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sendLines } from "../../src/client/answer-lines.ts";
import type { Fetch } from "../../src/client/index.ts";
import { RequestSender } from "../../src/client/sender.ts";
import { until } from "../faults/gate.ts";
import { testKey } from "../service.ts";
import type { Fault } from "../support/faulty-proxy.ts";
import { closed, listen } from "../support/listen.ts";
import { pluck } from "../support/pluck.ts";
import { asInBrowsers, refusal, useClients, valid } from "./clients.ts";
import { collect } from "./collect.ts";

/** How far the client reads ahead: a request of fewer never waits for answers, however slowly they come. */
const readAhead = 16_384;
const ibansOf = (length: number) =>
  Array.from({ length }, (_, number) => (number % 3 === 0 ? valid : `GB${number}`));
const { service, clientOf, withFaults } = useClients();

/** Checks IBANs through requests that suffer the given faults, by their number; returns how many requests it took. */
const checkedThrough = (faults: readonly Fault[], ibans: readonly string[]) =>
  withFaults(faults, async (client, proxy) => {
    assert.deepEqual(pluck(await collect(client.checkMany(ibans)), "iban"), ibans);
    return proxy.requests;
  });

const summaryOf = (lines: number) => `${JSON.stringify({ summary: { lines, valid: lines, invalid: 0 } })}\n`;

/** A request ends after a second without an entry, so that a machine without time for it may need several. */
const expectOne = (requests: number, since: number) =>
  assert.ok(requests <= 1 + Math.floor((performance.now() - since) / 1_000), `${requests} requests`);

test("checkMany sends one request for a source of any length, and its entries are those of bodies sent as a whole, of odd texts too", async () => {
  const begun = performance.now();
  expectOne(await checkedThrough([], ibansOf(50_000)), begun);
  const odd = [
    ...[
      valid,
      "de89 3704 0044 0532 0130 00",
      "",
      " ",
      "\t",
      "ü",
      "DE8937040044053201300ü",
      '"',
      "\\",
      "a\nb",
    ],
    ...["\u0000", "\u2028", "\r", "\ufeff", "\ud800", "X".repeat(999), "X".repeat(5_000), "x \u0131", valid],
  ];
  const [streamed, batched] = await Promise.all(
    [clientOf(), clientOf(asInBrowsers)].map((client) => collect(client.checkMany(odd))),
  );
  assert.deepEqual(streamed, batched);
  assert.deepEqual(await collect(clientOf().checkMany([])), []);
});

test("after each failure that may pass the next request begins with the first IBAN without an entry", async () => {
  const cut = "cut within the answer";
  const faults: Fault[] = [cut, cut, { status: 502 }, cut, "cut", { code: "checker_failed" }, cut];
  assert.equal(await checkedThrough(faults, ibansOf(readAhead - 1)), faults.length + 1);
});

test("a body of one piece ends at once, for a proxy that passes it on when it is whole", async (context) => {
  const proxy = createServer(async (request, response) => {
    const lines = (await text(request)).trim().split("\n");
    const entries = lines.map((line, index) => `{"line":${index + 1},"iban":${line},"valid":true}\n`);
    response.end(`${entries.join("")}${summaryOf(entries.length)}`);
  });
  const port = await listen(proxy);
  // Nothing of it waits for a time to pass.
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const entries = await collect(clientOf({ baseUrl: `http://127.0.0.1:${port}` }).checkMany(ibansOf(3)));
  context.mock.timers.reset();
  assert.deepEqual(pluck(entries, "iban"), ibansOf(3));
  await closed(proxy);
});

test("a slow source has its entries within the time for an answer through a proxy that collects answers", async (context) => {
  const proxy = createServer(async (request, response) => {
    const answer = await fetch(service.url + request.url, {
      ...{ method: "POST", headers: { "X-API-Key": testKey, "Content-Type": "application/x-ndjson" } },
      body: await text(request),
    });
    response.end(await answer.text());
  });
  const client = clientOf({ baseUrl: `http://127.0.0.1:${await listen(proxy)}`, retries: 0 });
  context.after(() => proxy.close());
  let isAnswered = false;
  async function* untilAnswered() {
    for (; !isAnswered; await delay(10)) yield valid;
  }
  for await (const { iban } of client.checkMany(untilAnswered())) {
    assert.equal(iban, valid);
    isAnswered = true;
  }
});

test("a source is read 16,384 items ahead of what is taken, and who takes nothing keeps no request open", async () => {
  let read = 0;
  function* endless() {
    for (;;) yield `DE${read++}`;
  }
  await withFaults([], async (client, proxy) => {
    let taken = 0;
    let before = 0;
    for await (const { iban } of client.checkMany(endless())) {
      assert.equal(iban, `DE${taken++}`);
      if (taken === 20_000) {
        // After a second without anything to send the request ends.
        await until(() => proxy.open === 0);
        assert.ok(read <= taken + readAhead, `${read} read, ${taken} taken`);
        before = proxy.requests;
      }
      if (taken === 40_000) break;
    }
    assert.ok(read <= taken + readAhead + 1, `${read} read, ${taken} taken`);
    assert.ok(proxy.requests > before, "the next request continues");
  });
});

test("a slow source has its entries at once, and what it yields before it fails is answered", async () => {
  let given = 0;
  async function* source() {
    for (; given < 3; given++) {
      yield valid;
      await delay(1);
    }
    throw new Error("unreadable");
  }
  let taken = 0;
  const checked = async () => {
    for await (const { iban } of clientOf().checkMany(source())) assert.equal(iban, [valid][taken++ % 1]);
  };
  await assert.rejects(checked, /unreadable/);
  assert.equal(taken, 3);
  async function* waiting() {
    yield valid;
    await new Promise(() => {});
  }
  for await (const { iban } of clientOf().checkMany(waiting(), { maxWait: 50 })) {
    assert.equal(iban, valid);
    break;
  }
});

test("who leaves, aborts or fails leaves no connection behind", async () => {
  /** Begins to answer, and never ends. */
  const server = createServer((incoming, answer) => {
    incoming.resume();
    answer.writeHead(200, { "Content-Type": "application/x-ndjson" });
    answer.write('{"line":1,"iban":"DE0","valid":false}\n');
  });
  const client = clientOf({ baseUrl: `http://127.0.0.1:${await listen(server)}` });
  const isLeft = () =>
    new Promise<boolean>((resolve) => server.getConnections((_, count) => resolve(count === 0)));
  const stop = new AbortController();
  const leaves = [
    async () => {
      for await (const _ of client.checkMany(ibansOf(2 * readAhead))) break;
    },
    async () => {
      for await (const _ of client.checkMany(ibansOf(2 * readAhead))) throw new Error("enough");
    },
    async () => {
      for await (const _ of client.checkMany(ibansOf(2 * readAhead), { signal: stop.signal }))
        stop.abort(new Error("enough"));
    },
  ];
  for (const leave of leaves) {
    await leave().catch(({ message }: Error) => assert.equal(message, "enough"));
    await until(isLeft);
  }
  server.close();
});

const asked = ["eins", "zwei ü", "drei", "vier"];
const entryOf = (iban: string) => ({ iban, valid: false, bank: "Köln €" });
const answerTo = (lines: readonly string[]) =>
  lines.map((iban, at) => `{"line":${at + 1},${JSON.stringify(entryOf(iban)).slice(1)}\n`).join("") +
  summaryOf(lines.length);

/** Sends the IBANs above to a played service. */
type Send = (fetch: Fetch) => Promise<readonly unknown[]>;

/** As `checkMany` does. */
const checked: Send = (fetch) => {
  const inPieces = Object.assign(fetch, { sendsPieces: true as const });
  return collect(clientOf({ fetch: inPieces, retries: 2 }).checkMany(asked));
};

/** As the console does, whose answers are texts without the beginning. */
const sentAsLines: Send = async (fetch) => {
  const sender = new RequestSender({
    baseUrl: "http://service",
    apiKey: "key",
    fetch,
    minDelayMs: 0,
    retries: 2,
  });
  const lines = asked.map((iban) => JSON.stringify(iban));
  const answers: string[] = [];
  await sendLines(sender, lines, { path: "/v1/stream", signal: undefined, answers });
  return answers.map((answer) => JSON.parse(`{${answer}`));
};

/** Checks the IBANs above over what answers each request; returns the entries and the lines that each request asked. */
async function played(
  answerOf: (lines: readonly string[], number: number) => AsyncIterable<Buffer>,
  send = checked,
) {
  const requests: string[][] = [];
  const fetch: Fetch = async (_url, { body }) => {
    const whole = typeof body === "object" ? await text(body) : body!;
    const lines = whole.split("\n").filter(Boolean);
    const request = lines.map((line) => JSON.parse(line) as string);
    const answer = { headers: { get: () => null }, text: async () => "" };
    return { ok: true, status: 200, ...answer, body: answerOf(request, requests.push(request) - 1) };
  };
  return { entries: await send(fetch), requests };
}

for (const [what, send] of [
  ["checkMany", checked],
  ["sendLines", sentAsLines],
] as const)
  test(`wherever the answer to ${what} is cut off, each IBAN has one entry and only those without one are sent again`, async () => {
    const bytes = Buffer.from(answerTo(asked));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { entries, requests } = await played(async function* (lines, number) {
        if (number > 0) {
          yield Buffer.from(answerTo(lines));
          return;
        }
        // In two parts, the end of the first of which may be within a character.
        yield bytes.subarray(0, cut >> 1);
        yield bytes.subarray(cut >> 1, cut);
        if (cut < bytes.length) throw new Error("socket hang up");
      }, send);
      assert.deepEqual(entries, asked.map(entryOf), `cut at ${cut}`);
      const answered = Math.min(bytes.subarray(0, cut).toString().split("\n").length - 1, asked.length);
      assert.deepEqual(requests.slice(1), answered === asked.length ? [] : [asked.slice(answered)]);
    }
  });

test("an answer that brings lines each time is never given up, one that brings none is", async () => {
  const one = await played(async function* (lines) {
    yield Buffer.from(answerTo(lines.slice(0, 1)).replace(summaryOf(1), ""));
  }, sentAsLines);
  assert.equal(one.requests.length, 4);
  const failing = played(async function* () {
    yield Buffer.from('{"error":{"code":"internal_error","message":"It failed."}}\n');
  }, sentAsLines);
  await assert.rejects(failing, refusal("internal_error"));
});

test("a service that stops is asked again, and one that answers anything else is refused", async () => {
  const stops =
    '{"error":{"code":"internal_error","message":"Idle."}}\n  {"summary":{"lines":2,"next_line":3}}\n';
  const stopped = await played(async function* (lines, number) {
    const whole = answerTo(number > 0 ? lines : lines.slice(0, 2));
    yield Buffer.from(number > 0 ? whole : whole.replace(summaryOf(2), stops));
  });
  assert.deepEqual(stopped.entries, asked.map(entryOf));
  assert.deepEqual(stopped.requests[1], asked.slice(2));
  const lines = answerTo(asked).split("\n");
  for (const other of [
    "<html>\n",
    "null\n",
    '{"line":2,"iban":"x"}\n',
    `${lines[0]}\n${lines[2]}\n`,
    `${lines[0]}\n}\n`,
    answerTo([...asked, "five"]),
    answerTo(asked).replace(summaryOf(4), summaryOf(3)),
    summaryOf(0),
  ]) {
    const refused = played(async function* () {
      yield Buffer.from(other);
    });
    await assert.rejects(refused, refusal("invalid_answer", "incomplete_answer"), other);
  }
});
