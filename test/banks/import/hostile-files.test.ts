import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { prepareImport } from "../../../src/banks/import/import-file.ts";
import { readSourceText, type SourceText } from "../../../src/banks/import/source-text.ts";
import { ImportFolder, validity } from "./import-folder.ts";
import { exampleOf, newForms } from "./new-forms.ts";
import { workbook } from "./workbook.ts";

const folder = new ImportFolder();

/** Writes lines as UTF-8, or as a workbook where the form is one. */
function write({ encoding }: SourceText, lines: readonly string[]): Buffer {
  if (encoding === "Excel workbook") return workbook(lines.map((line) => line.split("\t")));
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(""));
}

/** Damages to a whole file or to part of it; each makes a file of every form invalid. */
const damages: Readonly<Record<string, (source: SourceText) => Buffer>> = {
  "no bytes": () => Buffer.alloc(0),
  "blanks and line ends": () => Buffer.from("   \r\n \t \r\n"),
  "a byte order mark": () => Buffer.from("\ufeff"),
  "a byte order mark of UTF-16": () => Buffer.from([0xff, 0xfe]),
  "UTF-16 cut within a character": ({ lines }) =>
    Buffer.concat([Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le"), Buffer.from("A")]),
  "UTF-16 in the other byte order": ({ lines }) =>
    Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le").swap16(),
  "an error page": ({ lines }) =>
    Buffer.from(`<!DOCTYPE html>\n<html><title>503</title><body>${lines[0]}</body></html>\n`),
  "a page before the file": ({ lines }) => Buffer.from(["<html><body>", ...lines.slice(1)].join("\n")),
  JSON: ({ lines }) => Buffer.from(JSON.stringify({ rows: lines })),
  "an archive cut off": () => Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
  "gzip cut off": (source) => gzipSync(write(source, source.lines)).subarray(0, 30),
  "random bytes": () => Buffer.from("ff00fe81c3".repeat(500), "hex"),
  "a zero byte in a name": (source) => changed(source, "Testbank", "Test\0bank"),
  "a letter that was lost": (source) => changed(source, "Testbank", "T\ufffdstbank"),
  "letters encoded twice": (source) => changed(source, "Testbank", "TÃ¤stbank"),
  "a name of a million letters": (source) => changed(source, "Testbank", "T".repeat(1_000_000)),
  "a BIC of nine characters": (source) => changed(source, /TEST([A-Z]{2}[A-Z0-9]{2})(XXX)?/, "TEST$1X"),
  "a BIC of no country": (source) => changed(source, /TEST[A-Z]{2}/, "TESTQQ"),
};

/** Changes the last line that has the text; a file without it is made a page. */
function changed(source: SourceText, from: string | RegExp, to: string): Buffer {
  const place = source.lines.findLastIndex((line) => line.search(from) >= 0);
  if (place < 0) return damages["an error page"]!(source);
  return write(source, source.lines.with(place, source.lines[place]!.replace(from, to)));
}

const sources = await Promise.all(newForms.map(({ name, content }) => readSourceText(name, content)));

for (const [form, { name, dataset }] of newForms.entries()) {
  describe(`a file of the form of ${name} (${dataset}, ${form + 1})`, () => {
    const source = sources[form]!;
    for (const [what, damage] of Object.entries(damages)) {
      test(`${what} in its place is refused with line and reason`, () =>
        folder.refuses({ name, content: damage(source), validity }, /./));
    }
  });
}

test("XML that is broken is refused with its line", async () => {
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

test("a file compressed with gzip, or alone in an archive, macOS's too, is read as the file it holds", async () => {
  const { name, content } = exampleOf("cnb");
  const files = { [name]: new Uint8Array(content), [`__MACOSX/._${name}`]: new Uint8Array(1) };
  const archives = { [`${name}.gz`]: gzipSync(content), "a.zip": Buffer.from(zipSync(files)) };
  for (const [packed, bytes] of Object.entries(archives)) {
    const prepared = await prepareImport(folder.path, { name: packed, content: bytes });
    assert.equal(prepared.edition.dataset, "cnb");
  }
});

test("an archive in an archive is refused, so that one that contains itself is read once", async () => {
  const { name, content } = exampleOf("cnb");
  const inner = zipSync({ [name]: new Uint8Array(content) });
  await prepareImport(folder.path, { name: "a.zip", content: Buffer.from(inner) });
  const outer = Buffer.from(zipSync({ "a.zip": inner }));
  await folder.refuses({ name: "b.zip", content: outer }, /a.zip, line 1: it is an archive within/);
  await folder.refuses({ name: "b.gz", content: gzipSync(gzipSync(content)) }, /neither UTF-8/);
});

test("an archive with a password, or packed by a method that is not known, is refused", async () => {
  const { content } = exampleOf("cnb");
  const packed = Buffer.from(zipSync({ "kody_2026-11-01.csv": new Uint8Array(content) }));
  const directory = packed.lastIndexOf("PK\x01\x02", undefined, "latin1");
  for (const [field, value, reason] of [
    [8, 1, /is encrypted; save it without a password$/],
    [10, 9, /unsupported compression method: 9$/],
  ] as const) {
    const changed = Buffer.from(packed);
    changed.writeUInt16LE(value, directory + field);
    await folder.refuses({ name: "kody.zip", content: changed }, reason);
  }
});

test("a line break in a cell of a workbook is a blank", async () => {
  const { name, content } = exampleOf("nbb");
  const broken = changed(await readSourceText(name, content), "Testbank", "Testbank\n");
  const prepared = await prepareImport(folder.path, { name, content: broken });
  assert.match(prepared.content.toString(), /;Testbank & Zoon;/);
});
