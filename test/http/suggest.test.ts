import assert from "node:assert/strict";
import { test } from "node:test";
import type { IbanCheckAnswer } from "../../src/client/index.ts";
import { useSharedService } from "../service.ts";
import { ask } from "./calls.ts";

const service = useSharedService();

const wrong = "DE89370400440532013001";
const right = "DE89370400440532013000";

test("suggest=1 says what a wrong IBAN was meant to be, by path, by body and in a batch alike", async () => {
  const byPath = await ask(service, `/v1/iban/${wrong}?suggest=1`, "ibanCheck");
  assert.deepEqual([byPath.status, byPath.data.iban], [0, wrong]);
  const suggested = byPath.data.suggestions!.map(({ iban, kind }) => [iban, kind]);
  assert.deepEqual(suggested, [[right, "substitution"]]);
  const byBody = await ask(service, "/v1/iban?suggest=1", "ibanCheck", { iban: wrong });
  assert.deepEqual(byBody, byPath);
  const { batch } = await ask(service, "/v1/iban?suggest=1", "ibanBatch", {
    ibans: [wrong, right, "E89370400440532013000", 5],
  });
  assert.deepEqual(batch.results[0]!.data, byPath.data);
  const found = batch.results.map(({ data }) => data.suggestions?.map(({ iban }) => iban));
  assert.deepEqual([found[1], found[2]![0], found[3]], [undefined, right, []]);
  assert.equal(batch.suggestions_omitted, 0);
});

test("without suggest=1 nothing is added", async () => {
  for (const path of [`/v1/iban/${wrong}`, `/v1/iban/${wrong}?suggest=0`, `/v1/iban/${right}?suggest=1`]) {
    const { data } = await ask(service, path, "ibanCheck");
    assert.deepEqual([data.suggestions, data.suggestion_count], [undefined, undefined], path);
  }
  const plain = await (await service.request(`/v1/iban/${wrong}`)).text();
  assert.equal(await (await service.request(`/v1/iban/${wrong}?suggest=0`)).text(), plain);
});

test("suggest=1 says what a wrong account was meant to be, by path and by body alike", async () => {
  const { data } = await ask(service, "/v1/kto/37040044/532013000?suggest=1", "accountCheck");
  const found = data.suggestions?.map(({ kontonummer, bankleitzahl }) => [kontonummer, bankleitzahl]);
  assert.deepEqual(found?.[0], ["532013000", "37040044"]);
  const swapped = { kontonummer: "37040044", bankleitzahl: "532013000" };
  const { data: posted } = await ask(service, "/v1/kto?suggest=1", "accountCheck", swapped);
  assert.deepEqual(posted.suggestions, data.suggestions);
});

const suggest = (body: unknown) => ask(service, "/v1/suggest", "suggest", body);

test("POST /v1/suggest lists as many as are asked for, 50 by default", async () => {
  const iban = "MT84MALT011000012345????AST001S";
  assert.equal((await suggest({ iban, max: 7 })).data.suggestions.length, 7);
  assert.equal((await suggest({ iban })).data.suggestions.length, 50);
});

const extract = (text: string) => ask(service, "/v1/extract", "extract", { text });

test("POST /v1/extract finds numbers with their place in the text as sent, in UTF-16", async () => {
  const text = `Für 😀 Müller:\nIBAN DE89 3704 0044\n0532 0130 00, BIC: COBADEFFXXX; USt-IdNr. DE123456789`;
  const { status, message, data } = await extract(text);
  assert.deepEqual([status, message], [1, "Found 1 IBAN and 1 BIC."]);
  const [found] = data.ibans;
  assert.deepEqual([found?.iban, text.slice(found?.start, found?.end)], [right, found?.text]);
  assert.equal(data.bics[0]?.start, text.indexOf("COBADEFFXXX"));
  assert.equal(data.read_to, text.length);
});

test("a text without any number, an empty one and one that fills the body are answered", async () => {
  assert.equal((await extract("Sehr geehrte Damen und Herren, vielen Dank.")).status, 0);
  assert.equal((await extract("")).status, 0);
  const room = 131_072 - '{"text":""}'.length;
  const sentence = "IBAN: DE89 3704 0044 0532 0130 01, BIC COBADEFFXXX. ";
  for (const text of [wrong, right, "DE89 ", "A1 ", "\u0001", sentence]) {
    const json = JSON.stringify(text).length - 2;
    const { data } = await extract(`${text} `.repeat(Math.floor(room / (json + 1))));
    assert.ok(data.ibans.length <= 500);
  }
});

test("lenient=1 reads an IBAN as people write it and says what was removed, by path, by body, in a batch and in a stream", async () => {
  const text = "IBAN: DE89-3704-0044-0532-0130-00";
  const query = "?lenient=1&explain=1";
  const { batch } = await ask(service, `/v1/iban${query}`, "ibanBatch", { ibans: [text] });
  const ndjson = { "Content-Type": "application/x-ndjson" };
  const stream = await service.post(`/v1/stream${query}`, JSON.stringify({ iban: text }), ndjson);
  const [line = ""] = (await stream.text()).split("\n");
  for (const { data } of [
    await ask(service, `/v1/iban${query}`, "ibanCheck", { iban: text }),
    await ask(service, `/v1/iban/${encodeURIComponent(text)}${query}`, "ibanCheck"),
    ...batch.results,
    JSON.parse(line) as IbanCheckAnswer,
  ]) {
    assert.equal(data.iban, right);
    const [spelling] = data.checks!;
    const ids = spelling!.messages?.map(({ id }) => id);
    assert.deepEqual([spelling!.check, ids], ["spelling", ["spelling_separators", "spelling_prefix"]]);
  }
});
