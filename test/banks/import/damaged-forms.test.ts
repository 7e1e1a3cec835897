import assert from "node:assert/strict";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { sharedMissing } from "../../shared.ts";
import { ImportFolder, officialHeads, undated, validity } from "./import-folder.ts";
import { belgianHeader, exampleOf, newForms } from "./new-forms.ts";
import { workbook } from "./workbook.ts";

const folder = new ImportFolder();

const heading = ["BIC", "Identifier", "Betaaldienstverlener"];

/** A dataset whose example is damaged, or a published file: another content, or a text and what takes its place. */
type Damage =
  | readonly [given: string, content: Buffer]
  | readonly [given: string, from: string | RegExp, to: string | ((...found: string[]) => string)];

function swapped(dataset: string, one: string, other: string): Damage {
  return [dataset, new RegExp(`${one}|${other}`, "g"), (found) => (found === one ? other : one)];
}

const [blz168, blz174] = ["blz-168-2026-03-09.txt", "blz-174-2025-09-08.txt"];
const [blzCsv, scl] = ["blz-csv-2025-06-09.csv", "scl-2026-05-25.csv"];
/** The first five lines, the last of them apart; then the rest. */
const fiveLines = /^((?:[^\n]*\n){4})([^\n]*\n).*$/s;
const renumbered = (_: string, before: string, row: string) =>
  `${before}${row}${row.replace(/(\d{6})U/, "999999U")}`;

/** Damages to the first lines of published files. */
const damagedHeads: [what: string, line: number, reason: RegExp, damage: Damage][] = [
  ["another text", 1, /fits none of the forms/, [scl, /^.*$/s, "Dear Sir or Madam\n"]],
  ["lines of another width", 7, /expect 168, got 169/, [blz168, /^((?:[^\n]*\n){6}.*)\r/, "$1 \r"]],
  ["a first line of another width", 1, /./, [blz174, /^./, ""]],
  ["a bank code given twice", 6, /main record already/, [blz168, fiveLines, renumbered]],
  ["a Datensatznummer given twice", 6, /Datensatznummer/, [blz168, fiveLines, "$1$2$2"]],
  ["mixed line ends", 2, /CRLF and LF are mixed/, [blz168, "\r\n", "\n"]],
  ["another code page", 3, /neither UTF-8 nor ISO-8859-1/, [blz168, /^(.{355})./s, "$1\x94"]],
  ["UTF-16", 1, /control characters/, [scl, /./gs, "$&\0"]],
  ["swapped columns", 4, /column Bankleitzahl/, [blzCsv, /^((?:[^\n]*\n){3})(.*?;)(.*?;)/, "$1$3$2"]],
  ["swapped headings", 1, /header is not/, [blzCsv, "PLZ;Ort", "Ort;PLZ"]],
  ["a method that is none", 2, /methode/i, [blz168, /(\n.{150})../, "$1?!"]],
  ["a service flag that is none", 5, /SERVICE/, [scl, /^((?:[^\n]*\n){4}.*?);1;/, "$1;2;"]],
  ["a BIC given twice", 6, /listed twice/, [scl, fiveLines, "$1$2$2"]],
  ["a row too short", 6, /expect 7/i, [scl, /^((?:[^\n]*\n){5}.*)..\r/, "$1\r"]],
  ["a day that is none", 1, /2026-02-31.*not a day/, [scl, "25.05", "31.02"]],
];

const wrongBic = workbook([belgianHeader, ["000", "TEST BE B", "Bank"]]);

const damages: [what: string, line: number, reason: RegExp, damage: Damage][] = [
  ["a SIX row cut off", 2, /expect 21, got 17/, ["six", ";Y;Y;Y;N;N;N\r\n8800", ";Y;Y\r\n8800"]],
  ["a SIX code of letters", 2, /"1a0"/, ["six", "\n100;", "\n1a0;"]],
  ["a Czech bank without a name", 3, /"" .* column Poskytovatel/, ["cnb", "EUPSProvider s.r.o.", ""]],
  ["Polish letters of ISO 8859-2", 2, /box drawings/, ["nbp", "\x88", "\xb3"]],
  ["a Polish row of 31 columns", 3, /expect 32, got 31/, ["nbp", /\tx\r\n$/, "\r\n"]],
  ["a Polish code of seven digits", 2, /"1010003"/, ["nbp", "10100039", "1010003"]],
  ["a Belgian BIC that is none", 2, /"TEST BE B" .* Biccode/, ["nbb", wrongBic]],
  ["a code of digits", 2, /"1234"/, ["betaalvereniging", workbook([heading, ["TESTNL2A", "1234", "Bank"]])]],
  ["a workbook without rows", 1, /no row/, ["betaalvereniging", workbook([heading])]],
  ["two files", 1, /archive/, ["nbb", Buffer.from(zipSync({ a: strToU8("a"), b: strToU8("b") }))]],
  ["a register with a day that is none", 2, /Readiness/, ["epc-vop", "2025-10-05", "05.10.2025"]],
  ["a day that the calendar lacks", 2, /Readiness/, ["epc-vop", "2025-10-05", "2025-13-05"]],
  ["a title with such a day", 1, /31\.02\.2026 is not a day/, ["oenb", "20.11.2026", "31.02.2026"]],
  ["a bank's name of digits", 5, /Bankenname/, ["oenb", "Testbank", "12345"]],
  ["a participant's name of digits", 2, /ParticipantName/, ["epc-vop", "Testbank", "12345"]],
  [
    "country and name swapped in one line",
    3,
    /"Caixa" is not allowed in the column Country/,
    ["epc-vop", /$/, '"Caixa","SPAIN","Calle 1","Madrid","TESTESMMXXX","2025-10-05","",""\n'],
  ],
  ["country and town swapped", 2, /"Wien" .* column Country/, swapped("epc-vop", "AUSTRIA", "Wien")],
  ["both days swapped", 2, /Readiness Date is empty/, ["epc-vop", '"2025-10-05",""', '"","2025-10-05"']],
  ["leaving before", 2, /leaves on 2025-10-04, before 2025-10-05/, ["epc-vop", '05",""', '05","2025-10-04"']],
  ["name and BIC swapped", 5, /"TESTATWW" .* names is a BIC/, swapped("oenb", "Testbank", "TESTATWW")],
  ["bank and postal code swapped", 5, /"100" .* column PLZ/, swapped("oenb", ";100;", ";1090;")],
  ["postal code and town swapped", 2, /"8000" .* column Town Name/, ["six", /;8000;([^;]+);/, ";$1;8000;"]],
  [
    "names and towns of a Swiss list swapped",
    2,
    /"Testbank Z.*" in the column of towns reads like a bank/,
    ["six", /;(Testbank [^;]+)((?:;[^;]*){3});([^;]+);/g, ";$3$2;$1;"],
  ],
  [
    "name and town swapped",
    2,
    /"Testbank" .* City reads like a bank/,
    swapped("epc-vop", "Testbank", "Wien"),
  ],
  [
    "name and address swapped",
    2,
    /"Testbank" .* Address reads like/,
    swapped("epc-vop", "Testbank", "Weg 1"),
  ],
  ["country and day swapped", 2, /not allowed in/, ["six", /;(2026-11-20)(;N;.*);(CH|LI);/g, ";$3$2;$1;"]],
  ["a weight too few", 1, /expect 18, got 16/, ["uk-weights", "    2    1\r\n", "    2\r\n"]],
  ["a method that is none", 2, /MOD12/, ["uk-weights", "070030 MOD11", "070030 MOD12"]],
  ["ranges that overlap", 2, /overlaps/, ["uk-weights", "016715", "080000"]],
  ["a substitution of one sort code", 2, /expect 2, got 1/, ["uk-substitutions", " 938068", ""]],
];

/** Where the last row of a text is, with its end. */
const lastRow = /[^\n]+\n$/;
for (const [dataset, line] of [
  ["epc-vop", 3],
  ["cnb", 4],
  ["nbp", 4],
  ["uk-weights", 3],
  ["uk-substitutions", 3],
] as const)
  damages.push([`a row given twice, ${dataset}`, line, /already|twice|overlaps/, [dataset, lastRow, "$&$&"]]);

for (const [what, line, reason, [given, from, to]] of [...damages, ...damagedHeads]) {
  const isHead = !newForms.some(({ dataset }) => dataset === given);
  test(`${what}: refused with line and reason`, { skip: isHead && sharedMissing }, async () => {
    const { name, content: whole } = isHead
      ? { name: undated(given), content: officialHeads.get(given)! }
      : exampleOf(given);
    const first = isHead ? { validFrom: "2026-05-25" } : validity;
    const text = whole.toString("latin1");
    const content = Buffer.isBuffer(from) ? from : Buffer.from(text.replace(from, to as string), "latin1");
    assert.notEqual(content.toString("latin1"), text);
    await folder.refuses({ name, content, validity: first }, reason, new RegExp(`^${line}$`));
  });
}
