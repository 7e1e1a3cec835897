import assert from "node:assert/strict";
import { test } from "node:test";
import type { IbanCheckAnswer } from "../../src/client/index.ts";
import { testKey, useSharedService } from "../service.ts";
import { words } from "../support/words.ts";

const service = useSharedService();

const speaking = (acceptLanguage: string) => ({
  headers: { "X-API-Key": testKey, "Accept-Language": acceptLanguage },
});
const german = speaking("de-DE,de;q=0.9,en;q=0.8");
const jsonOf = async (answer: Response) => JSON.parse(await answer.text());
const errorOf = async (answer: Response) => (await jsonOf(answer)).error;
const messageOf = async (answer: Response): Promise<string> => {
  const { message, error } = await jsonOf(answer);
  return message ?? error.message;
};

test("errors are in German where that is preferred, and say so", async () => {
  const answers: Readonly<Record<string, string>> = {
    "/v1/iban/DE8": "Die IBAN ist zu kurz",
    "/v1/nothing": "Diesen Endpunkt gibt es nicht: GET /v1/nothing",
    "/v1/search?max=51&name=x": "max muss zwischen 1 und 50 liegen.",
  };
  for (const [path, message] of Object.entries(answers)) {
    const answer = await service.request(path, german);
    assert.equal(answer.headers.get("Content-Language"), "de", path);
    assert.ok((await messageOf(answer)).startsWith(message), path);
  }
  const unknown = await fetch(`${service.url}/v1/ping`, { headers: { "Accept-Language": "de" } });
  assert.equal(await messageOf(unknown), "Der API-Schlüssel fehlt oder ist ungültig.");
});

test("lang in the query wins over the header, also percent-encoded", async () => {
  const answer = await service.request("/v1/iban/DE8?lang=de", speaking("en"));
  assert.ok((await messageOf(answer)).startsWith("Die IBAN"));
  const encoded = await service.request("/v1/iban/DE8?l%61ng=%64e&expl%61in=%31", speaking("en"));
  const error = await errorOf(encoded);
  assert.ok(error.message.startsWith("Die IBAN") && error.messages !== undefined, JSON.stringify(error));
});

test("answers without a sentence, or in English for all, name no language", async () => {
  for (const path of words`/v1/ping /service/live /service/health /service/usage /service/openapi.json`) {
    const answer = await service.request(path, german);
    assert.equal(answer.headers.get("Content-Language"), null, path);
    await answer.arrayBuffer();
  }
});

test("with explain=1 an error carries the id and the parameters of its sentence", async () => {
  const answer = await service.request("/v1/iban/DE8?explain=1");
  assert.deepEqual((await errorOf(answer)).messages, [{ id: "invalid_iban" }]);
  const refused = await service.request("/v1/ping?explain=1", { method: "PUT", ...speaking("en") });
  const message = { id: "method_allowed", params: { method: "PUT", allow: "GET" } };
  assert.deepEqual((await errorOf(refused)).messages, [message]);
});

test("answers are in German where that is preferred: message, details and ids alike", async () => {
  const answer = await service.request("/v1/iban/DE88370400440532013000?explain=1", german);
  assert.equal(answer.headers.get("Content-Language"), "de");
  const { message, data } = (await answer.json()) as IbanCheckAnswer;
  assert.equal(message, "Die IBAN ist ungültig: Die Prüfziffern sind falsch.");
  assert.deepEqual(data.messages, [{ id: "iban_check_digits" }]);
  const country = data.checks!.find(({ check }) => check === "country");
  assert.equal(country?.detail, "Deutschland (DE).");
  assert.deepEqual(country?.messages, [{ id: "country_found", params: { name: "Germany", country: "DE" } }]);
  for (const [path, message] of [
    ["/v1/kto/532013000/37040044?lang=de", "Kontonummer und Bankleitzahl sind gültig."],
    ["/v1/search?name=Commerzbank&lang=de", "Banken gefunden."],
  ] as const)
    assert.equal(await messageOf(await service.request(path)), message);
});
