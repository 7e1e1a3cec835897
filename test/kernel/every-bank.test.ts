import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../src/checks/answer.ts";
import { dataFolder, rowsOf } from "../banks/shipped.ts";
import { ibanAtBank } from "../support/iban-mix.ts";
import { KernelMemory, ReferenceAnswers } from "../support/kernel-memory.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

const memory = new KernelMemory(await loadShippedDirectory(dataFolder));
const reference = new ReferenceAnswers(memory);
const rows = rowsOf("banks.csv");
const batchLength = 500;

const ibans = rows.map(({ country, bank_code }) => ibanAtBank(country, bank_code));

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
