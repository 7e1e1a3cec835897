import assert from "node:assert/strict";
import { test } from "node:test";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { characterKinds } from "../../src/banking/iban/structure.ts";
import { plain } from "../../src/checks/answer.ts";
import { dataFolder, rowsOf } from "../banks/shipped.ts";
import type { BatchAnswer, CheckAnswer, CheckData } from "../contract/check-data.ts";
import { KernelMemory, ReferenceAnswers } from "../support/kernel-memory.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

const memory = new KernelMemory(await loadShippedDirectory(dataFolder));
const reference = new ReferenceAnswers(memory);
const rows = rowsOf("banks.csv");
const batchLength = 500;

/** An IBAN of the bank, the rest of the BBAN zeros or As but for right national check digits. */
function ibanOfBank({ country: code, bank_code: bankCode }: (typeof rows)[number]): string {
  const country = ibanCountryByCode(code)!;
  const fill = Array.from(country.classes, (kinds): string =>
    (characterKinds[48]! & kinds) !== 0 ? "0" : "A",
  );
  fill.splice(country.bank!.start, country.bank!.length, ...bankCode);
  const { nationalCheck } = country;
  const expected = nationalCheck?.expected(Buffer.from(`${code}00${fill.join("")}`), 4);
  let taken = 0;
  for (const { start, length } of nationalCheck?.spans ?? []) {
    if (expected === null || expected === undefined) break;
    fill.splice(start, length, ...expected.slice(taken, taken + length));
    taken += length;
  }
  return composeIban(code, fill.join(""));
}

const ibans = rows.map(ibanOfBank);

function assertBank({ bank, bic, blz, zip, location, country }: CheckData, at: number): void {
  const row = rows[at]!;
  const given = { country, bank_code: blz, bic: bic ?? "", name: bank, zip, city: location };
  const { country: code, bank_code, bic: knownBic, name, zip: knownZip, city } = row;
  assert.deepEqual(given, { country: code, bank_code, bic: knownBic, name, zip: knownZip, city });
}

test("the check of an IBAN of every bank of another country names that bank", () => {
  for (const [at, iban] of ibans.entries()) {
    const expected = reference.single(iban).toString();
    assert.equal(memory.single(iban)?.toString(), expected);
    const { data } = JSON.parse(expected) as CheckAnswer;
    assertBank(data, at);
  }
});

test("a batch names the bank of an IBAN of every bank of another country", () => {
  for (let first = 0; first < ibans.length; first += batchLength) {
    const answer = memory.answer(
      Buffer.from(JSON.stringify({ ibans: ibans.slice(first, first + batchLength) })),
    );
    const { batch } = JSON.parse(answer!.toString()) as BatchAnswer;
    for (const [index, { data, status }] of batch.results.entries()) {
      assertBank(data, first + index);
      assert.ok(status === 1 || status === 0, ibans[first + index]);
    }
  }
});

test("a batch with reasons names on each day the banks that only a list over a year old names, as the reference does", () => {
  const old = (today: string) => {
    const options = { ...plain, reason: true, today };
    const found: string[] = [];
    for (let first = 0; first < ibans.length; first += batchLength) {
      const some = ibans.slice(first, first + batchLength);
      const expected = reference.batch(some, options).toString();
      assert.equal(
        memory.answer(Buffer.from(JSON.stringify({ ibans: some })), options)?.toString(),
        expected,
      );
      const { batch } = JSON.parse(expected) as { batch: { results: { data: { reason: string | null } }[] } };
      for (const [index, { data }] of batch.results.entries())
        if (data.reason === "bank_list_old") found.push(rows[first + index]!["edition"]!);
    }
    return found;
  };
  // A month counts from its first day.
  const september = "2025.09.0";
  const [before, after] = [old("2026-09-01"), old("2026-09-02")];
  assert.ok(before.length > 0 && !before.includes(september));
  assert.ok(after.filter((edition) => edition === september).length > 10_000);
});
