import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { plain } from "../../src/checks/answer.ts";
import { batchAnswer } from "../../src/checks/batch-answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import { type BatchAnswer, type CheckAnswer, expectCheckAnswer } from "../contract/check-data.ts";
import { directory } from "../suggest/engine.ts";

/** A value as it is once it was sent. */
function sent<T>(value: object): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

test("a single answer's data are those of the batch entry, for any IBAN, with its checks too", () => {
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
      const options = { ...plain, explain };
      const [entry] = sent<BatchAnswer>(batchAnswer(directory, [iban], options)).batch.results;
      const single = sent<CheckAnswer>(ibanAnswer(directory, iban, undefined, options));
      expectCheckAnswer(single, { checks: explain });
      const { checks, messages, sources, kind } = single.data;
      assert.deepEqual([messages !== undefined, sources !== undefined], [explain, explain]);
      if (!explain) assert.equal(kind, undefined);
      assert.deepEqual(entry!.data, single.data);
      assert.equal(single.status, entry!.status);
      assert.equal(entry!.valid, single.status === 1);
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
