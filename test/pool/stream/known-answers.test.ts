import assert from "node:assert/strict";
import { test } from "node:test";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { jsonForm } from "../../../src/pool/stream/answer-forms.ts";
import { knownAnswers, maxKnown } from "../../../src/pool/stream/known-answers.ts";
import { dataFolder } from "../../banks/shipped.ts";
import { loadShippedDirectory } from "../../support/shipped-directory.ts";
import { lineOptions } from "../../support/stream-blocks.ts";

/** Different verdicts on `bankcheck sample -n 1000000`, of 90 countries in turn. */
const verdictsOfMixedMillion = 21_891;

const data = await loadShippedDirectory(dataFolder);
const directory = new BankDirectory(data);
const answersOf = (field: string) => knownAnswers(directory, lineOptions, jsonForm([field]));
const iban = "DE89370400440532013000";

test("the answers to a million numbers of 90 countries stay known", () => {
  for (let bank = 0; bank < verdictsOfMixedMillion; bank++) answersOf("data").ofIban(0, bank, () => iban);
  for (let bank = 0; bank < verdictsOfMixedMillion; bank++) {
    answersOf("data").ofIban(0, bank, () => assert.fail(`the answer of bank ${bank} is forgotten`));
  }
});

test("the known answers of all forms and editions together stay within their bound, however the streams take turns", () => {
  const others = [directory, new BankDirectory(data)];
  const forms = others.flatMap((each) =>
    ["status", "iban", "bic"].map((field) => () => knownAnswers(each, lineOptions, jsonForm([field]))),
  );
  for (let bank = 0; bank < 0.2 * maxKnown; bank++) {
    for (const answers of forms) answers().ofIban(0, bank, () => iban);
  }
  const sizes = forms.map((answers) => answers().size);
  const sum = sizes.reduce((total, size) => total + size);
  assert.ok(sum > 0 && sum <= maxKnown, `${sizes.join(" + ")} are more than ${maxKnown}`);
});
