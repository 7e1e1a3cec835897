import assert from "node:assert/strict";
import { test } from "node:test";
import { loadBankData } from "../../../src/banks/editions/load.ts";
import { readSclCsv } from "../../../src/banks/files/register-csv.ts";
import { blzSourceColumns } from "../../../src/banks/import/blz-forms.ts";
import { type PreparedImport, prepareImport } from "../../../src/banks/import/import-file.ts";
import { type NormalRow, readNormalForm } from "../../../src/banks/import/normal-form.ts";
import { sharedMissing } from "../../shared.ts";
import { rowsOf as shippedRows } from "../shipped.ts";
import { ImportFolder, officialFile } from "./import-folder.ts";

const folder = new ImportFolder();
const skip = sharedMissing;
const scl = "scl-2026-05-25.csv";

const rowsOf = ({ edition, content }: PreparedImport): NormalRow[] =>
  readNormalForm(edition.dataset, edition.source!, content);

const linesOf = (content: Buffer): string[] => content.toString("latin1").trimEnd().split("\r\n");

function fixedWidth(rows: readonly NormalRow[], columns: number): string {
  const lines = rows.map((row) =>
    blzSourceColumns
      .slice(0, columns)
      .map(({ maxLength }, place) => row[place]!.padEnd(maxLength))
      .join(""),
  );
  return `${lines.join("\r\n")}\r\n`;
}

function officialCsv(rows: readonly NormalRow[]): string {
  const head = blzSourceColumns.slice(0, 13).map(({ heading }) => heading);
  const lines = rows.map((row) => row.slice(0, 13).map((value) => (value === "" ? "" : `"${value}"`)));
  return `${[head, ...lines].map((cells) => cells.join(";")).join("\r\n")}\r\n`;
}

function xml(rows: readonly NormalRow[], validFrom: string, validTill: string): string {
  const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const entries = rows.map((row) => {
    const elements = blzSourceColumns.slice(0, 13).flatMap(({ element }, place) => {
      const value = element === "DsNr" ? String(Number(row[place])) : row[place]!;
      return value === "" ? [] : [`<${element}>${escaped(value)}</${element}>`];
    });
    return `<BLZEintrag>${elements.join("")}</BLZEintrag>`;
  });
  const head = `<FileHdr><SndgInst>MARKDEFF</SndgInst><ValidFrom>${validFrom}</ValidFrom><ValidTill>${validTill}</ValidTill></FileHdr>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:BBk:BLZ:xsd:BLZDat">${head}\n${entries.join("\n")}\n</Document>\n`;
}

test("the file of 174 columns is reproduced byte for byte, with published rules", { skip }, async () => {
  const source = officialFile("blz-174-2025-09-08.txt");
  const prepared = await folder.import(source);
  const rows = rowsOf(prepared);
  assert.equal(prepared.rows, 14_101);
  assert.equal(prepared.difference.after, 3_513);
  assert.equal(prepared.unknownMethods.size, 0);
  assert.equal(fixedWidth(rows, 14), source.content.toString("latin1"));
  assert.ok(rows.every((row) => row[14] === "P"));
});

test("the later file of 168 columns has the right difference and keeps known rules", { skip }, async () => {
  const source = officialFile("blz-168-2026-03-09.txt");
  const prepared = await folder.import(source);
  const rows = rowsOf(prepared);
  assert.equal(fixedWidth(rows, 13), source.content.toString("latin1"));
  assert.equal(prepared.base?.validFrom, "2025-09-08");

  const main = (content: Buffer) =>
    new Map(
      linesOf(content)
        .filter((line) => line[8] === "1")
        .map((line) => [line.slice(0, 8), line]),
    );
  const [old, fresh] = [main(officialFile("blz-174-2025-09-08.txt").content), main(source.content)];
  const { added, removed, changed, changedKeys } = prepared.difference;
  const without = (one: typeof old, other: typeof old) => [...one.keys()].filter((blz) => !other.has(blz));
  assert.deepEqual([added, removed], [without(fresh, old), without(old, fresh)]);
  const counted = (from: number, to: number) =>
    [...fresh].filter(([blz, line]) => old.has(blz) && old.get(blz)!.slice(from, to) !== line.slice(from, to))
      .length;
  for (const [column, from, to] of [
    ["Bezeichnung", 9, 67],
    ["PLZ", 67, 72],
    ["Ort", 72, 107],
    ["Kurzbezeichnung", 107, 134],
    ["PAN", 134, 139],
    ["BIC", 139, 150],
    ["Bankleitzahllöschung", 159, 160],
    ["Nachfolge-Bankleitzahl", 160, 168],
  ] as const)
    assert.equal(changed.get(column)?.length ?? 0, counted(from, to), column);
  assert.deepEqual(changed.get("Prüfzifferberechnungsmethode"), [
    { key: "50850150", before: "06", after: "09" },
  ]);
  assert.ok(!changed.has("IBAN-Regel"));
  assert.ok(changedKeys.length >= counted(9, 67));

  assert.deepEqual([prepared.rulesKept, prepared.rulesUnknown], [3_504, 2]);
  const rule = (blz: string) => rows.find((row) => row[0] === blz)!.slice(13);
  assert.deepEqual(rule("10000000"), ["004201", "P"]);
  assert.deepEqual(rule("50215500"), ["", ""]);
});

test("the CSV form is reproduced byte for byte in each encoding, with CRLF and LF", { skip }, async () => {
  const { name, content } = officialFile("blz-csv-2025-06-09.csv");
  const text = content.toString("latin1");
  const prepared = await folder.import({ name, content });
  const rows = rowsOf(prepared);
  assert.equal(prepared.encoding, "ISO-8859-1");
  assert.equal(officialCsv(rows), text);
  const utf8 = await folder.import({ name, content: Buffer.from(`\ufeff${text.replaceAll("\r\n", "\n")}`) });
  assert.equal(utf8.encoding, "UTF-8");
  assert.deepEqual(utf8.difference.changedKeys, []);
  assert.equal(officialCsv(rowsOf(utf8)), text);
});

test("the XML form has the content of the other forms, and its own days", { skip }, async () => {
  const rows = rowsOf(await folder.import(officialFile("blz-168-2026-03-09.txt")));
  const written = xml(rows, "2026-03-09", "2026-06-07");
  const content = Buffer.from(written.replace("<Ort>Berlin</Ort>", "<Ort><![CDATA[Berlin]]></Ort>"));
  const prepared = await folder.import({ name: "blz-aktuell-xml-data.xml", content });
  assert.deepEqual(rowsOf(prepared), rows);
  assert.deepEqual([prepared.edition.validFrom, prepared.edition.validUntil], ["2026-03-09", "2026-06-07"]);
  assert.equal((await loadBankData(folder.path, "2026-03-09")).validUntil, "2026-06-07");
  const reversed = Buffer.from(xml(rows.slice(0, 1), "2026-03-09", "2026-03-08"));
  await folder.refuses({ name: "blz.xml", content: reversed }, /last day, 2026-03-08, is before its first/);
  const open = written.replace(/<ValidTill>.*<\/ValidTill>/, "");
  const given = { validFrom: "2026-03-09", validUntil: "2026-06-07" };
  const { edition } = await folder.import({ name: "blz.xml", content: Buffer.from(open), validity: given });
  assert.equal(edition.validUntil, given.validUntil);
});

test("the clearing directory has the flags of all 4,711 BICs and its own day", { skip }, async () => {
  const source = officialFile(scl);
  const prepared = await folder.import({ name: "any.csv", content: source.content });
  assert.equal(prepared.edition.validFrom, "2026-05-25");
  const entries = readSclCsv("scl.csv", prepared.content);
  const expected = linesOf(source.content)
    .slice(2)
    .map((line) => {
      const [bic, name, ...services] = line.split(";");
      const [sct, sdd, , b2b, scc] = services.map(Number);
      return { bic, name: name!.trim(), sct, sdd, b2b, scc };
    });
  assert.equal(expected.length, 4_711);
  assert.deepEqual(entries, expected);
});

test("the Austrian list replaces the Austrian banks and no others", { skip }, async () => {
  const source = officialFile("oenb-at-2025-07.csv");
  const prepared = await folder.import(source);
  const rows = rowsOf(prepared);
  const austrian = rows.filter(([country]) => country === "AT");
  assert.deepEqual([austrian.length, rows.length], [871, 871]);
  assert.equal(prepared.edition.dataset, "oenb");
  const former = ({ country, name }: { country: string; name: string }) =>
    country === "AT" && name.endsWith("(former)");
  const closed = shippedRows("banks.csv").filter(former);
  const { difference, suspicion } = prepared;
  // No issuer lists closed banks: that they are gone is not suspicious.
  assert.deepEqual([difference.added, difference.removed, suspicion], [[], [], undefined]);
  const expected = linesOf(source.content)
    .slice(1)
    .map((line) => {
      const cells = line.split(";").map((cell) => cell.trim());
      return [cells[2]!.padStart(5, "0"), cells[19], cells[6], cells[8], cells[9]];
    });
  const found = austrian.map((row) => [row[1], row[3], row[4], row[6], row[7]]);
  // By code, which is the first cell.
  assert.deepEqual(found, expected.sort());
  const { directory, lists } = await loadBankData(folder.path, "2026-11-21");
  assert.deepEqual(directory.edition.lists, { AT: "2025-07" });
  const listed = lists.map(({ country, dataset, edition, rows }) => [country, dataset, edition, rows].join());
  assert.ok(listed.includes("AT,oenb,2025-07,871") && listed.includes("BE,banks,2026-01-01,818"));
  const shipped = shippedRows("blz.csv").length + shippedRows("banks.csv").length;
  assert.equal(directory.size, shipped - closed.length);
});

test("a scheme register is taken by the scheme in its name and the day given", { skip }, async () => {
  const source = officialFile("epc-sct-2022.csv");
  await assert.rejects(folder.import(source), /line 1: .*--valid-from/);
  const prepared = await folder.import({ ...source, validity: { validFrom: "2022-09-25" } });
  const rows = rowsOf(prepared);
  assert.equal(prepared.edition.dataset, "epc-sct");
  assert.equal(rows.length, 3_797);
  assert.equal(rows.filter((row) => row[6] !== "").length, 7);
  assert.deepEqual(rows[1]!.slice(4, 7), ["BSANADADXXX", "2019-03-04", "2022-10-31"]);
});

test("more than 2 % of the codes gone is suspicious, 2 % is not", { skip }, async () => {
  const target = new ImportFolder();
  const rows = linesOf(officialFile(scl).content);
  const of = (count: number, day: string) => {
    const lines = [rows[0]!.replace("25.05", day), ...rows.slice(1, 2 + count), ""];
    return { name: "scl.csv", content: Buffer.from(lines.join("\r\n"), "latin1") };
  };
  assert.equal((await target.import(of(100, "25.05"))).suspicion, undefined);
  assert.equal((await prepareImport(target.path, of(98, "26.05"))).suspicion, undefined);
  const { suspicion = "" } = await prepareImport(target.path, of(97, "26.05"));
  assert.match(suspicion, /^3 of the 100 entries.*more than 2 %/);
});
