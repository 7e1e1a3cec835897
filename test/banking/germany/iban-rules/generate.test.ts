import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuleBank } from "../../../../src/banking/germany/iban-rules/draft.ts";
import { generateIban } from "../../../../src/banking/germany/iban-rules/generate.ts";

const plain: RuleBank = { method: "00", bic: "BANKDEFFXXX", rule: "000000" };

function generate(bank: RuleBank, kontonummer = "123406", others: Readonly<Record<string, RuleBank>> = {}) {
  return generateIban("12345678", kontonummer, (blz) => (blz === "12345678" ? bank : others[blz]));
}

test("a generated IBAN says what it is made of", () => {
  assert.deepEqual(generate(plain), {
    iban: "DE32123456780000123406",
    bic: "BANKDEFFXXX",
    blz: "12345678",
    kontonummer: "0000123406",
    rule: "000000",
    checkDigit: "passed",
    changes: [],
  });
});

test("a rule's changes are listed: account number, bank code, BIC", () => {
  const banks: Readonly<Record<string, RuleBank>> = {
    "55050000": { method: "59", bic: "SOLADEST550", rule: "005300" },
    "60050101": { method: "01", bic: "SOLADEST600", rule: "005100" },
    "12040000": { method: "13", bic: "COBADEBB120", rule: "000503" },
  };
  const changes = (blz: string, kontonummer: string) => {
    const generated = generateIban(blz, kontonummer, (wanted) => banks[wanted]);
    return "error" in generated ? generated.error : generated.changes;
  };
  assert.deepEqual(changes("55050000", "35000"), ["kontonummer", "blz", "bic"]);
  assert.deepEqual(changes("60050101", "0000000333"), ["kontonummer"]);
  assert.deepEqual(changes("12040000", "52065002"), ["bic"]);
});

test("the result says whether the check digit passed, was waived or is absent", () => {
  const checkDigit = (bank: RuleBank, kontonummer: string) => {
    const generated = generate(bank, kontonummer);
    return "error" in generated ? generated.error : generated.checkDigit;
  };
  assert.equal(checkDigit(plain, "123406"), "passed");
  assert.equal(checkDigit({ ...plain, method: "09" }, "123404"), "absent");
  assert.equal(checkDigit({ ...plain, rule: "0027" }, "3333"), "waived");
  assert.equal(checkDigit({ ...plain, method: "13", rule: "0005" }, "101337"), "passed");
});

test("an IBAN is generated where the method is not known, and says so", () => {
  for (const method of [null, "", "12", "ZZ"]) {
    const generated = generate({ ...plain, method });
    assert.ok(!("error" in generated));
    assert.equal(generated.checkDigit, "unknown_method");
  }
});

test("with rule 0000 a successor takes the account over, which must be valid at both bank codes", () => {
  const bank = { ...plain, successor: "87654321", deleteMark: true };
  const successor = (method: string | null): Readonly<Record<string, RuleBank>> => ({
    "87654321": { method, bic: "NEXTDEFFXXX", rule: "0001" },
  });
  assert.deepEqual(generate(bank, "123406", successor("00")), {
    iban: "DE03876543210000123406",
    bic: "NEXTDEFFXXX",
    blz: "87654321",
    kontonummer: "0000123406",
    rule: "000000",
    checkDigit: "passed",
    changes: ["blz", "bic"],
  });
  assert.deepEqual(generate(bank, "123406", successor("10")), { error: "check_digit" });
  assert.deepEqual(generate({ ...bank, method: "10" }, "123406", successor("00")), { error: "check_digit" });
  assert.deepEqual(generate(bank, "123406"), { error: "unknown_bank" });
  const halfTested = generate({ ...bank, method: null }, "123406", successor("00"));
  assert.ok(!("error" in halfTested));
  assert.equal(halfTested.checkDigit, "unknown_method");
});

test("a successor that is not a bank code is none, and other rules do not follow one", () => {
  for (const successor of ["", "00000000", "1234", null, undefined]) {
    const generated = generate({ ...plain, successor });
    assert.equal("error" in generated ? generated.error : generated.blz, "12345678");
  }
  const generated = generate({ ...plain, rule: "0026", successor: "87654321" });
  assert.equal("error" in generated ? generated.error : generated.blz, "12345678");
});

test("a removed bank code without a successor has no IBAN", () => {
  assert.deepEqual(generate({ ...plain, change: "D" }), { error: "deleted_blz" });
  assert.deepEqual(generate({ ...plain, change: "D", rule: "0041" }), { error: "deleted_blz" });
  assert.deepEqual(generate({ ...plain, deleteMark: true }), { error: "deleted_blz" });
});

test("a deletion mark does not stop a rule that leads away, nor a record whose change code is not D", () => {
  const moved = generate({ ...plain, rule: "0041", deleteMark: true });
  assert.equal("error" in moved ? moved.error : moved.blz, "50060400");
  const announced = generate({ ...plain, deleteMark: true, change: "U" });
  assert.equal("error" in announced ? announced.error : announced.blz, "12345678");
});

test("the version of a rule does not matter", () => {
  for (const rule of ["0022", "002200", "002299"]) {
    const generated = generate({ ...plain, method: "09", rule }, "1111111");
    assert.equal("error" in generated ? generated.error : generated.kontonummer, "2222200000");
  }
});

test("a rule that is not known is refused, not guessed", () => {
  for (const rule of [null, "", "0058", "005800", "9999", "5", "00050", "0005031", "0O0500"]) {
    assert.deepEqual(generate({ ...plain, rule }), { error: "unknown_rule" }, String(rule));
  }
});

test("an account number that is not 1 to 10 digits or is zero is refused", () => {
  for (const kontonummer of [
    "",
    "0",
    "0000000000",
    "12345678901",
    "00000123406",
    "12a",
    "-1",
    " 1",
    "1\n",
    "١",
  ]) {
    assert.deepEqual(
      generate({ ...plain, method: "09" }, kontonummer),
      { error: "invalid_account" },
      kontonummer,
    );
  }
});

test("a bank code that is malformed or not in the bank code file is an unknown bank", () => {
  for (const blz of ["", "1234567", "123456789", "1234567x", "12345679"]) {
    assert.deepEqual(
      generateIban(blz, "123406", (wanted) => (wanted === "12345678" ? plain : undefined)),
      { error: "unknown_bank" },
      blz,
    );
  }
  assert.deepEqual(
    generateIban("1234567", "1", () => plain),
    { error: "unknown_bank" },
  );
});

test("a BIC the bank code file does not have is null", () => {
  for (const bic of [null, ""]) {
    const generated = generate({ ...plain, bic });
    assert.ok(!("error" in generated));
    assert.equal(generated.bic, null);
  }
});

test("a bank without facts but its rule, and a missing target, do not throw", () => {
  const bare = { rule: "0000" } as unknown as RuleBank;
  assert.equal((generate(bare) as { bic?: unknown }).bic, null);
  assert.deepEqual(generate({ ...plain, rule: "0008" }), { error: "unknown_bank" });
  assert.deepEqual(generate({ ...plain, rule: "0056" }, "36"), { error: "unknown_bank" });
});
