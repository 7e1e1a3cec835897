import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/contract/language.ts";
import { type MessageId, message, textOf } from "../../src/contract/message.ts";
import { messages } from "../../src/contract/messages/messages.ts";

const ids = Object.keys(messages) as MessageId[];

test("no message lacks a language, and none is left in English", () => {
  for (const id of ids) {
    assert.deepEqual(Object.keys(messages[id]), languages, id);
    for (const language of languages) {
      const text = messages[id][language];
      assert.equal(text, text.trim(), id);
      assert.ok(text.length > 3, `${id} in ${language}`);
    }
    const isName = id === "pong" || id === "test_pong";
    assert.equal(messages[id].en === messages[id].de, isName, `${id} is not translated`);
  }
});

test("parameters without a text are found by the compiler", () => {
  // @ts-expect-error: the parameters are missing
  message("rule_published");
  // @ts-expect-error: this message has none
  message("iban_valid", { rule: 1 });
});

test("a text has the values of its parameters, and countries their name in its language", () => {
  const found = message("country_found", { name: "Germany", country: "DE" });
  assert.equal(textOf(found, "en"), "Germany (DE).");
  assert.equal(textOf(found, "de"), "Deutschland (DE).");
  const all = [message("iban_valid"), message("bank_code_replaced", { successor: "37040044" })];
  const both = "Die IBAN ist gültig. Die Bankleitzahl wird ersetzt; Nachfolger: 37040044.";
  assert.equal(textOf(all, "de"), both);
});

test("braces in a text are parameters, none of which is left open", () => {
  // Parameters of any name have a value.
  const params = new Proxy({}, { get: () => "DE" });
  for (const id of ids)
    for (const language of languages)
      assert.doesNotMatch(textOf({ id, params }, language), /[{}]|undefined/, id);
});
