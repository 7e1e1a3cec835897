import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { prepareImport } from "../../../src/banks/import/import-file.ts";
import { sharedMissing } from "../../shared.ts";
import { words } from "../../support/words.ts";
import { ImportFolder, officialFile } from "./import-folder.ts";

const folder = new ImportFolder();
const skip = sharedMissing;

/** The first rows of each published file: enough to be damaged, few enough to be read thousands of times. */
const files = words`
  blz-168-2026-03-09.txt blz-174-2025-09-08.txt blz-csv-2025-06-09.csv scl-2026-05-25.csv
  oenb-at-2025-07.csv epc-sct-2022.csv
`;
const heads = new Map<string, Buffer>();
before(() => {
  if (skip) return;
  for (const name of files) {
    const { content } = officialFile(name);
    const lines = content.toString("latin1").split("\n").slice(0, 12);
    heads.set(name, Buffer.from(`${lines.join("\n")}\n`, "latin1"));
  }
});

const undated = (name: string) => name.replace(/\d{4}-\d{2}(-\d{2})?/, "x");
const validity = { validFrom: "2026-05-25" };

const lines = (name: string) => heads.get(name)!.toString("latin1").split("\r\n");
const joined = (rows: readonly string[]) => Buffer.from(rows.join("\r\n"), "latin1");
const withLine = (name: string, line: number, change: (text: string) => string) =>
  joined(lines(name).map((text, index) => (index === line - 1 ? change(text) : text)));

const [blz168, blz174, blzCsv, scl, oenb, epc] = files as [string, string, string, string, string, string];
const replaced =
  (name: string, from: string | RegExp, to: string, as: BufferEncoding = "latin1") =>
  () =>
    Buffer.from(heads.get(name)!.toString("latin1").replace(from, to), as);
/** The first rows with the last of them twice. */
const repeated =
  (name: string, change = (row: string) => row) =>
  () =>
    joined([...lines(name).slice(0, 5), change(lines(name)[4]!), ""]);

const damages: readonly (readonly [string, string, number, RegExp, () => Uint8Array])[] = [
  ["another text", scl, 1, /fits none of the forms/, () => Buffer.from("Dear Sir or Madam\n")],
  [
    "lines of another width",
    blz168,
    7,
    /expect 168, got 169/,
    () => withLine(blz168, 7, (text) => `${text} `),
  ],
  ["a first line of another width", blz174, 1, /./, () => withLine(blz174, 1, (text) => text.slice(1))],
  [
    "lines of both widths",
    blz174,
    4,
    /expect 174, got 168/,
    () => joined([...lines(blz174).slice(0, 3), ...lines(blz168)]),
  ],
  ["a line cut off", blz168, 6, /expect 168, got 150/, () => heads.get(blz168)!.subarray(0, 1_000)],
  [
    "a bank code given twice",
    blz168,
    6,
    /main record already/,
    repeated(blz168, (row) => row.replace(/(\d{6})U/, "999999U")),
  ],
  ["a Datensatznummer given twice", blz168, 6, /Datensatznummer/, repeated(blz168)],
  ["mixed line ends", blz168, 2, /CRLF and LF are mixed/, replaced(blz168, "\r\n", "\n")],
  [
    "letters of another code page",
    blz168,
    3,
    /neither UTF-8 nor ISO-8859-1/,
    () => Buffer.from(heads.get(blz168)!).fill(0x94, 355, 356),
  ],
  ["letters encoded twice", blzCsv, 4, /encoded twice/, replaced(blzCsv, "OLINDA", "Ã¼", "utf8")],
  ["UTF-16", scl, 1, /control characters/, replaced(scl, "", "", "utf16le")],
  [
    "swapped columns",
    blzCsv,
    4,
    /column Bankleitzahl/,
    replaced(blzCsv, /^((?:[^\n]*\n){3})("\d{8}");("1");/, "$1$3;$2;"),
  ],
  ["swapped headings", blzCsv, 1, /header is not/, replaced(blzCsv, "PLZ;Ort", "Ort;PLZ")],
  ["a method that is none", blz168, 2, /methode/i, replaced(blz168, /(\n.{150})../, "$1?!")],
  [
    "a service flag that is none",
    scl,
    5,
    /SERVICE/,
    () => withLine(scl, 5, (row) => row.replace(";1;", ";2;")),
  ],
  ["a BIC given twice", scl, 6, /listed twice/, repeated(scl)],
  ["a row too short", scl, 6, /expect 7/i, () => withLine(scl, 6, (text) => text.slice(0, -2))],
  ["a day that is none", scl, 1, /2026-02-31.*not a day/, replaced(scl, "25.05", "31.02")],
  ["an Austrian code given twice", oenb, 6, /main record already/, repeated(oenb)],
  ["a participant without BIC", epc, 6, /column BIC/, replaced(epc, "VALBADADXXX", "")],
];
for (const [what, name, line, reason, content] of damages) {
  test(`${what} is refused with line and reason`, { skip }, () =>
    folder.refuses({ name: undated(name), content: content(), validity }, reason, new RegExp(`^${line}$`)),
  );
}

test("XML that is broken is refused with its line", { skip: false }, async () => {
  const entry = "<BLZEintrag><BLZ>37040044</BLZ><Merkmal>1</Merkmal></BLZEintrag>";
  const head = "<Document><FileHdr><ValidFrom>2026-05-25</ValidFrom></FileHdr>";
  for (const [text, line, reason] of [
    [`${head}\n<BLZEintrag><BLZ>37040044</BLZ>\n`, /^[1-3]$/, /not well-formed XML/],
    [`${head}\n${entry}\n</Document>\n`, /^[12]$/, /"" is not allowed in the column Bezeichnung/],
    [`${head}\n${entry}\n</Dokument>\n`, /^[1-3]$/, /not well-formed XML|Bezeichnung/],
    [`${head}\n<BLZEintrag><BLZ>1</BLZ><BLZ>1</BLZ></BLZEintrag></Document>\n`, /^[12]$/, /twice/],
  ] as const) {
    await folder.refuses({ name: "blz.xml", content: Buffer.from(text), validity }, reason, line);
  }
});

test(
  "a published file with any byte changed, cut out or put in is read or refused, and never more",
  { skip },
  () => folder.toleratesChanges(files.map((name) => ({ name: undated(name), content: heads.get(name)! }))),
);

test("more than 2 % of the codes gone is suspicious, 2 % is not", { skip }, async () => {
  const target = new ImportFolder();
  const rows = officialFile(scl).content.toString("latin1").split("\r\n");
  const of = (count: number, day: string) => ({
    name: "scl.csv",
    content: joined([rows[0]!.replace("25.05", day), ...rows.slice(1, 2 + count), ""]),
  });
  assert.equal((await target.import(of(100, "25.05"))).suspicion, undefined);
  assert.equal((await prepareImport(target.path, of(98, "26.05"))).suspicion, undefined);
  assert.match(
    (await prepareImport(target.path, of(97, "26.05"))).suspicion ?? "",
    /^3 of the 100 entries.*more than 2 %/,
  );
});

test("an import takes the place of the edition of its day, and leaves other files alone", {
  skip,
}, async () => {
  const target = new ImportFolder();
  const content = heads.get(scl)!;
  await target.import({ name: "one.csv", content });
  const manifest = () => JSON.parse(readFileSync(join(target.path, "manifest.json"), "utf8")).editions;
  const first = manifest();
  assert.deepEqual(
    first.map(({ dataset }: { dataset: string }) => dataset),
    ["blz", "banks", "scl"],
  );
  await target.import({
    name: "two.csv",
    content: withLine(scl, 4, (text) => text.replace(/1(;\d;\d;\d;\d)$/, "0$1")),
  });
  const second = manifest();
  assert.deepEqual([second.length, second[2].source], [3, "two.csv"]);
  assert.notEqual(second[2].file, first[2].file);
  assert.throws(() => readFileSync(join(target.path, first[2].file)), /ENOENT/);
});
