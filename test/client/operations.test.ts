import assert from "node:assert/strict";
import { test } from "node:test";
import { BankcheckClient, type Fetch } from "../../src/client/index.ts";
import { pluck } from "../support/pluck.ts";
import { account, asInBrowsers, useClients, valid } from "./clients.ts";
import { collect } from "./collect.ts";

const wrong = "DE88370400440532013000";
const { clientOf } = useClients();

test("the checks of many take every option, over streams and in batches alike", async () => {
  const answers = [];
  const all = { reason: true, suggest: true, explain: true, lenient: true, reach: true, lang: "en" } as const;
  for (const client of [clientOf(), clientOf(asInBrowsers)]) {
    const entries = await collect(client.checkMany([valid, wrong, `IBAN: ${valid}`], all));
    const [right, mistyped, text] = entries;
    assert.equal(text?.valid, true);
    assert.ok(right?.data?.sepa_reach !== undefined && right.data.checks !== undefined);
    assert.ok((mistyped?.data?.suggestions?.length ?? 0) > 0);
    assert.equal(mistyped?.data?.reason, "iso_check_digits");
    const pairs = [
      { iban: valid, bic: "DEUTDEFF", id: 7 },
      { iban: "x".repeat(2_000), id: "b" },
      { iban: wrong },
    ];
    const paired = await collect(client.checkMany(pairs, { reason: true }));
    assert.equal(paired[0]?.data?.reason, "bic_mismatch");
    assert.deepEqual(pluck(paired, "id"), [7, "b", undefined]);
    const wrongAccount = { kontonummer: "x", bankleitzahl: "1", id: 9 };
    const named = await collect(client.accountMany([{ ...account, id: "a" }, wrongAccount, account]));
    assert.deepEqual(pluck(named, "id"), ["a", 9, undefined]);
    const accounts = await collect(
      client.accountMany([account], { sepa: true, reason: true, explain: true }),
    );
    const { data } = accounts[0]!.answer!;
    assert.equal(data.iban, valid);
    assert.ok(data.checks !== undefined && "reason" in data);
    answers.push([entries, paired, accounts]);
  }
  assert.deepEqual(answers[0], answers[1]);
});

test("unknown options throw before anything is sent", async () => {
  const unknown = { name: "RangeError", message: /^Unknown option "reasons"/ };
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
  const fetch: Fetch = async (address) => {
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
