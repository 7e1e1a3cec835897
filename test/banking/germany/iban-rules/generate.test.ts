import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuleBank } from "../../../../src/banking/germany/iban-rules/draft.ts";
import { generateIban } from "../../../../src/banking/germany/iban-rules/generate.ts";
import { words } from "../../../support/words.ts";

const plain: RuleBank = { method: "00", bic: "BANKDEFFXXX", rule: "000000" };

function generate(bank: RuleBank, kontonummer = "123406", others: Readonly<Record<string, RuleBank>> = {}) {
  return generateIban("12345678", kontonummer, (blz) => (blz === "12345678" ? bank : others[blz]));
}

/** One member of a result, or its refusal. */
function memberOf(
  generated: ReturnType<typeof generateIban>,
  member: "blz" | "bic" | "changes" | "checkDigit",
) {
  return "error" in generated ? generated.error : generated[member];
}

test("a generated IBAN says what it is made of", () => {
  assert.deepEqual(generate(plain), {
    iban: "DE32123456780000123406",
    bic: "BANKDEFFXXX",
    blz: "12345678",
    kontonummer: "0000123406",
    rule: "000000",
    checkDigit: "valid",
    changes: [],
  });
});

test("a rule's changes are listed: account number, bank code, BIC", () => {
  const banks: Readonly<Record<string, RuleBank>> = {
    "55050000": { method: "59", bic: "SOLADEST550", rule: "005300" },
    "60050101": { method: "01", bic: "SOLADEST600", rule: "005100" },
    "12040000": { method: "13", bic: "COBADEBB120", rule: "000503" },
  };
  const changes = (blz: string, kontonummer: string) =>
    memberOf(
      generateIban(blz, kontonummer, (wanted) => banks[wanted]),
      "changes",
    );
  assert.deepEqual(changes("55050000", "35000"), ["kontonummer", "blz", "bic"]);
  assert.deepEqual(changes("60050101", "0000000333"), ["kontonummer"]);
  assert.deepEqual(changes("12040000", "52065002"), ["bic"]);
});

test("the result says whether the check digit is valid, was waived, is absent, or of a method that is not known", () => {
  const cases: readonly (readonly [part: Partial<RuleBank>, kontonummer: string, checkDigit: string])[] = [
    [{}, "123406", "valid"],
    [{ method: "09" }, "123404", "unchecked"],
    [{ rule: "0027" }, "3333", "waived"],
    [{ method: "13", rule: "0005" }, "101337", "valid"],
    ...[null, "", "12", "ZZ"].map((method) => [{ method }, "123406", "unknown_method"] as const),
  ];
  for (const [part, kontonummer, checkDigit] of cases) {
    const found = memberOf(generate({ ...plain, ...part }, kontonummer), "checkDigit");
    assert.equal(found, checkDigit, JSON.stringify(part));
  }
});

test("a bank without a BIC gets an answer without one, and no change is listed", () => {
  for (const bic of ["", null]) {
    const generated = generate({ ...plain, bic });
    assert.deepEqual([memberOf(generated, "bic"), memberOf(generated, "changes")], [null, []]);
  }
});

test("with rule 0000 a successor takes the account over, which must be valid at both bank codes", () => {
  const bank = { ...plain, successor: "87654321", removed: true };
  const successor = (method: string | null): Readonly<Record<string, RuleBank>> => ({
    "87654321": { method, bic: "NEXTDEFFXXX", rule: "0001" },
  });
  assert.deepEqual(generate(bank, "123406", successor("00")), {
    iban: "DE03876543210000123406",
    bic: "NEXTDEFFXXX",
    blz: "87654321",
    kontonummer: "0000123406",
    rule: "000000",
    checkDigit: "valid",
    changes: ["blz", "bic"],
  });
  assert.deepEqual(generate(bank, "123406", successor("10")), { error: "check_digit" });
  assert.deepEqual(generate({ ...bank, method: "10" }, "123406", successor("00")), { error: "check_digit" });
  assert.deepEqual(generate(bank, "123406"), { error: "unknown_bank" });
  const halfTested = generate({ ...bank, method: null }, "123406", successor("00"));
  assert.equal(memberOf(halfTested, "checkDigit"), "unknown_method");
});

test("a successor that is not a bank code is none, and other rules do not follow one", () => {
  const others = ["", "00000000", "1234", null, undefined].map((successor) => ({ ...plain, successor }));
  for (const bank of [...others, { ...plain, rule: "0026", successor: "87654321" }])
    assert.equal(memberOf(generate(bank), "blz"), "12345678", JSON.stringify(bank));
});

test("what has no IBAN is refused with its reason, and nothing is guessed", () => {
  const refused: Readonly<Record<string, readonly (readonly [Partial<RuleBank>, kontonummer?: string])[]>> = {
    deleted_blz: [[{ removed: true }], [{ removed: true, rule: "0041" }]],
    unknown_rule: [null, "", ...words`0058 005800 9999 5 00050 0005031 0O0500`].map((rule) => [{ rule }]),
    invalid_account: ["", " 1", "1\n", ...words`0 0000000000 12345678901 00000123406 12a -1 ١`].map(
      (kontonummer) => [{ method: "09" }, kontonummer],
    ),
    // Its target is not in the bank code file.
    unknown_bank: [[{ rule: "0008" }], [{ rule: "0056" }, "36"]],
  };
  for (const [error, cases] of Object.entries(refused)) {
    for (const [facts, kontonummer] of cases) {
      const generated = generate({ ...plain, ...facts }, kontonummer);
      assert.deepEqual(generated, { error }, JSON.stringify([facts, kontonummer]));
    }
  }
  for (const blz of ["", "1234567", "123456789", "1234567x", "12345679"]) {
    const bankOf = (wanted: string) => (wanted === "12345679" ? undefined : plain);
    assert.deepEqual(generateIban(blz, "123406", bankOf), { error: "unknown_bank" }, blz);
  }
});
