import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isFormalIban, normaliseIban } from "../../src/banking/iban/normalise.ts";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { plain } from "../../src/checks/answer.ts";
import { batchAnswer, ibanAnswer } from "../../src/checks/iban-answer.ts";
import { dataFolder } from "../banks/shipped.ts";
import {
  type BatchAnswer,
  type BatchEntry,
  type CheckAnswer,
  expectBatchAnswer,
  expectCheckAnswer,
  expectCheckData,
  expectedOf,
} from "../contract/check-data.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

const directory = new BankDirectory(await loadShippedDirectory(dataFolder));
/** A value as it is once it was sent. */
function sent<T>(value: object): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function entriesOf(texts: readonly unknown[]): readonly BatchEntry[] {
  return sent<BatchAnswer>(batchAnswer(directory, texts, plain)).batch.results;
}

function entryOf(text: string | undefined): BatchEntry {
  return entriesOf([text])[0]!;
}

function answerOf(iban: string, bic?: string, explain = false): CheckAnswer {
  return sent(ibanAnswer(directory, iban, bic, { ...plain, explain }));
}

test("an IBAN of every bank of the directory shows that bank, field by field", () => {
  let shown = 0;
  for (let index = 0; index < directory.size; index++) {
    const record = directory.record(index);
    if (!record.main) continue;
    const { bank, branch, example } = ibanCountries.find(({ code }) => code === record.country)!;
    if (bank === null) continue;
    const bban = [...example.slice(4)];
    bban.splice(bank.start, bank.length, ...record.bankCode);
    if (branch !== null && record.branchCode !== "")
      bban.splice(branch.start, branch.length, ...record.branchCode);
    const iban = ibanOf(record.country, bban.join(""));
    const { status, data } = entryOf(iban);
    const none = { sct: 0, sdd: 0, b2b: 0, scc: 0 };
    assert.deepEqual(
      data,
      {
        ...expectedOf(record),
        iban,
        kto: record.country === "DE" ? iban.slice(12) : "",
        blz: record.bankCode,
        country: record.country,
        sepa_methods: status === 1 ? { ...record.sepa } : none,
      },
      iban,
    );
    shown++;
  }
  assert.ok(shown > 20_000, String(shown));
});

test("a single answer's data are those of the batch entry, for any IBAN", () => {
  const character = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const country = fc.constantFrom(...ibanCountries.map(({ code }) => code), "ZZ", "AX", "AO");
  const any = fc
    .tuple(country, fc.string({ unit: character, minLength: 13, maxLength: 34 }))
    .map(([code, rest]) => code + rest);
  const changed = fc
    .tuple(fc.constantFrom(...ibanCountries.map(({ example }) => example)), fc.nat(40), character)
    .map(([example, at, replacement]) => {
      const place = 2 + (at % (example.length - 2));
      return example.slice(0, place) + replacement + example.slice(place + 1);
    });
  fc.assert(
    fc.property(fc.oneof(any, changed), fc.boolean(), (iban, explain) => {
      const entry = entryOf(iban);
      expectCheckData(entry.data);
      const single = answerOf(iban, undefined, explain);
      expectCheckAnswer(single, { checks: explain });
      const { checks, messages, sources, kind, ...data } = single.data;
      assert.deepEqual([messages !== undefined, sources !== undefined], [explain, explain]);
      if (!explain) assert.equal(kind, undefined);
      // Where the ISO check digits are wrong, an explained answer has the bank as written too.
      if (!Object.hasOwn(data, "assumed")) assert.deepEqual(data, entry.data);
      assert.equal(single.status, entry.status);
      assert.equal(entry.valid, single.status === 1);
      const failed = checks?.some(
        ({ result, check }) => result === "failed" && check !== "national_check_digits",
      );
      if (explain && single.status !== 1)
        assert.ok(
          checks?.some(({ result }) => result === "failed"),
          iban,
        );
      if (explain && single.status === 1) assert.equal(failed, false, iban);
    }),
    { numRuns: 1_500 },
  );
});

test("any text at all has a JSON entry that echoes it in normal form", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => {
      const compact = normaliseIban(text);
      const entry = entryOf(text);
      assert.equal(entry.iban, compact);
      assert.equal(entry.error === undefined, isFormalIban(compact));
      assert.equal(entry.data.iban, isFormalIban(compact) ? compact : null);
    }),
    { numRuns: 1_000 },
  );
});

test("a value that is not a string has an entry too", () => {
  const { iban, valid, status, error } = entryOf(undefined);
  assert.deepEqual([iban, valid, status, error?.code], ["", false, 3, "invalid_iban"]);
});

test("the entries of a batch are answered in their order, each as if it were alone", () => {
  const texts = ["DE89370400440532013000", "x", undefined, "GB29NWBK60161331926819", "ZZ00000000000000"];
  const answer = sent<BatchAnswer>(batchAnswer(directory, texts, plain));
  expectBatchAnswer(answer, texts.length);
  assert.deepEqual(answer.batch.results, texts.map(entryOf));
});
