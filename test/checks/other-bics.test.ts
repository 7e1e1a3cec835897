import assert from "node:assert/strict";
import { test } from "node:test";
import { withShippedFacts } from "../../src/banks/files/shipped-facts.ts";
import { bicRegister } from "../../src/banks/lookup/bics.ts";
import { plain } from "../../src/checks/answer.ts";
import { bicAnswer } from "../../src/checks/bic-answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import type { BicLookupAnswer, BicUser, IbanCheckAnswer } from "../../src/client/index.ts";
import { germanBank } from "../banks/records.ts";
import { rowsOf } from "../banks/shipped.ts";
import { directory, filters } from "../suggest/engine.ts";
import { ibanAtBank } from "../support/iban-mix.ts";

type BankCode = Pick<BicUser, "country" | "bank_code">;

const codeOf = ({ country, bank_code }: BankCode) => `${country} ${bank_code}`;
const german = rowsOf("blz.csv").filter(({ Merkmal }) => Merkmal === "1");
const listed = new Map(
  [
    ...rowsOf("banks.csv"),
    ...german.map((row) => {
      const { Bankleitzahl: bank_code, Bezeichnung: name, BIC: bic, PLZ: zip, Ort: city } = row;
      return { country: "DE", bank_code, name, bic, zip, city };
    }),
  ].map((bank) => [codeOf(bank), bank]),
);

/** Checks an IBAN at a bank code; its account is made up, and need not pass its bank's check. */
function check({ country, bank_code }: BankCode, bic?: string, language: "en" | "de" = "en") {
  const policy = { ...filters.policy, observed: ["DE", "GB"] };
  const options = { ...plain, reason: true, explain: true, language, policy };
  return ibanAnswer(directory, ibanAtBank(country, bank_code), bic, options) as IbanCheckAnswer;
}

const rows = rowsOf("bank-bics.csv");

test("a check says what each further and each former BIC is, in two languages", () => {
  assert.ok(rows.length > 700);
  for (const row of rows) {
    for (const language of ["en", "de"] as const) {
      const unknown = { en: "not known", de: "nicht bekannt" }[language];
      const { status, message, data } = check(row, row.bic, language);
      // The code may be a former one besides, and its account fail its method.
      const reason = data.reason?.startsWith("bic_") ? data.reason : null;
      const expected = [...(row.kind === "also" ? [1, null] : [2, "bic_former"]), row];
      assert.deepEqual([status, reason, row], expected);
      if (row.kind === "also") continue;
      const { detail = "" } = data.checks!.find((entry) => entry.check === "bic")!;
      for (const text of [message, detail]) {
        assert.ok(text.includes(listed.get(codeOf(row))!.bic || unknown), `${codeOf(row)}: ${text}`);
        assert.ok(text.includes(row.until), `${codeOf(row)}: ${text}`);
      }
    }
  }
});

test("the file repeats no main BIC, and no BIC is both further and former", () => {
  for (const row of rows) {
    const [code, bic] = [codeOf(row), row.bic.slice(0, 8)];
    assert.notEqual(listed.get(code)!.bic.slice(0, 8), bic, code);
    const same = rows.filter((other) => codeOf(other) === code && other.bic.startsWith(bic));
    for (const { kind } of same) assert.equal(kind, row.kind, `${code} ${bic}`);
  }
});

test("an imported list of German bank codes drops only the other BICs that it contradicts", () => {
  const further = {
    main: "DRESDEFF370",
    further: ["COBADEFFXXX"],
    former: [{ bic: "PBNKDEFFXXX", until: null }],
  };
  const bics = new Map([["DE 37080040", further]]);
  const of = (bic: string | null) =>
    withShippedFacts(germanBank({ bankCode: "37080040", bic }), bics, new Map()).otherBics;
  const { main: _, ...kept } = further;
  for (const same of ["DRESDEFF370", "DRESDEFFXXX", "DRESDEFF", null]) assert.deepEqual(of(same), kept);
  const former = { bic: "DRESDEFF370", until: null };
  assert.deepEqual(of("COBADEFFXXX"), { further: [], former: [...further.former, former] });
  assert.deepEqual(of("PBNKDEFF"), { further: [], former: [former] });
});

const today = "2026-11-22";
const register = bicRegister({ editions: { vop: today }, facts: new Map() });
const base = { directory, register };

const answers = new Map<string, BicLookupAnswer>();
function bicOf(bic: string): BicLookupAnswer {
  const answer = answers.get(bic) ?? (bicAnswer(base, bic, today, "en") as BicLookupAnswer);
  answers.set(bic, answer);
  return answer;
}

test("a BIC leads to the main record of each of its bank codes, not to one of their further locations", () => {
  for (const [key, { bic, name, zip, city }] of listed) {
    if (bic === "") continue;
    const { banks, bank_count } = bicOf(bic).data;
    const found = banks.find((bank) => codeOf(bank) === key);
    if (found === undefined) assert.ok(bank_count > banks.length, `${bic} ${key}`);
    else assert.deepEqual([found.bank, found.zip, found.location], [name, zip, city], `${bic} ${key}`);
  }
});

test("each further BIC leads to its banks, and each former one to the present one", () => {
  const own = new Set([...listed.values()].map(({ bic }) => bic.padEnd(11, "X")));
  for (const row of new Map(rows.map((row) => [row.bic, row])).values()) {
    const { status, message, data } = bicOf(row.bic);
    const isOwn = own.has(row.bic.padEnd(11, "X"));
    if (row.kind === "also" || isOwn) {
      assert.equal(status, 1, row.bic);
      if (!isOwn) assert.ok(data.banks.map(codeOf).includes(codeOf(row)), row.bic);
    } else assert.match(message, /former BIC of the bank; its|valid until 2025-12-14; .* GEBABEBB/, row.bic);
  }
});
