import { words } from "../../support/words.ts";
import { workbook } from "./workbook.ts";

const crlf = (encoding: "utf8" | "latin1", lines: readonly string[]): Buffer =>
  Buffer.from(lines.map((line) => `${line}\r\n`).join(""), encoding);

const sixHeader =
  "IID/QR-IID;Valid on;Concatenation;New IID/QR-IID;SIC IID;Headquarters;IID type;QR-IID allocation;" +
  "Name of bank/institution;Street Name;Building Number;Post Code;Town Name;Country;BIC;SIC participation;" +
  "RTGS customer payments, CHF;IP customer payments, CHF;euroSIC participation;LSV+/BDD, CHF;LSV+/BDD, EUR;202611200630000";

export const polish = (code: string, name: string, bic: string): string =>
  Array.from({ length: 32 }, (_, at) => ({ 1: name, 4: code, 19: bic })[at] ?? "x").join("\t");

export const belgianHeader = words`
  T_Identification_Number Biccode T_Institutions_Dutch T_Institutions_French T_Institutions_German
  T_Institutions_English
`;

const epcHeader =
  '"Country","ParticipantName","Address","City","BIC","Readiness Date","Scheme Leaving Date","Scheme Options"\n';

/** "ł" and "ó" in CP852. */
const cp852 = (text: string): string => text.replaceAll("ł", "\x88").replaceAll("ó", "\xa2");

type Head = readonly [name: string, dataset: string, validFrom: string];

/** Small files of the forms that no genuine file in `../shared` shows, and the rows that an import makes of each. */
const examples: readonly (readonly [Head, content: Buffer, rows: readonly (readonly string[])[]])[] = [
  [
    ["bankmaster_V3.csv", "six", "2026-11-20"],
    crlf("utf8", [
      sixHeader,
      "100;2026-11-20;N;;001008;100;1;;Testbank Zürich;Gasse;1;8000;Zürich;CH;TESTCHZZXXX;Y;Y;Y;N;N;N",
      "8800;2026-11-20;N;;088008;8800;1;;Testbank Vaduz;Gasse;2;9490;Vaduz;LI;TESTLI22;Y;Y;Y;N;N;N",
      `30100;2026-11-20;Y;100${";".repeat(17)}`,
    ]),
    [
      ["CH", "00100", "", "TESTCHZZXXX", "Testbank Zürich", "", "8000", "Zürich", "six", "2026-11-20"],
      ["LI", "08800", "", "TESTLI22", "Testbank Vaduz", "", "9490", "Vaduz", "six", "2026-11-20"],
    ],
  ],
  [
    ["r_fulllist_of_codes_current.xlsx", "nbb", "2026-11-02"],
    workbook([
      ["Version 02/11/2026"],
      belgianHeader,
      ["000", "TEST BE BB", "Testbank & Zoon", "Banque", "", ""],
      ["001", "VRIJ", "VRIJ", "LIBRE"],
      ["002", "N/A", "Onbeschikbaar", "Indisponible"],
      [3, "NAV", undefined, "Banque de Test"],
    ]),
    [
      ["BE", "000", "", "TESTBEBB", "Testbank & Zoon", "", "", "", "nbb", "2026-11-02"],
      ["BE", "003", "", "", "Banque de Test", "", "", "", "nbb", "2026-11-02"],
    ],
  ],
  [
    ["kody_bank_CR_2026-11-01.csv", "cnb", "2026-11-01"],
    crlf("utf8", [
      "\ufeffKód platebního styku;Poskytovatel platebních služeb;BIC kód (SWIFT);Systém CERTIS",
      "0100;Zkušební banka, a.s.;TESTCZPP;A",
      "8297;EUPSProvider s.r.o.;;-",
    ]),
    [
      ["CZ", "0100", "", "TESTCZPP", "Zkušební banka, a.s.", "", "", "", "cnb", "2026-11-01"],
      ["CZ", "8297", "", "", "EUPSProvider s.r.o.", "", "", "", "cnb", "2026-11-01"],
    ],
  ],
  [
    ["plewibnra-20261103.txt", "nbp", "2026-11-03"],
    crlf("latin1", [
      polish("10100000", cp852("Bank Lódzki w Królewie"), "testplpw"),
      polish("10100039", cp852("Mały bank"), ""),
      // A misprint of the published list.
      polish("96490002", "Bank w Biszczy", "PLUPLPRXXX"),
    ]),
    [
      ["PL", "10100000", "", "TESTPLPW", "Bank Lódzki w Królewie", "", "", "", "nbp", "2026-11-03"],
      ["PL", "10100039", "", "", "Mały bank", "", "", "", "nbp", "2026-11-03"],
      ["PL", "96490002", "", "", "Bank w Biszczy", "", "", "", "nbp", "2026-11-03"],
    ],
  ],
  [
    ["sepa-zv-vz_gesamt.csv", "oenb", "2026-11-20"],
    crlf("latin1", [
      "Haftungsausschluss",
      "SEPA-Verzeichnis-Abfrage vom 20.11.2026",
      "",
      "Kennzeichen;Identnummer;Bankleitzahl;Bankenname;Straße;PLZ;Ort;SWIFT-Code;LEI",
      "Hauptanstalt;1;100;Testbank;Weg 1;1090;Wien;TESTATWW;5299001Z8JOKGWV5O949",
    ]),
    [["AT", "00100", "", "TESTATWW", "Testbank", "", "1090", "Wien", "oenb", "2026-11-20"]],
  ],
  [
    ["BIC-lijst-NL.xlsx", "betaalvereniging", "2026-11-05"],
    workbook([
      ["BIC-lijst-NL | BIC-list-NL (Laatste update | last update 05-11-2026)"],
      [],
      ["BIC", "Identifier", "Betaaldienstverlener / Payment Service Provider "],
      ["TESTNL2A", "TEST", "Testbank N.V."],
    ]),
    [["NL", "TEST", "", "TESTNL2A", "Testbank N.V.", "", "", "", "betaalvereniging", "2026-11-05"]],
  ],
  [
    ["vop_2026-11-15.csv", "epc-vop", "2026-11-15"],
    Buffer.from(`${epcHeader}"AUSTRIA","Testbank","Weg 1","Wien","TESTATWWXXX","2025-10-05","",""\n`),
    [["AUSTRIA", "Testbank", "Weg 1", "Wien", "TESTATWWXXX", "2025-10-05", "", ""]],
  ],
  [
    ["valacdos-2026-10-17.txt", "uk-weights", "2026-10-17"],
    crlf("utf8", [
      "010004 016715 MOD11    0    0    0    0    0    0    8    7    6    5    4    3    2    1",
      "070030 070030 MOD11    0    0    7    6    5    8    9    4    5    6    7    8    9   -1   7",
    ]),
    [
      ["010004", "016715", "MOD11", ..."000000", ..."87654321", ""],
      ["070030", "070030", "MOD11", ..."00765894567", "8", "9", "-1", "7"],
    ],
  ],
  [
    ["scsubtab-2026-10-17.txt", "uk-substitutions", "2026-10-17"],
    crlf("utf8", ["938173 938017", "938289 938068"]),
    [
      ["938173", "938017"],
      ["938289", "938068"],
    ],
  ],
];

export const newForms = examples.map(([head, content, rows]) => {
  const [name, dataset, validFrom] = head;
  return { name, dataset, validFrom, content, rows };
});

/** Returns the example of a dataset. */
export const exampleOf = (dataset: string) => newForms.find((form) => form.dataset === dataset)!;

/** Returns the text of a dataset's example. */
export const textOf = (dataset: string): string => exampleOf(dataset).content.toString("latin1");
