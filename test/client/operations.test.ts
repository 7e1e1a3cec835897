import assert from "node:assert/strict";
import { test } from "node:test";
import { BankcheckClient, type ClientOptions } from "../../src/client/index.ts";
import { sharedService, testKey } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { collect } from "./collect.ts";

const valid = "DE89370400440532013000";
const wrong = "DE88370400440532013000";
const account = { kontonummer: "532013000", bankleitzahl: "37040044" };

test("the checks of many take every option, over streams and in batches alike", async () => {
  const { url: baseUrl } = await sharedService();
  const inBatches = { fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init) };
  const answers = [];
  for (const options of [{}, inBatches as Partial<ClientOptions>]) {
    const client = new BankcheckClient({ baseUrl, apiKey: testKey, ...options });
    const asked = {
      reason: true,
      suggest: true,
      explain: true,
      lenient: true,
      reach: true,
      lang: "en",
    } as const;
    const entries = await collect(client.checkMany([valid, wrong, `IBAN: ${valid}`], asked));
    const [right, , text] = entries;
    assert.equal(text?.valid, true);
    assert.ok(right?.data?.sepa_reach !== undefined && right.data.checks !== undefined);
    assert.ok((entries[1]?.data?.suggestions?.length ?? 0) > 0);
    assert.equal(entries[1]?.data?.reason, "iso_check_digits");
    const pairs = [
      { iban: valid, bic: "DEUTDEFF", id: 7 },
      { iban: "x".repeat(2_000), id: "b" },
      { iban: wrong },
    ];
    const paired = await collect(client.checkMany(pairs, { reason: true }));
    const [pair] = paired;
    assert.equal(pair?.data?.reason, "bic_mismatch");
    assert.deepEqual(pluck(paired, "id"), [7, "b", undefined]);
    const wrongAccount = { kontonummer: "x", bankleitzahl: "1", id: 9 };
    const named = await collect(client.accountMany([{ ...account, id: "a" }, wrongAccount, account]));
    assert.deepEqual(pluck(named, "id"), ["a", 9, undefined]);
    const accounts = await collect(
      client.accountMany([account], { sepa: true, reason: true, explain: true }),
    );
    assert.equal(accounts[0]?.answer?.data.iban, valid);
    assert.ok(accounts[0]?.answer?.data.checks !== undefined);
    assert.ok("reason" in accounts[0]!.answer!.data);
    answers.push([entries, paired, accounts]);
  }
  assert.deepEqual(answers[0], answers[1]);
});

test("unknown options throw before anything is sent", async () => {
  const unknown = (error: unknown) =>
    error instanceof RangeError && /^Unknown option "reasons"/.test(error.message);
  const options = { reasons: true } as object;
  const made = { baseUrl: "http://127.0.0.1", apiKey: "k" };
  const client = new BankcheckClient({ ...made, fetch: async (url) => assert.fail(url) });
  for (const call of [
    () => client.check(valid, options),
    () => client.checkBatch([valid], options),
    () => client.account("1", "2", options),
    () => client.health(options),
    () => client.suggest(valid, options),
    () => collect(client.checkMany([valid], options)),
    () => collect(client.accountMany([account], options)),
  ])
    await assert.rejects(call, unknown);
  assert.throws(() => new BankcheckClient({ ...made, ...options }), unknown);
});

test("a path as the address is of the page's origin in browsers, and refused elsewhere", async () => {
  const options = { baseUrl: "/api", apiKey: "k" };
  assert.throws(() => new BankcheckClient(options), /baseUrl must be an address/);
  const asked: string[] = [];
  const fetch: ClientOptions["fetch"] = async (address) => {
    asked.push(address);
    return Response.json({ status: 1, message: "Pong" });
  };
  Object.assign(globalThis, { location: { href: "https://shop.example/pay/form?x=1" } });
  try {
    await new BankcheckClient({ ...options, fetch }).ping();
  } finally {
    Reflect.deleteProperty(globalThis, "location");
  }
  assert.deepEqual(asked, ["https://shop.example/api/v1/ping"]);
});
