import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormalIban, normaliseIban } from "../../src/banking/iban/normalise.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { plain } from "../../src/checks/answer.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { ibanOutcomes } from "../../src/contract/status.ts";
import { germanBank, italianBank, someEdition } from "../banks/records.ts";
import { rowsOf } from "../banks/shipped.ts";
import type { CheckAnswer } from "../contract/check-data.ts";
import { ibanAtBank } from "../support/iban-mix.ts";
import { batchesOf, entriesOf, KernelMemory } from "../support/kernel-memory.ts";
import { pluck } from "../support/pluck.ts";
import { loadShippedData, loadShippedDirectory } from "../support/shipped-directory.ts";
import { words } from "../support/words.ts";
import { everyOutcome } from "./every-outcome.ts";

const rule = { method: "13", rule: "000000" } as const;
const marked = buildDirectory(
  [
    germanBank({ ...rule, bankCode: "10000001", deleteMark: true, successor: "10000004" }),
    germanBank({ ...rule, bankCode: "10000002", deleteMark: true, method: "00" }),
    germanBank({ ...rule, bankCode: "10000003", deleteMark: false, successor: "10000004" }),
    italianBank({ successor: "INTESA SANPAOLO S.P.A." }),
    // The banks of countries with further checks, so that no warning of an unknown bank comes first.
    ...["GB", "MU", "SC"].map((code) => {
      const { bank, example } = ibanCountryByCode(code)!;
      const bankCode = example.slice(4 + bank.start, 4 + bank.start + bank.length);
      return italianBank({ country: code, bankCode });
    }),
  ],
  someEdition,
);
const shipped = await loadShippedData();
const weights = () => shipped.modulus;
const memories = [
  new KernelMemory(await loadShippedDirectory()),
  new KernelMemory(marked, { weights, observed: ["GB"] }),
  new KernelMemory(marked, { weights, observed: [] }),
  new KernelMemory(marked, { weights, observed: ["GB", "DE"] }),
];
const notIbans = ["", "x", "DE89 3704", "12345678901234567", "DE89!704004405320130"];

const textsOf = new Map(memories.map(({ directory }) => [directory, everyOutcome(directory)]));

/** Those that are IBANs by their form, in normal form. */
function formalOf(directory: BankDirectory): readonly string[] {
  return textsOf.get(directory)!.map(normaliseIban).filter(isFormalIban);
}

test("every outcome is met, and every warning as the one that is reported", () => {
  const outcomes = new Set<string>(["not_an_iban", "bic_mismatch", "bic_former"]);
  const warnings = new Set<string>();
  for (const { directory, policy } of memories) {
    for (const text of textsOf.get(directory)!) {
      const { outcome, checks } = checkIban(directory, normaliseIban(text), undefined, policy);
      outcomes.add(outcome);
      const first = checks.find(({ warning }) => warning !== undefined)?.warning;
      if (outcome === "valid" && first !== undefined) warnings.add(first);
    }
  }
  assert.deepEqual([...outcomes].sort(), Object.keys(ibanOutcomes).sort());
  const known = words`
    account_check_digit bank_code_deletion bank_code_former bank_code_unknown currency national_check_digits
    qr_iban uk_modulus
  `;
  assert.deepEqual([...warnings].sort(), known);
});

/** Every form of an answer that the kernel writes. */
const forms = [false, true].flatMap((reason) =>
  (["en", "de"] as const).map((language) => ({ ...plain, language, reason })),
);

for (const options of forms) {
  test(`kernel and reference write the same bytes for every outcome, ${JSON.stringify(options)}`, () => {
    for (const memory of memories) {
      for (const texts of batchesOf([...textsOf.get(memory.directory)!, ...notIbans]))
        memory.assertEqual(texts, options);
    }
  });
}

test("a single check of every outcome has the same bytes in every form; the kernel leaves longer texts than any IBAN to the reference, and what is none", () => {
  for (const memory of memories) {
    for (const text of formalOf(memory.directory)) {
      for (const options of forms) {
        const expected = text.length > 48 ? undefined : memory.expectedSingle(text, options).toString();
        assert.equal(memory.single(text, options)?.toString(), expected);
      }
    }
  }
  for (const text of notIbans) assert.equal(memories[0]!.single(text), undefined, text);
});

test("a reason in a batch is that of the single check, and is there wherever the number is not valid", () => {
  const options = { ...plain, reason: true };
  for (const memory of memories) {
    const texts = formalOf(memory.directory);
    for (const [index, { status, data }] of entriesOf(memory.expectedBatch(texts, options)).entries()) {
      const single = JSON.parse(memory.expectedSingle(texts[index]!, options).toString()) as CheckAnswer;
      const { message, ...rest } = data;
      assert.deepEqual({ status, message, data: rest }, single);
      const { reason, severity } = data;
      if (status !== 1) assert.ok(reason !== null && severity === "error", texts[index]);
      else assert.equal(severity, reason === null ? null : "warning");
    }
  }
});

test("a batch with reasons names on each day the banks that only a list over a year old names, as the reference does", () => {
  const banks = rowsOf("banks.csv").map(({ country, bank_code, edition }) => ({
    iban: ibanAtBank(country, bank_code),
    edition,
  }));
  const old = (today: string) => {
    const options = { ...plain, reason: true, today };
    const found: string[] = [];
    for (const some of batchesOf(banks)) {
      const answer = memories[0]!.assertEqual(pluck(some, "iban"), options);
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
