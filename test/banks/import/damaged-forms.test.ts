import assert from "node:assert/strict";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { DataFileError } from "../../../src/banks/files/csv.ts";
import { prepareImport } from "../../../src/banks/import/import-file.ts";
import { ImportFolder } from "./import-folder.ts";
import { belgianHeader, exampleOf, textOf } from "./new-forms.ts";
import { workbook } from "./workbook.ts";

const folder = new ImportFolder();

const damages: readonly (readonly [string, string, Buffer, number, RegExp])[] = [
  [
    "a SIX row cut off",
    "six",
    Buffer.from(textOf("six").replace(";Y;Y;Y;N;N;N\r\n8800", ";Y;Y\r\n8800"), "latin1"),
    2,
    /17 columns/,
  ],
  [
    "a SIX code of letters",
    "six",
    Buffer.from(textOf("six").replace("\n100;", "\n1a0;"), "latin1"),
    2,
    /"1a0"/,
  ],
  [
    "a SIX BIC that is none",
    "six",
    Buffer.from(textOf("six").replace("TESTCHZZXXX", "TESTCHZZXX"), "latin1"),
    2,
    /BIC/,
  ],
  [
    "a Czech code given twice",
    "cnb",
    Buffer.from(textOf("cnb").replace("8297", "0100"), "latin1"),
    3,
    /already/,
  ],
  [
    "a Czech bank without a name",
    "cnb",
    Buffer.from(textOf("cnb").replace("EUPSProvider s.r.o.", ""), "latin1"),
    3,
    /names/,
  ],
  [
    "a Polish row of 31 columns",
    "nbp",
    Buffer.from(textOf("nbp").replace(/\tx\r\n$/, "\r\n"), "latin1"),
    3,
    /31 columns/,
  ],
  [
    "a Polish code of seven digits",
    "nbp",
    Buffer.from(textOf("nbp").replace("10100039", "1010003"), "latin1"),
    2,
    /"1010003"/,
  ],
  ["a Belgian BIC that is none", "nbb", workbook([belgianHeader, ["000", "TEST BE B", "Bank"]]), 2, /BICs/],
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
  ["a workbook cut off", "nbb", exampleOf("nbb").content.subarray(0, 300), 1, /archive/],
  [
    "an archive of two files",
    "nbb",
    Buffer.from(zipSync({ a: strToU8("a"), b: strToU8("b") })),
    1,
    /archive/,
  ],
  [
    "a register that names a day that is none",
    "epc-vop",
    Buffer.from(textOf("epc-vop").replace("2025-10-05", "05.10.2025")),
    2,
    /Readiness/,
  ],
  [
    "a register that swaps country and name in one line",
    "epc-vop",
    Buffer.from(
      `${textOf("epc-vop")}"Caixa Test","SPAIN","Calle 1","Madrid","TESTESMMXXX","2025-10-05","",""\n`,
    ),
    3,
    /"SPAIN" in the column ParticipantName is a country/,
  ],
  [
    "a register that swaps country and name in every line",
    "epc-vop",
    Buffer.from(textOf("epc-vop").replace('"AUSTRIA","Testbank"', '"Testbank","AUSTRIA"')),
    2,
    /swapped/,
  ],
  [
    "a register that swaps country and town",
    "epc-vop",
    Buffer.from(textOf("epc-vop").replace('"AUSTRIA"', '"Wien"').replace(',"Wien"', ',"AUSTRIA"')),
    2,
    /"Wien" in the column Country is not a country/,
  ],
  [
    "a register that swaps the two days",
    "epc-vop",
    Buffer.from(textOf("epc-vop").replace('"2025-10-05",""', '"","2025-10-05"')),
    2,
    /Readiness Date is empty/,
  ],
  [
    "a participant that leaves before it is ready",
    "epc-vop",
    Buffer.from(textOf("epc-vop").replace('"2025-10-05",""', '"2025-10-05","2025-10-04"')),
    2,
    /leaves on 2025-10-04, before 2025-10-05/,
  ],
  [
    "an Austrian row that swaps name and BIC",
    "oenb",
    Buffer.from(
      textOf("oenb").replace("Testbank", "TESTATWW").replace("Wien;TESTATWW", "Wien;Testbank"),
      "latin1",
    ),
    5,
    /"TESTATWW" in the column of names is a BIC/,
  ],
  [
    "an Austrian row that swaps bank code and postal code",
    "oenb",
    Buffer.from(textOf("oenb").replace(";100;", ";1090;").replace(";1090;Wien", ";100;Wien"), "latin1"),
    5,
    /"100" is not allowed in the column of postal codes/,
  ],
  [
    "a Swiss row that swaps postal code and town",
    "six",
    Buffer.from(textOf("six").replace(/;8000;([^;]+);/, ";$1;8000;"), "latin1"),
    2,
    /"8000" is not allowed in the column of towns/,
  ],
  [
    "a Swiss list that swaps names and towns",
    "six",
    Buffer.from(
      textOf("six").replace(/;(Testbank [^;]+)(;[^;]*;[^;]*;[^;]*);([^;]+);/g, ";$3$2;$1;"),
      "latin1",
    ),
    2,
    /"Testbank Z.*" in the column of towns reads like a bank/,
  ],
  [
    "an Austrian list that swaps names and towns",
    "oenb",
    Buffer.from(textOf("oenb").replace("Testbank", "Wien").replace("1090;Wien", "1090;Testbank"), "latin1"),
    5,
    /"Testbank" in the column of towns reads like a bank/,
  ],
  [
    "a register that swaps name and town",
    "epc-vop",
    Buffer.from(
      textOf("epc-vop").replace('"Testbank"', '"Wien"').replace(',"Wien","TEST', ',"Testbank","TEST'),
    ),
    2,
    /"Testbank" in the column City reads like a bank/,
  ],
  [
    "a register that swaps name and address",
    "epc-vop",
    Buffer.from(textOf("epc-vop").replace('"Testbank","Weg 1"', '"Weg 1","Testbank"')),
    2,
    /"Testbank" in the column Address reads like a bank/,
  ],
  [
    "a Swiss list that swaps country and day",
    "six",
    Buffer.from(textOf("six").replace(/;(2026-11-20)(;N;.*);(CH|LI);/g, ";$3$2;$1;"), "latin1"),
    2,
    /is not allowed in the column/,
  ],
  [
    "a weight too few",
    "uk-weights",
    Buffer.from(textOf("uk-weights").replace("    2    1\r\n", "    2\r\n")),
    1,
    /16 fields/,
  ],
  [
    "a method that is none",
    "uk-weights",
    Buffer.from(textOf("uk-weights").replace("070030 MOD11", "070030 MOD12")),
    2,
    /MOD12/,
  ],
  [
    "ranges that overlap",
    "uk-weights",
    Buffer.from(textOf("uk-weights").replace("016715", "080000")),
    2,
    /overlaps/,
  ],
  [
    "a substitution of one sort code",
    "uk-substitutions",
    Buffer.from(textOf("uk-substitutions").replace(" 938068", "")),
    2,
    /two sort codes/,
  ],
];
for (const [what, dataset, content, line, reason] of damages) {
  test(`${what} is refused with line and reason`, async () => {
    const { name } = exampleOf(dataset);
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
