import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../src/checks/answer.ts";
import { dataFolder, rowsOf } from "../banks/shipped.ts";
import { ibanAtBank } from "../support/iban-mix.ts";
import { batchesOf, entriesOf, KernelMemory } from "../support/kernel-memory.ts";
import { pluck } from "../support/pluck.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

const memory = new KernelMemory(await loadShippedDirectory(dataFolder));
const banks = rowsOf("banks.csv").map(({ country, bank_code, edition }) => ({
  iban: ibanAtBank(country, bank_code),
  edition,
}));

test("a batch with reasons names on each day the banks that only a list over a year old names, as the reference does", () => {
  const old = (today: string) => {
    const options = { ...plain, reason: true, today };
    const found: string[] = [];
    for (const some of batchesOf(banks)) {
      const answer = memory.assertEqual(pluck(some, "iban"), options);
      for (const [index, { data }] of entriesOf(answer).entries())
        if (data.reason === "bank_list_old") found.push(some[index]!.edition);
    }
    return found;
  };
  // A month counts from its first day.
  const september = "2025.09.0";
  const [before, after] = [old("2026-09-01"), old("2026-09-02")];
  assert.ok(before.length > 0 && !before.includes(september));
  assert.ok(after.filter((edition) => edition === september).length > 10_000);
});
