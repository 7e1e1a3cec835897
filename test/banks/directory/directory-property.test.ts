import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ibanCountryByCode } from "../../../src/banking/iban/registry.ts";
import type { BankRecord } from "../../../src/banks/directory/record.ts";
import { fragmentOf } from "../fragments.ts";
import { directoryOf, germanBank, italianBank } from "../records.ts";

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const text = fc
  .string({ unit: "grapheme", maxLength: 40 })
  .filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value) && Buffer.byteLength(JSON.stringify(value)) <= 250);
const flag = fc.constantFrom<0 | 1>(0, 1);
const escaped = fc.constantFrom('Банк "ПОРТАЛ" \\ 💶 \u2028');
const facts = {
  name: fc.oneof(text, escaped).filter((value) => value.trim() !== ""),
  shortName: text,
  zip: text,
  location: text,
  bic: fc.constantFrom(null, "COBADEFF", "COBADEFFXXX", "UNCRITMM"),
  sepa: fc.record({ sct: flag, sdd: flag, b2b: flag, scc: flag }, { noNullPrototype: true }),
  sepaSource: fc.constantFrom<BankRecord["sepaSource"]>("assumed", "directory", "inherited", "local"),
};
const [published, inferred] = [{}, { ruleSource: "inferred" }] as const;
const unknown = { rule: null, ruleSource: null };
const germanMain = fc
  .record(
    {
      ...facts,
      removed: fc.constant<true>(true),
      rule: fc.constantFrom(published, inferred, unknown),
      bankCode: digits(8).filter((blz) => blz[0] !== "0"),
      deleteMark: fc.constantFrom(null, true, false),
      successor: fc.constantFrom(null, "10000000"),
      method: fc.constantFrom(null, "00", "E4"),
    },
    { requiredKeys: [] },
  )
  .map(({ rule, ...fields }): BankRecord => germanBank({ ...fields, ...rule }));
const italian = fc
  .record({ ...facts, bankCode: digits(5), branchCode: fc.oneof(fc.constant(""), digits(5)) })
  .map((fields): BankRecord => italianBank(fields));
const keyOf = ({ country, bankCode, branchCode }: BankRecord): string =>
  `${country}${bankCode}/${branchCode}`;
const banks = fc.uniqueArray(fc.oneof(germanMain, italian), { selector: keyOf, maxLength: 60 });

test("random records are returned, found by their codes, and equal to their fragments", () => {
  fc.assert(
    fc.property(banks, (records) => {
      const directory = directoryOf(records);
      assert.equal(directory.size, records.length);
      for (const record of records) {
        const country = ibanCountryByCode(record.country)!;
        const head = "X".repeat(4 + country.bank.start);
        const iban = Buffer.from(
          `${head}${record.bankCode}${record.branchCode}`.padEnd(country.ibanLength, "\0"),
        );
        const index = directory.findByIban(country, iban);
        assert.deepEqual(directory.record(index), record);
        // A bank of which the directory has branches alone is not found by its code.
        const wholeBank = records.find((one) => keyOf(one) === keyOf({ ...record, branchCode: "" }));
        const found = directory.findByCode(record.country, record.bankCode);
        assert.deepEqual(found < 0 ? undefined : directory.record(found), wholeBank);
        const answer = JSON.parse(`{${fragmentOf(directory, index).text}}`);
        assert.deepEqual(
          [answer.bic, answer.blz, answer.bank, answer.zip, answer.location],
          [record.bic, record.bankCode, record.name, record.zip, record.location],
        );
      }
    }),
    { numRuns: 150 },
  );
});
