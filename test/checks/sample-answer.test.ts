import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { sampleAnswer } from "../../src/checks/sample-answer.ts";
import type { SamplesAnswer } from "../../src/client/index.ts";
import { directoryOf, germanBank, italianBank } from "../banks/records.ts";
import { rowsOf } from "../banks/shipped.ts";
import { directory } from "../suggest/engine.ts";

function samplesOf(directory: BankDirectory, seed: string, country = "DE", n = 100): SamplesAnswer {
  const base = { directory, policy: defaultPolicy };
  return sampleAnswer(base, { country, n, seed }, "en") as SamplesAnswer;
}

test("the answer says that the numbers are for tests, with the schemes of their bank and the country's currency", () => {
  const { message, data } = samplesOf(directory, "1", "DE", 1);
  assert.equal(message, "These are test numbers; none is known to belong to an account.");
  const { sepa_methods, sepa_source } = data.samples[0]!;
  assert.deepEqual([sepa_methods, sepa_source], [{ sct: 1, sdd: 1, b2b: 1, scc: 1 }, "assumed"]);
  const [kazakh] = samplesOf(directory, "1", "KZ", 1).data.samples;
  assert.deepEqual(kazakh?.sepa_methods, { sct: 0, sdd: 0, b2b: 0, scc: 0 });
  for (const { iban } of samplesOf(directory, "1", "SC", 20).data.samples) assert.match(iban, /USD$/);
});

test("test numbers of every country are valid, with their own bank and BIC, the same for a seed, and never called genuine", () => {
  const known = new Set(rowsOf("banks.csv").map(({ country }) => country)).add("DE");
  for (const { code } of ibanCountries) {
    // Enough German ones to meet IBAN rules that lead to other banks.
    const count = code === "DE" ? 400 : 5;
    const { data } = samplesOf(directory, "7", code, count);
    assert.deepEqual([data.genuine, data.samples.length], [false, count]);
    assert.deepEqual(samplesOf(directory, "7", code, count).data, data);
    assert.notDeepEqual(samplesOf(directory, "8", code, count).data.samples, data.samples);
    for (const { iban, bank, bic } of data.samples) {
      const found = checkIban(directory, iban);
      const { name = "", bic: own = null } = found.bank ?? {};
      assert.deepEqual([found.outcome, bank, bic], ["valid", name, own], iban);
      if (known.has(code)) assert.notEqual(bank, "", iban);
    }
  }
});

test("no test number has a warning: none is a QR-IBAN", () => {
  const { data } = samplesOf(directory, "1", "CH", 200);
  assert.equal(data.samples.length, 200);
  for (const { iban } of data.samples) assert.doesNotMatch(iban, /^CH..3[01]/);
});

test("a test number is made at a branch where the bank list names branches", () => {
  const branch = italianBank({ branchCode: "11101" });
  const directory = directoryOf([branch]);
  const { data } = samplesOf(directory, "1", "IT", 5);
  for (const { iban, bank } of data.samples) {
    assert.deepEqual([iban.slice(5, 15), bank], ["0542811101", branch.name]);
  }
  assert.equal(data.samples.length, 5);
});

test("no test number is made where no bank has an IBAN rule that allows one", () => {
  for (const rule of [null, "000100"]) {
    const bank = germanBank({ rule, ruleSource: rule === null ? null : "published" });
    const { status, data } = samplesOf(directoryOf([bank]), "1");
    assert.deepEqual([status, data.samples], [0, []]);
  }
});
