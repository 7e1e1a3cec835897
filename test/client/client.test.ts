import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnswerFacts, BankcheckClient, ClientOptions, RetryNotice } from "../../src/client/index.ts";
import type { Fault, FaultyProxy } from "../support/faulty-proxy.ts";
import { pluck } from "../support/pluck.ts";
import { account, asInBrowsers, refusal, useClients, valid } from "./clients.ts";
import { collect } from "./collect.ts";

const { service, clientOf, withFaults } = useClients();

/** Checks IBANs in batches that are sent at the same time, as far as the client allows. */
async function checkAtOnce(client: BankcheckClient, ibans: readonly string[]) {
  const batches = Array.from({ length: Math.ceil(ibans.length / 500) }, (_, index) =>
    client.checkBatch(ibans.slice(500 * index, 500 * (index + 1))),
  );
  return (await Promise.all(batches)).flat();
}

test("check returns the answer, with its checks on request, and compares a BIC", async () => {
  const client = clientOf();
  const answer = await client.check(valid);
  assert.equal(answer.data.bank, "Commerzbank");
  assert.equal(answer.data.checks, undefined);
  assert.ok(
    (await client.check(valid, { explain: true })).data.checks?.some(({ check }) => check === "bank_code"),
  );
  assert.equal((await client.check(valid, { bic: "DEUTDEFF" })).status, 2);
});

test("where a body is sent as a whole, checkMany takes an asynchronous source, and entries too long for 500 of them in a body", async () => {
  async function* source() {
    for (let number = 0; number < 700; number++) yield `${"X".repeat(300)}${number}"ü`;
  }
  const entries = await collect(clientOf(asInBrowsers).checkMany(source()));
  assert.equal(entries.length, 700);
  assert.ok(entries.every(({ error }) => error?.code === "invalid_iban"));
});

test("temporary faults are retried: after busy, failed, broken and gateway answers each entry keeps its place", async () => {
  const faults: Fault[] = [
    { code: "server_busy", retryAfter: 0 },
    { code: "internal_error" },
    "cut",
    { code: "checker_failed" },
    { status: 502 },
    "cut within the answer",
    { status: 504 },
    { status: 503 },
  ];
  const ibans = Array.from({ length: 20_000 }, (_, number) => `DE${number}`);
  for (const check of [checkAtOnce, (client: BankcheckClient) => collect(client.checkMany(ibans))]) {
    const everyOther = faults.flatMap((fault) => [fault, undefined]);
    const entries = await withFaults(everyOther, (client) => check(client, ibans), asInBrowsers);
    assert.deepEqual(pluck(entries, "iban"), ibans);
  }
});

test("configuration_error and 4xx are never sent again", async () => {
  await withFaults([{ code: "configuration_error" }], async (client, proxy) => {
    await assert.rejects(client.check(valid), refusal("configuration_error"));
    assert.equal(proxy.requests, 1);
  });
  const client = clientOf({ onRetry: ({ error }) => assert.fail(error) });
  await assert.rejects(client.check("12"), refusal("invalid_iban"));
  await assert.rejects(client.search({ max: 1 }), refusal("missing_search_criteria"));
  await assert.rejects(clientOf({ apiKey: "wrong" }).check(valid), refusal("invalid_key"));
});

test("what keeps failing is given up with its code after the retries allowed", async () => {
  for (const [fault, code] of [
    [{ code: "server_busy", retryAfter: 0 }, "server_busy"],
    [{ code: "checker_failed" }, "checker_failed"],
    ["cut", "unreachable"],
    [{ status: 504 }, "timed_out"],
    [{ status: 429 }, "rate_limited"],
  ] as const) {
    const fail = async (client: BankcheckClient, proxy: FaultyProxy) => {
      await assert.rejects(client.check(valid), refusal(code));
      assert.equal(proxy.requests, 3);
    };
    await withFaults(Array(3).fill(fault), fail, { retries: 2 });
  }
});

test("an answer that is not JSON, or not an object, is reported as invalid", async () => {
  for (const answer of [
    ...[null, 1, "text"].map((other) => () => Response.json(other)),
    ...[200, 404].map((status) => () => new Response("<p>hello</p>", { status })),
  ]) {
    const client = clientOf({ fetch: async () => answer() });
    for (const call of [client.check(valid), client.checkBatch([valid]), client.health()])
      await assert.rejects(call, refusal("invalid_answer"));
  }
  const short = clientOf({ fetch: async () => Response.json({ batch: { results: [] } }) });
  await assert.rejects(short.checkBatch([valid]), refusal("invalid_answer"));
});

/** A fetch that never answers and ends as its signal says. */
const silent: ClientOptions["fetch"] = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

test("an answer that does not arrive in time is timed_out", async () => {
  const client = clientOf({ fetch: silent, timeout: 5, retries: 1 });
  await assert.rejects(client.check(valid), refusal("timed_out"));
});

test("an abort ends a call with the signal's reason: before it, while it runs, while it waits for a retry or for its source", async () => {
  const reason = new Error("enough");
  await assert.rejects(clientOf().check(valid, { signal: AbortSignal.abort(reason) }), reason);
  const running = new AbortController();
  const answer = clientOf({ fetch: silent }).check(valid, { signal: running.signal });
  running.abort(reason);
  await assert.rejects(answer, reason);
  const waiting = new AbortController();
  const busy: ClientOptions["fetch"] = async () => {
    setImmediate(() => waiting.abort(reason));
    return Response.json(
      { error: { code: "server_busy" } },
      { status: 503, headers: { "Retry-After": "60" } },
    );
  };
  await assert.rejects(clientOf({ fetch: busy }).check(valid, { signal: waiting.signal }), reason);
  const stop = new AbortController();
  async function* source() {
    yield* Array(500).fill(valid);
    stop.abort(reason);
    await new Promise(() => {});
  }
  await assert.rejects(collect(clientOf().checkMany(source(), { signal: stop.signal })), reason);
});

test("no more requests are in flight than allowed, and fewer once the service is busy", async () => {
  const limits: number[] = [];
  await withFaults(Array(3).fill({ code: "server_busy", retryAfter: 0 }), async (_, proxy) => {
    const onRetry = () => limits.push(client.concurrency);
    const client = clientOf({ baseUrl: proxy.url, concurrency: 3, onRetry });
    await checkAtOnce(client, Array(20_000).fill(valid));
    assert.ok(proxy.maxAtOnce <= 3, String(proxy.maxAtOnce));
    assert.equal(limits[0], 1, "reduced");
    assert.equal(client.concurrency, 3, "regained");
  });
});

test("accountMany yields an entry for each account in order, and the error of one that is not well formed", async () => {
  const accounts = Array.from({ length: 1_234 }, (_, number) => ({
    ...account,
    ...(number % 10 === 3 ? { kontonummer: "x" } : {}),
  }));
  const faults: readonly (Fault | undefined)[] = ["cut within the answer", { status: 502 }, "cut"];
  const entries = await withFaults(faults, (client) => collect(client.accountMany(accounts, { sepa: true })));
  assert.equal(entries.length, 1_234);
  assert.deepEqual(entries[0]?.answer, await clientOf().account("532013000", "37040044", { sepa: true }));
  for (const [number, { answer, error }] of entries.entries()) {
    if (number % 10 === 3) assert.equal(error?.code, "invalid_kontonummer");
    else assert.equal(answer?.data.iban, valid);
  }
});

test("health, usage, the id of a request and the edition that answered", async () => {
  const client = clientOf();
  const { status, data } = await client.health();
  assert.equal(status, "up");
  const usage = await client.usage({ days: 3 });
  assert.deepEqual([usage.name, usage.key.days?.length], ["test", 3]);
  const facts: AnswerFacts[] = [];
  await client.check(valid, { requestId: "mine-1", onAnswer: (fact) => facts.push(fact) });
  assert.deepEqual(facts[0]?.requestId, "mine-1");
  assert.ok(facts[0]?.edition?.includes(data.edition), facts[0]?.edition);
  await assert.rejects(client.check("12", { requestId: "mine-2" }), { requestId: "mine-2" });
});

test("what a callback throws ends its call as it is", async () => {
  const mine = new Error("mine");
  const onAnswer = () => {
    throw mine;
  };
  for (const call of [
    () => clientOf().check(valid, { onAnswer }),
    () => collect(clientOf().checkMany([valid], { onAnswer })),
    () => collect(clientOf(asInBrowsers).accountMany([account], { onAnswer })),
  ]) {
    await assert.rejects(call, (error) => error === mine);
  }
});

test("a caller's mistake is thrown at once, is not retried, and keeps no other call waiting", async () => {
  const mistakes: readonly (readonly [RegExp, (client: BankcheckClient) => Promise<unknown>])[] = [
    [
      /^An item of the source is undefined\.$/,
      (client) => collect(client.checkMany([valid, undefined as never])),
    ],
    [/^An item of the source is null\.$/, (client) => collect(client.checkMany([null as never]))],
    [/^An item of the source is null\.$/, (client) => collect(client.accountMany([account, null as never]))],
    [/ BigInt$/, (client) => collect(client.accountMany([{ ...account, kontonummer: 1n as never }]))],
    [/^requestId must be 1 to 64 letters/, (client) => client.check(valid, { requestId: "a\nb" })],
    [/^requestId must be 1 to 64 letters/, (client) => client.check(valid, { requestId: "ü".repeat(9) })],
    [/not a function$/, (client) => client.check(valid, { signal: {} as never })],
  ];
  for (const options of [{}, asInBrowsers]) {
    const onRetry = ({ error }: RetryNotice) => assert.fail(error);
    const client = clientOf({ ...options, concurrency: 1, onRetry });
    for (const [message, call] of mistakes) {
      const outcomes = await Promise.allSettled([client.ping(), call(client), call(client), client.ping()]);
      const [, mine, again] = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason);
      for (const error of [mine, again]) {
        assert.ok(error instanceof TypeError || error instanceof RangeError, String(error));
        assert.match(error.message, message);
      }
      assert.deepEqual([outcomes[0].status, outcomes[3].status], ["fulfilled", "fulfilled"]);
    }
  }
});

test("what comes before a wrong item is answered, and the source is let go", async () => {
  let isLetGo = false;
  async function* source() {
    try {
      yield valid;
      yield null as never;
      yield valid;
    } finally {
      isLetGo = true;
    }
  }
  const entries: string[] = [];
  const reading = async () => {
    for await (const { iban } of clientOf().checkMany(source())) entries.push(iban);
  };
  await assert.rejects(reading, TypeError);
  assert.deepEqual([entries, isLetGo], [[valid], true]);
});

test("a part of a path that is empty, or leads elsewhere, is refused with its name", async () => {
  const client = clientOf();
  for (const [field, call] of [
    ["bank_code", () => client.bank("DE", "")],
    ["country", () => client.bank("", "37040044")],
    ["country", () => client.bank("..", "ping")],
    ["bic", () => client.bic("")],
    ["bic", () => client.bic(".")],
  ] as const) {
    await assert.rejects(call, { field, httpStatus: 400 });
  }
});

test("options that cannot be used are refused, and a key is never repeated", async () => {
  for (const wrong of [
    { timeout: -1 },
    { timeout: Number.NaN },
    { retries: -1 },
    { retries: 1.5 },
    { minDelayMs: -1 },
    { maxDelayMs: Number.POSITIVE_INFINITY },
    { giveUpAfter: Number.NaN },
    { baseUrl: "ftp://bankcheck.example" },
    { baseUrl: "http://name:secret@bankcheck.example" },
    { baseUrl: "http://bankcheck.example/?key=secret" },
    { apiKey: "" },
    { apiKey: "secret\n" },
    { apiKey: "sécret" },
    { baseUrl: "nowhere" },
    ...[0, 65, 1.5].map((concurrency) => ({ concurrency })),
  ]) {
    assert.throws(
      () => clientOf(wrong),
      (error) => error instanceof RangeError && !/s.cret/.test(error.message),
      JSON.stringify(wrong),
    );
  }
  const { host } = new URL(service.url);
  for (const baseUrl of [`HTTP://${host}//`, ` ${service.url}/ `, `${service.url}?`]) {
    assert.equal((await clientOf({ baseUrl }).health()).status, "up");
  }
});
