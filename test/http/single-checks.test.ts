import assert from "node:assert/strict";
import { test } from "node:test";
import { type CheckAnswer, expectCheckAnswer } from "../contract/check-data.ts";
import { useSharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { checkIban, getJson } from "./calls.ts";

const service = useSharedService();

const iban = "DE89370400440532013000";
const posted = async (path: string, body: object) => (await service.post(path, body)).json();

test("POST /v1/kto answers as GET does, sepa as number or as text", async () => {
  for (const account of words`0532013000/37040044 532013100/37040044 53201300012/3704004`) {
    const [kontonummer = "", bankleitzahl = ""] = account.split("/");
    const got = (query: string) => getJson<CheckAnswer>(service, `/v1/kto/${account}?${query}`);
    const plain = await got("sepa=0&explain=0");
    expectCheckAnswer(plain, { account: true, sepaMethods: false });
    const withIban = await got("sepa=1");
    expectCheckAnswer(withIban, { account: true });
    for (const sepa of [undefined, 0, "0", "", null, 1, "1"]) {
      const answer = await posted("/v1/kto", { kontonummer, bankleitzahl, sepa });
      assert.deepEqual(answer, Number(sepa) === 1 ? withIban : plain, `${kontonummer} sepa ${sepa}`);
    }
    const explained = await got("sepa=1&explain=1");
    expectCheckAnswer(explained, { account: true, checks: true });
    assert.deepEqual(await posted("/v1/kto?explain=1", { kontonummer, bankleitzahl, sepa: 1 }), explained);
  }
});

test("POST /v1/iban answers as GET does, to printed forms and with a BIC too", async () => {
  for (const [given, bic] of [
    ["de89 3704\t0044\u00a00532 0130 00"],
    ["DE88370400440532013000"],
    [iban, "coba DE FF xxx"],
    [iban, "DEUTDEFF"],
    ["ZZ68539007547034", "COBADEFF"],
  ] as const) {
    const path = [given, bic ?? []].flat().map(encodeURIComponent).join("/");
    for (const query of ["", "?explain=1"] as const)
      assert.deepEqual(
        await posted(`/v1/iban${query}`, { iban: given, bic }),
        await checkIban(service, path, query),
      );
  }
});

test("an absent, empty or null BIC in a body means none, and sepa changes nothing", async () => {
  const alone = await checkIban(service, iban);
  for (const sepa of ["0", "1"])
    assert.deepEqual(await getJson(service, `/v1/iban/${iban}?sepa=${sepa}`), alone);
  for (const bic of [undefined, null, ""])
    assert.deepEqual(await posted("/v1/iban", { iban, bic }), alone, JSON.stringify(bic));
});

test("reason=1 adds reason and severity alone and in a batch; without it and with reason=0 nothing is added", async () => {
  const wrong = "DE88370400440532013000";
  const plain = await checkIban(service, wrong);
  assert.deepEqual(await getJson(service, `/v1/iban/${wrong}?reason=0`), plain);
  const reason = { reason: "iso_check_digits", severity: "error" };
  const asked = await getJson<CheckAnswer>(service, `/v1/iban/${wrong}?reason=1`);
  assert.deepEqual(asked, { ...plain, data: { ...plain.data, ...reason } });
  const batch = async (query: string) => {
    const answer = await posted(`/v1/iban${query}`, { ibans: [wrong] });
    return (answer as { batch: { results: object[] } }).batch.results;
  };
  const entry = { iban: wrong, valid: false, status: 0, data: plain.data };
  for (const query of ["", "?reason=0"]) assert.deepEqual(await batch(query), [entry]);
  const { message } = plain;
  assert.deepEqual(await batch("?reason=1"), [{ ...entry, data: { ...plain.data, ...reason, message } }]);
});
