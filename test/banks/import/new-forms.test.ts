import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { loadBankData } from "../../../src/banks/editions/load.ts";
import { DataFileError } from "../../../src/banks/files/csv.ts";
import { countryLists } from "../../../src/banks/files/datasets.ts";
import { prepareImport } from "../../../src/banks/import/import-file.ts";
import { readNormalForm } from "../../../src/banks/import/normal-form.ts";
import { ImportFolder } from "./import-folder.ts";
import { newForms } from "./new-forms.ts";
import { workbook } from "./workbook.ts";

const folder = new ImportFolder();
after(() => folder.remove());

const example = (dataset: string) => newForms.find((form) => form.dataset === dataset)!;

test("every list of a country's banks has an example", () => {
  for (const { name } of countryLists)
    assert.ok(
      newForms.some(({ dataset }) => dataset === name),
      name,
    );
});

for (const { name, content, dataset, validFrom, rows } of newForms) {
  test(`${name} is taken as ${dataset} of ${validFrom}`, async () => {
    const prepared = await prepareImport(folder.path, { name, content });
    assert.deepEqual([prepared.edition.dataset, prepared.edition.validFrom], [dataset, validFrom]);
    assert.deepEqual(readNormalForm(prepared.edition.dataset, name, prepared.content), rows);
  });
}

test("a register may call a country by its English name with or without accents", async () => {
  const rows = ["RÉUNION", "REUNION", "ST. PIERRE AND MIQUELON", "SAINT-BARTHELEMY", "TURKEY"].map(
    (country, row) => `"${country}","Testbank","","","TESTATWW00${row}","2025-10-05","",""\n`,
  );
  const content = Buffer.from(text("epc-vop").split("\n", 1)[0] + "\n" + rows.join(""));
  const prepared = await prepareImport(folder.path, { name: "vop_2026-11-15.csv", content });
  assert.equal(prepared.rows, rows.length);
});

test("a participant that is not ready yet is left out", async () => {
  const content = Buffer.from(
    '"Country","ParticipantName","BIC","Status"\n' +
      '"AUSTRIA","Testbank","TESTATWWXXX","Ready for operations"\n' +
      '"FRANCE","Banque","TESTFRPPXXX","Pending EDS registration"\n',
  );
  const prepared = await prepareImport(folder.path, { name: "vop_2026-11-15.csv", content });
  assert.deepEqual(readNormalForm("epc-vop", "vop.csv", prepared.content), [
    ["AUSTRIA", "Testbank", "", "", "TESTATWWXXX", "", "", ""],
  ]);
});

test("a list of banks replaces those of its countries from its first day on, and an older one does not", async () => {
  const target = new ImportFolder();
  const { name, content } = example("oenb");
  await target.import({ name, content });
  const older = Buffer.from(
    content.toString("latin1").replace("20.11.2026", "01.02.2026").replace("Testbank;", "Alte Bank;"),
    "latin1",
  );
  await target.import({ name, content: older });
  const austrian = async (day: string) => {
    const { directory, lists } = await loadBankData(target.path, day);
    const banks = new BankDirectory(directory);
    const names: string[] = [];
    for (let index = banks.germanCount; index < banks.size; index++) {
      const { country, name: bank } = banks.record(index);
      if (country === "AT") names.push(bank);
    }
    return { names, edition: banks.editionOf("AT"), list: lists.find(({ country }) => country === "AT")! };
  };
  const before = await austrian("2026-01-31");
  assert.deepEqual([before.names.length, before.edition, before.list.next_edition], [871, "2026-11", null]);
  const between = await austrian("2026-05-01");
  assert.deepEqual([between.names, between.list.next_edition], [["Alte Bank"], "2026-11-20"]);
  const now = await austrian("2026-11-20");
  assert.deepEqual([now.names, now.edition, now.list.completeness], [["Testbank"], "2026-11-20", "complete"]);
  target.remove();
});

test("registers contain name, LEI and schemes of a BIC", async () => {
  const target = new ImportFolder();
  for (const dataset of ["epc-vop", "bic-lei", "mfi"]) await target.import(example(dataset));
  const { register } = await loadBankData(target.path, "2026-12-01");
  assert.deepEqual(register.facts.get("TESTATWWXXX"), {
    name: "Testbank",
    city: "Wien",
    lei: "5299001Z8JOKGWV5O949",
    schemes: { vop: { since: "2025-10-05", until: null } },
  });
  target.remove();
});

const text = (dataset: string): string => example(dataset).content.toString("latin1");
const damages: readonly (readonly [string, string, Buffer, number, RegExp])[] = [
  [
    "a SIX row cut off",
    "six",
    Buffer.from(text("six").replace(";Y;Y;Y;N;N;N\r\n8800", ";Y;Y\r\n8800"), "latin1"),
    2,
    /17 columns/,
  ],
  [
    "a SIX code of letters",
    "six",
    Buffer.from(text("six").replace("\n100;", "\n1a0;"), "latin1"),
    2,
    /"1a0"/,
  ],
  [
    "a SIX BIC that is none",
    "six",
    Buffer.from(text("six").replace("TESTCHZZXXX", "TESTCHZZXX"), "latin1"),
    2,
    /BIC/,
  ],
  [
    "a Czech code given twice",
    "cnb",
    Buffer.from(text("cnb").replace("8297", "0100"), "latin1"),
    3,
    /already/,
  ],
  [
    "a Czech bank without a name",
    "cnb",
    Buffer.from(text("cnb").replace("EUPSProvider s.r.o.", ""), "latin1"),
    3,
    /names/,
  ],
  [
    "a Polish row of 31 columns",
    "nbp",
    Buffer.from(text("nbp").replace(/\tx\r\n$/, "\r\n"), "latin1"),
    3,
    /31 columns/,
  ],
  [
    "a Polish code of seven digits",
    "nbp",
    Buffer.from(text("nbp").replace("10100039", "1010003"), "latin1"),
    2,
    /"1010003"/,
  ],
  [
    "a Belgian BIC that is none",
    "nbb",
    workbook([
      [
        "T_Identification_Number",
        "Biccode",
        "T_Institutions_Dutch",
        "T_Institutions_French",
        "T_Institutions_German",
        "T_Institutions_English",
      ],
      ["000", "TEST BE B", "Bank"],
    ]),
    2,
    /BICs/,
  ],
  [
    "a Dutch code of digits",
    "betaalvereniging",
    workbook([
      ["BIC", "Identifier", "Betaaldienstverlener"],
      ["TESTNL2A", "1234", "Bank"],
    ]),
    2,
    /"1234"/,
  ],
  [
    "a workbook without rows",
    "betaalvereniging",
    workbook([["BIC", "Identifier", "Betaaldienstverlener"]]),
    1,
    /no row/,
  ],
  ["a workbook cut off", "nbb", example("nbb").content.subarray(0, 300), 1, /archive/],
  [
    "an archive of two files",
    "nbb",
    Buffer.from(zipSync({ a: strToU8("a"), b: strToU8("b") })),
    1,
    /archive/,
  ],
  ["a LEI that is none", "bic-lei", Buffer.from(text("bic-lei").replace("5299001Z", "5299001z")), 2, /LEI/],
  [
    "a register that names a day that is none",
    "epc-vop",
    Buffer.from(text("epc-vop").replace("2025-10-05", "05.10.2025")),
    2,
    /Readiness/,
  ],
  [
    "a register that swaps country and name in one line",
    "epc-vop",
    Buffer.from(
      text("epc-vop") + '"Caixa Test","SPAIN","Calle 1","Madrid","TESTESMMXXX","2025-10-05","",""\n',
    ),
    3,
    /"SPAIN" in the column ParticipantName is a country/,
  ],
  [
    "a register that swaps country and name in every line",
    "epc-vop",
    Buffer.from(text("epc-vop").replace('"AUSTRIA","Testbank"', '"Testbank","AUSTRIA"')),
    2,
    /swapped/,
  ],
  [
    "a register that swaps country and town",
    "epc-vop",
    Buffer.from(text("epc-vop").replace('"AUSTRIA"', '"Wien"').replace(',"Wien"', ',"AUSTRIA"')),
    2,
    /"Wien" in the column Country is not a country/,
  ],
  [
    "a register that swaps the two days",
    "epc-vop",
    Buffer.from(text("epc-vop").replace('"2025-10-05",""', '"","2025-10-05"')),
    2,
    /Readiness Date is empty/,
  ],
  [
    "a participant that leaves before it is ready",
    "epc-vop",
    Buffer.from(text("epc-vop").replace('"2025-10-05",""', '"2025-10-05","2025-10-04"')),
    2,
    /leaves on 2025-10-04, before 2025-10-05/,
  ],
  [
    "an Austrian row that swaps name and BIC",
    "oenb",
    Buffer.from(
      text("oenb").replace("Testbank", "TESTATWW").replace("Wien;TESTATWW", "Wien;Testbank"),
      "latin1",
    ),
    5,
    /"TESTATWW" in the column of names is a BIC/,
  ],
  [
    "an Austrian row that swaps bank code and postal code",
    "oenb",
    Buffer.from(text("oenb").replace(";100;", ";1090;").replace(";1090;Wien", ";100;Wien"), "latin1"),
    5,
    /"100" is not allowed in the column of postal codes/,
  ],
  [
    "a Swiss row that swaps postal code and town",
    "six",
    Buffer.from(text("six").replace(/;8000;([^;]+);/, ";$1;8000;"), "latin1"),
    2,
    /"8000" is not allowed in the column of towns/,
  ],
  [
    "a Swiss list that swaps names and towns",
    "six",
    Buffer.from(
      text("six").replace(/;(Testbank [^;]+)(;[^;]*;[^;]*;[^;]*);([^;]+);/g, ";$3$2;$1;"),
      "latin1",
    ),
    2,
    /"Testbank Z.*" in the column of towns reads like a bank/,
  ],
  [
    "an Austrian list that swaps names and towns",
    "oenb",
    Buffer.from(text("oenb").replace("Testbank", "Wien").replace("1090;Wien", "1090;Testbank"), "latin1"),
    5,
    /"Testbank" in the column of towns reads like a bank/,
  ],
  [
    "a register that swaps name and town",
    "epc-vop",
    Buffer.from(
      text("epc-vop").replace('"Testbank"', '"Wien"').replace(',"Wien","TEST', ',"Testbank","TEST'),
    ),
    2,
    /"Testbank" in the column City reads like a bank/,
  ],
  [
    "a register that swaps name and address",
    "epc-vop",
    Buffer.from(text("epc-vop").replace('"Testbank","Weg 1"', '"Weg 1","Testbank"')),
    2,
    /"Testbank" in the column Address reads like a bank/,
  ],
  [
    "a list of institutions without LEI and BIC",
    "mfi",
    Buffer.from(example("mfi").content.toString("utf16le").replace("\tLEI\t", "\tXYZ\t"), "utf16le"),
    1,
    /neither LEIs nor BICs/,
  ],
  [
    "a list of institutions that swaps towns and addresses",
    "mfi",
    Buffer.from(
      example("mfi")
        .content.toString("utf16le")
        .replace(/\t([^\t]+ \d+)\t(\d+)\t(\p{L}+)\t/gu, "\t$3\t$2\t$1\t"),
      "utf16le",
    ),
    2,
    /"Frankfurt" in the column ADDRESS reads like a town/,
  ],
  [
    "a list of institutions that swaps names and categories",
    "mfi",
    Buffer.from(
      example("mfi")
        .content.toString("utf16le")
        .replace(/\tTestbank(.*)\tCredit Institution/, "\tCredit Institution$1\tTestbank"),
      "utf16le",
    ),
    3,
    /"Credit Institution" is not allowed in the column NAME/,
  ],
  [
    "a list of institutions that swaps towns and categories",
    "mfi",
    Buffer.from(
      example("mfi")
        .content.toString("utf16le")
        .replace("\tWien\tCredit Institution", "\tCredit Institution\tWien"),
      "utf16le",
    ),
    3,
    /"Credit Institution" is not allowed in the column CITY/,
  ],
  [
    "a Swiss list that swaps country and day",
    "six",
    Buffer.from(text("six").replace(/;(2026-11-20)(;N;.*);(CH|LI);/g, ";$3$2;$1;"), "latin1"),
    2,
    /is not allowed in the column/,
  ],
  [
    "a list of institutions that swaps names and towns",
    "mfi",
    Buffer.from(
      example("mfi")
        .content.toString("utf16le")
        .replace(/\t(Test[^\t]*)(\t\t[^\t]*\t\d+)\t(\p{L}+)/gu, "\t$3$2\t$1"),
      "utf16le",
    ),
    2,
    /"Test Central Bank" in the column CITY reads like a bank/,
  ],
  [
    "a Finnish range that ends before it begins",
    "finance-finland",
    Buffer.from("Rahalaitos;Rahalaitostunnus;BIC\r\nTestipankki;479-470;TESTFIHH\r\n"),
    2,
    /"479-470" is not allowed/,
  ],
  [
    "an institution without a name",
    "mfi",
    Buffer.from(example("mfi").content.toString("utf16le").replace("\tTestbank", "\t"), "utf16le"),
    3,
    /NAME/,
  ],
  [
    "a weight too few",
    "uk-weights",
    Buffer.from(text("uk-weights").replace("    2    1\r\n", "    2\r\n")),
    1,
    /16 fields/,
  ],
  [
    "a method that is none",
    "uk-weights",
    Buffer.from(text("uk-weights").replace("070030 MOD11", "070030 MOD12")),
    2,
    /MOD12/,
  ],
  [
    "ranges that overlap",
    "uk-weights",
    Buffer.from(text("uk-weights").replace("016715", "080000")),
    2,
    /overlaps/,
  ],
  [
    "a substitution of one sort code",
    "uk-substitutions",
    Buffer.from(text("uk-substitutions").replace(" 938068", "")),
    2,
    /two sort codes/,
  ],
];
for (const [what, dataset, content, line, reason] of damages) {
  test(`${what} is refused with line and reason`, async () => {
    const { name } = example(dataset);
    await assert.rejects(
      prepareImport(folder.path, { name, content, validity: { validFrom: "2026-11-20" } }),
      (error) => {
        assert.ok(error instanceof DataFileError, String((error as Error).stack));
        assert.match(error.message, reason);
        assert.equal(error.line, line, error.message);
        return true;
      },
    );
  });
}

test("a file of a new form with bytes changed is read or refused, and never more", async () => {
  const mutated = fc.record({
    form: fc.constantFrom(...newForms),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    gone: fc.integer({ min: 0, max: 60 }),
    put: fc.uint8Array({ maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(mutated, async ({ form: { name, content }, at, gone, put }) => {
      const place = Math.floor(at * content.length);
      const changed = Buffer.concat([content.subarray(0, place), put, content.subarray(place + gone)]);
      try {
        await prepareImport(folder.path, { name, content: changed, validity: { validFrom: "2026-11-20" } });
      } catch (error) {
        assert.ok(error instanceof DataFileError, String((error as Error).stack));
      }
    }),
    { numRuns: 400 },
  );
});
