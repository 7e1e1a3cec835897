import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountries, ibanCountryByCode } from "../../../src/banking/iban/registry.ts";
import { buildDirectory } from "../../../src/banks/directory/build.ts";
import { CODE_BYTES } from "../../../src/banks/directory/directory-layout.ts";
import type { BankRecord } from "../../../src/banks/directory/record.ts";
import { DataFileError } from "../../../src/banks/files/data-file.ts";
import { fragmentOf } from "../fragments.ts";
import { directoryOf, germanBank, italianBank, someEdition } from "../records.ts";

const ascii = (text: string) => new TextEncoder().encode(text);

function assertRefused(records: BankRecord[], recordIndex: number, reason: RegExp): void {
  const placed = records.map((record, index) => ({
    ...record,
    fault: (why: string) => new DataFileError("banks.csv", index, why),
  }));
  const refused = { name: "DataFileError", line: recordIndex, reason };
  assert.throws(() => buildDirectory(placed, someEdition), refused);
}

test("a record has room for the bank and branch codes of every country", () => {
  for (const { code, bank, branch } of ibanCountries) {
    assert.ok(bank.length <= CODE_BYTES.bank && (branch?.length ?? 0) <= CODE_BYTES.branch, code);
  }
});

test("records in any order are put in directory order", () => {
  const further = germanBank({ main: false, location: "Bergheim", bic: null });
  const directory = directoryOf([
    italianBank(),
    further,
    germanBank({ bankCode: "50010517" }),
    germanBank(),
    italianBank({ country: "AT", bankCode: "20111", bic: "GIBAATWWXXX" }),
  ]);
  const places = Array.from({ length: directory.size }, (_, index) => directory.record(index));
  assert.deepEqual(
    places.map(({ country, bankCode, main }) => `${country} ${bankCode} ${main ? "main" : "further"}`),
    ["DE 37040044 main", "DE 37040044 further", "DE 50010517 main", "AT 20111 main", "IT 05428 main"],
  );
  assert.equal(directory.germanCount, 3);
  assert.equal(directory.parts.blzCount, 2);
});

test("each of thousands of banks may have an origin of its own", () => {
  const records = Array.from({ length: 2_000 }, (_, at) => {
    const source = { list: `a list of the ${at}th bank`, edition: null };
    return germanBank({ bankCode: String(10_000_000 + at), origin: { name: source, bic: source } });
  });
  assert.equal(directoryOf(records).record(1_999).origin?.name.list, "a list of the 1999th bank");
});

test("a branch is found by both codes, any other branch by its bank", () => {
  const directory = directoryOf([
    italianBank({ branchCode: "11101", location: "Bergamo", bic: "BLOPIT22XXX" }),
    italianBank(),
    italianBank({ bankCode: "03069", branchCode: "09606", bic: null }),
  ]);
  const at = (bank: string, branch: string): number =>
    directory.findByIban(ibanCountryByCode("IT")!, ascii(`IT60X${bank}${branch}000000123456`));
  const locationOf = (index: number) => directory.record(index).location;
  assert.equal(locationOf(at("05428", "11101")), "Bergamo");
  assert.equal(directory.record(at("05428", "99999")).branchCode, "");
  assert.equal(directory.record(directory.findByCode("IT", "05428")).branchCode, "");
  assert.equal(directory.record(at("03069", "09606")).branchCode, "09606");
  assert.equal(at("03069", "11101"), -1, "a bank known by one branch only is not found for another");
  assert.equal(directory.findByCode("IT", "03069"), -1);
  assert.deepEqual(directory.bics(italianBank()), ["BLOPIT22", "BLOPIT22XXX"]);
});

test("codes of the registry's greatest lengths are distinguished to the last character", () => {
  const russia = ibanCountryByCode("RU")!;
  const record = { country: "RU", bic: null, sepa: { sct: 0, sdd: 0, b2b: 0, scc: 0 } } as const;
  const directory = directoryOf([
    italianBank({ ...record, bankCode: "044525225", branchCode: "40817" }),
    italianBank({ ...record, bankCode: "044525225", branchCode: "40818" }),
    italianBank({ ...record, bankCode: "044525226", branchCode: "40817" }),
  ]);
  for (let index = 0; index < directory.size; index++) {
    const { bankCode, branchCode } = directory.record(index);
    const found = directory.findByIban(russia, ascii(`RU00${bankCode}${branchCode}${"0".repeat(15)}`));
    assert.equal(found, index);
  }
});

test("a check-digit method this build does not know has no index but keeps its name", () => {
  const directory = directoryOf([germanBank({ method: "Z9" })]);
  assert.equal(directory.methodIndex(0), -1);
  assert.equal(directory.record(0).method, "Z9");
});

test("a second main record of the same codes is refused", () => {
  const twice = /^bank code 37040044 of DE has a main record already$/;
  const between = germanBank({ bankCode: "37040045" });
  assertRefused([germanBank(), between, germanBank({ name: "Other" })], 2, twice);
  const branch = italianBank({ branchCode: "11101" });
  assertRefused([italianBank(), branch, branch], 2, /with branch code 11101/);
});

test("a fragment of more than 1,024 bytes is refused, one of 1,024 is not", () => {
  const room = 1024 - fragmentOf(directoryOf([germanBank({ name: "ü" })]), 0).length;
  const longest = `ü${"x".repeat(room)}`;
  assert.equal(fragmentOf(directoryOf([germanBank({ name: longest })]), 0).length, 1024);
  const longer = germanBank({ name: `${longest}x` });
  assertRefused([italianBank(), longer], 1, /too long.*1025 bytes, at most 1024/);
});

const malformed: [string, BankRecord, RegExp][] = [
  ["a country outside the registry", italianBank({ country: "US" }), /country "US" is not in/],
  ["a bank code too short", italianBank({ bankCode: "5428" }), /bank code "5428" .* the BBAN of IT/],
  ["a bank code with a letter", germanBank({ bankCode: "3704004A" }), /does not fit the BBAN of DE/],
  ["a bank code beyond ASCII", germanBank({ bankCode: "3704004٤" }), /does not fit the BBAN of DE/],
  ["a Bankleitzahl that begins with 0", germanBank({ bankCode: "07040044" }), /begins with 0/],
  ["a branch code where there is none", germanBank({ branchCode: "1" }), /branch code "1" does not fit/],
  ["a branch code too long", italianBank({ branchCode: "111010" }), /branch code "111010" does not fit/],
  ["a further location abroad", italianBank({ main: false }), /for German banks only/],
  ["a BIC of nine characters", germanBank({ bic: "COBADEFFX" }), /BIC "COBADEFFX" is not in ISO 9362 format/],
  ["an empty BIC", germanBank({ bic: "" }), /BIC "" is not/],
  ["a method of three characters", germanBank({ method: "130" }), /method "130" is malformed/],
  ["a rule of four digits", germanBank({ rule: "0005" }), /rule "0005" does not have 6 digits/],
  ["a rule of unknown provenance", germanBank({ ruleSource: null }), /together/],
  ["a provenance without a rule", germanBank({ rule: null }), /together/],
  ["a successor that is not a Bankleitzahl", germanBank({ successor: "00000000" }), /successor "00000000"/],
  ["an empty name", germanBank({ name: "" }), /name is empty/],
  ["a name of spaces", germanBank({ name: "  " }), /name is empty/],
  ["a control character", germanBank({ shortName: "Commerz\nbank" }), /short name contains an unprintable/],
  ["half a surrogate pair", germanBank({ location: "K\ud800ln" }), /location contains an unprintable/],
  ["a mark of templates", germanBank({ name: "Commerz\ue001bank" }), /name contains an unprintable/],
  ["a text too long", germanBank({ shortName: "x".repeat(1001) }), /short name is longer than 1000/],
];
for (const [what, record, reason] of malformed) {
  test(`${what} is refused`, () => assertRefused([germanBank({ bankCode: "10000000" }), record], 1, reason));
}
