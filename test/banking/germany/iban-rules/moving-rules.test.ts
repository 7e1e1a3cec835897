import assert from "node:assert/strict";
import { test } from "node:test";
import { accountByRule } from "./account-by-rule.ts";

interface Moving {
  readonly rule: string;
  readonly to: string;
  readonly from: readonly string[];
  /** Whether every bank code with the rule moves, not only those listed. */
  readonly any: boolean;
  /** The BIC the rule states; null: it states none. */
  readonly bic: string | null;
}

// The rows of the overview's table, written out here independently of data/.
const moving: readonly Moving[] = [
  { rule: "0008", from: ["10020200", "86020200"], to: "50020200", bic: "BHFBDEFF500", any: true },
  { rule: "0009", from: ["68351976"], to: "68351557", bic: "SOLADES1SFH", any: false },
  { rule: "0010", from: ["50050222"], to: "50050201", bic: null, any: false },
  { rule: "0012", from: ["50850049"], to: "50050000", bic: "HELADEFFXXX", any: true },
  { rule: "0013", from: ["40050000", "44050000"], to: "30050000", bic: "WELADEDDXXX", any: true },
  { rule: "0014", from: ["10090603"], to: "30060601", bic: "DAAEDEDDXXX", any: true },
  {
    rule: "0019",
    from: ["50130100", "50220200", "70030800"],
    to: "50120383",
    bic: "DELBDE33XXX",
    any: false,
  },
  { rule: "0021", from: ["35020030"], to: "36020030", bic: "NBAGDE3EXXX", any: true },
  { rule: "0025", from: ["64150182"], to: "60050101", bic: null, any: true },
  { rule: "0028", from: ["25050299"], to: "25050180", bic: "SPKHDE2HXXX", any: false },
  { rule: "0037", from: ["20110700"], to: "30010700", bic: "BOTKDEDXXXX", any: false },
  {
    rule: "0038",
    from: ["26691213", "28591579", "25090300"],
    to: "28590075",
    bic: "GENODEF1LER",
    any: false,
  },
  { rule: "0039", from: ["25621327", "29121731"], to: "28020050", bic: null, any: true },
  { rule: "0040", from: ["68051310"], to: "68052328", bic: "SOLADES1STF", any: true },
  { rule: "0043", from: ["60651070"], to: "66650085", bic: "PZHSDE66XXX", any: false },
  { rule: "0046", from: ["10120600", "25020600"], to: "31010833", bic: null, any: true },
  {
    rule: "0048",
    from: ["10120800", "27010200", "60020300"],
    to: "36010200",
    bic: "VONEDE33XXX",
    any: false,
  },
  { rule: "0050", from: ["28252760"], to: "28550000", bic: "BRLADE21LER", any: false },
  { rule: "0055", from: ["25410300"], to: "25410200", bic: "BHWBDE2HXXX", any: true },
  { rule: "0057", from: ["50810900"], to: "66010200", bic: null, any: true },
];
const elsewhere = "12345678";

for (const { rule, from, to, bic, any } of moving) {
  test(`rule ${rule} moves the account to BLZ ${to}, whose method counts`, () => {
    // 123406 is right by method 00 only, 123404 by method 10 only.
    for (const blz of from) {
      const account = accountByRule(rule, { [blz]: ["10", "FROMDEFFXXX"], [to]: ["00", "FILEDEFFXXX"] });
      assert.equal(account(blz, "123406"), `${to}/0000123406 ${bic ?? "FILEDEFFXXX"}`, blz);
      assert.equal(account(blz, "123404"), "check_digit", blz);
    }
    const atTarget = accountByRule(rule, { [to]: ["00", "FILEDEFFXXX"] });
    assert.equal(atTarget(to, "123406"), `${to}/0000123406 ${bic ?? "FILEDEFFXXX"}`);
    const other = accountByRule(rule, { [elsewhere]: ["09", "FROMDEFFXXX"], [to]: ["09", "FILEDEFFXXX"] });
    assert.equal(
      other(elsewhere, "123404"),
      any ? `${to}/0000123404 ${bic ?? "FILEDEFFXXX"}` : `${elsewhere}/0000123404 FROMDEFFXXX`,
    );
  });
}

test("rule 0009 turns the leading digits 1116 into 3047", () => {
  const account = accountByRule("0009", {
    "68351976": ["00", "SOLADES1ZLW"],
    "68351557": ["00", "SOLADES1SFH"],
  });
  assert.equal(account("68351976", "1116232594"), "68351557/3047232594 SOLADES1SFH");
  assert.equal(account("68351976", "0016005845"), "68351557/0016005845 SOLADES1SFH");
  assert.equal(account("68351976", "26661"), "check_digit");
  assert.equal(account("68351557", "1116232594"), "68351557/1116232594 SOLADES1SFH");
});

test("rule 0010 replaces the donation accounts at 50050201 also when they come from 50050222", () => {
  const account = accountByRule("0010", {
    "50050222": ["19", "HELADEF1822"],
    "50050201": ["96", "HELADEF1822"],
  });
  for (const blz of ["50050201", "50050222"]) {
    assert.equal(account(blz, "2000"), "50050201/0000222000 HELADEF1822");
    assert.equal(account(blz, "800000"), "50050201/0000180802 HELADEF1822");
  }
  assert.equal(
    accountByRule("0010", { "50050299": ["09", null] })("50050299", "2000"),
    "50050299/0000002000 null",
  );
});

test("rule 0021 takes only accounts of 6, 7, 9 or 10 digits", () => {
  const account = accountByRule("0021", { "36020030": ["09", "NBAGDE3EXXX"] });
  for (let digits = 1; digits <= 10; digits++) {
    const kontonummer = "7".repeat(digits);
    assert.equal(
      account("36020030", kontonummer),
      [6, 7, 9, 10].includes(digits)
        ? `36020030/${kontonummer.padStart(10, "0")} NBAGDE3EXXX`
        : "invalid_account",
    );
  }
});

test("rule 0041 replaces every number by one fixed account, even where its bank code is not known", () => {
  const account = accountByRule("0041", { "62220000": ["09", "BSHHDE61XXX"] });
  for (const kontonummer of ["1", "62220000", "9999999999"]) {
    assert.equal(account("62220000", kontonummer), "50060400/0000011404 GENODEFFXXX");
  }
});
