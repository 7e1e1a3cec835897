import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf } from "../../src/usage/usage-store.ts";
import { until } from "../faults/gate.ts";
import { otherKey, otherSecondKey, useSharedService } from "../service.ts";
import { readUsage } from "./calls.ts";

const iban = "DE89370400440532013000";
const wrong = "DE89370400440532013001";
const service = useSharedService();

const usageOf = (key?: string) => readUsage(service.port, key);

/** How many checks the service counts for what is done, and what that returns. */
async function counted<T>(work: () => Promise<T>): Promise<readonly [count: number, result: T]> {
  const before = (await usageOf()).key.total;
  const result = await work();
  return [(await usageOf()).key.total - before, result];
}

const get = async (path: string) => (await service.request(path)).text();
const post = async (path: string, body: unknown) => (await service.post(path, body)).text();

const worth: readonly (readonly [what: string, checks: number, work: () => Promise<unknown>])[] = [
  ["an IBAN by path", 1, () => get(`/v1/iban/${iban}`)],
  ["an IBAN with its BIC", 1, () => get(`/v1/iban/${iban}/COBADEFFXXX`)],
  ["an IBAN by body", 1, () => post("/v1/iban", { iban })],
  ["an account by path", 1, () => get("/v1/kto/532013000/37040044?sepa=1")],
  ["an account by body", 1, () => post("/v1/kto", { kontonummer: "532013000", bankleitzahl: "37040044" })],
  ["a search by query", 1, () => get("/v1/search?name=Commerzbank&max=50")],
  ["a search by body that finds nothing", 1, () => post("/v1/search", { name: "Commerzbank", zip: "00" })],
  ["a search too long for a small slot", 1, () => post("/v1/search", { name: "x".repeat(2_000) })],
  ["a batch of 500", 500, () => post("/v1/iban", { ibans: Array(500).fill(iban) })],
  ["a batch with entries that are none", 3, () => post("/v1/iban", { ibans: [iban, "", "x"] })],
  ["a batch the kernel does not understand", 4, () => post("/v1/iban", { ibans: [iban, 1, null, "ä"] })],
  ["a batch behind another field", 2, () => post("/v1/iban", { x: 1, ibans: [iban, iban] })],
  ["a text with three IBANs", 3, () => post("/v1/extract", { text: `${iban} ${iban} IBAN: ${wrong}` })],
  ["a suggestion with a check", 1, () => get(`/v1/iban/${wrong}?suggest=1`)],
  ["suggestions with a batch", 2, () => post("/v1/iban?suggest=1", { ibans: [wrong, iban] })],
  ["a suggestion alone", 1, () => post("/v1/suggest", { iban: wrong })],
  ["ping", 0, () => get("/v1/ping")],
  ["usage", 0, () => get("/service/usage")],
  ["an invalid IBAN", 0, () => get("/v1/iban/DE")],
  ["an unknown path", 0, () => get("/v1/nothing")],
  ["a batch that is too large", 0, () => post("/v1/iban", { ibans: Array(501).fill(iban) })],
  ["an empty batch", 0, () => post("/v1/iban", { ibans: [] })],
  ["broken JSON that begins like a batch", 0, () => post("/v1/iban", `{"ibans":["${iban}"`)],
];

for (const [what, checks, work] of worth)
  test(`${what} counts as ${checks}`, async () => assert.equal((await counted(work))[0], checks));

test("another key counts for itself and for all keys of its name, and a wrong one counts nowhere", async () => {
  const own = await usageOf();
  const before = await usageOf(otherKey);
  for (const key of [otherKey, otherKey, otherSecondKey, "wrong-key-0123456789"])
    await (await service.request(`/v1/iban/${iban}`, { headers: { "X-API-Key": key } })).text();
  const [first, second] = [await usageOf(otherKey), await usageOf(otherSecondKey)];
  assert.deepEqual([first.name, second.name, second.key.total], ["other", "other", 1]);
  assert.equal(first.key.total, before.key.total + 2);
  for (const { all_keys } of [first, second]) assert.equal(all_keys.total, before.all_keys.total + 3);
  assert.notEqual(first.key.id, second.key.id);
  const { key, all_keys } = await usageOf();
  assert.deepEqual([key.total, all_keys.total], [own.key.total, own.all_keys.total]);
});

test("checks sent at the same time all count", async () => {
  const ask = (_: unknown, index: number) =>
    index % 4 === 0 ? post("/v1/iban", { ibans: Array(10).fill(iban) }) : get(`/v1/iban/${iban}`);
  const [count, texts] = await counted(() => Promise.all(Array.from({ length: 200 }, ask)));
  const answered = texts.reduce((sum, text) => {
    const { batch, error } = JSON.parse(text) as { batch?: { total: number }; error?: object };
    return sum + (error === undefined ? (batch?.total ?? 1) : 0);
  }, 0);
  assert.equal(count, answered);
});

test("the answer counts by the day that it names", async () => {
  await until(async () => {
    const day = dayOf(Date.now());
    const before = await usageOf();
    await get(`/v1/iban/${iban}`);
    const usage = await usageOf();
    // Midnight in UTC may come in between.
    if (dayOf(Date.now()) !== day) return false;
    assert.deepEqual([before.day, usage.day], [day, day]);
    assert.equal(usage.key.today, before.key.today + 1);
    return true;
  });
});
