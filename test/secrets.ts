import assert from "node:assert/strict";

/** Account numbers that the tests send; an IBAN of any kind is found by its form. */
const accounts = ["532013000", "532014000"];
const ibanForm = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/;

/** Fails where a text that somebody else may read holds one of these API keys, an IBAN or a known account number. */
export function expectNoSecrets(text: string, apiKeys: readonly string[], where: string): void {
  for (const secret of [...apiKeys, ...accounts])
    assert.ok(!text.includes(secret), `${where} holds ${secret}`);
  assert.ok(!ibanForm.test(text), `${where} holds ${ibanForm.exec(text)?.[0]}`);
}

/** Returns the keys out of a setting `API_KEYS`. */
export function keysOf(apiKeys: string): readonly string[] {
  return apiKeys.split(",").map((pair) => pair.slice(pair.indexOf(":") + 1));
}
