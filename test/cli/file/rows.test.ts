import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { blocksOf, type RowBlock } from "../../../src/cli/file/blocks.ts";
import { message, textOf } from "../../../src/contract/message.ts";
import { fieldsOfRow, rowsIn } from "../../../src/rows/csv-rows.ts";
import { CsvScanner } from "../../../src/rows/csv-scanner.ts";
import { decoded } from "../../../src/rows/encoding.ts";
import { JsonRows } from "../../../src/rows/json-rows.ts";
import type { RowFinder } from "../../../src/rows/rows.ts";
import { collect } from "../../client/collect.ts";
import { pluck } from "../../support/pluck.ts";

async function* cut(text: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield text.subarray(at, at + size);
    at += size;
  }
}

const csv = (lineBreak: "\n" | "\r\n" = "\n", width?: number) =>
  new CsvScanner({ delimiter: ";", lineBreak }, width);
const start = { offset: 0, row: 1, line: 1 };

function blocks(
  finder: RowFinder,
  text: Buffer,
  sizes: readonly number[],
  position = start,
  prefix = createHash("sha256"),
): Promise<RowBlock[]> {
  const columns = [0, 1, 2, 3];
  return collect(blocksOf(cut(text, sizes), { finder, columns, keepsFields: true }, position, prefix));
}

/** The rows of blocks as they are in the file, each with its fields, which are those that are sent, or its fault. */
function rowsOf(all: readonly RowBlock[]) {
  return all.flatMap(({ rows, fields: sent }) => {
    let filled = 0;
    return rows.map(({ text, count, fields, fault }) => {
      const own = count === 0 ? [] : sent.slice(4 * filled, 4 * filled++ + count);
      assert.deepEqual(own, fields);
      return { text: decoded(text, "utf-8"), fields: own.map((field) => decoded(field, "utf-8")), fault };
    });
  });
}

const cell = fc.oneof(
  fc.constantFrom("", "ä", "DE89", '"', '""', "\n", "\r\n", ";"),
  fc.string({ maxLength: 5 }),
);
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

test("CSV is read the same however it is cut into chunks, and its rows are the file without the line ends", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      sizes,
      async (table, lineBreak, cuts) => {
        const written = table.map((cells) =>
          cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(";"),
        );
        const text = Buffer.from(written.join(lineBreak) + lineBreak);
        const all = await blocks(csv(lineBreak), text, cuts);
        const rows = rowsOf(all);
        assert.equal(all.at(-1)?.next.offset, text.length);
        assert.deepEqual(pluck(rows, "fields"), table);
        assert.deepEqual(pluck(rows, "text"), written);
      },
    ),
    { numRuns: 200 },
  );
});

test("reading from the end of a block returns the rows after it", async () => {
  const text = Buffer.from(Array.from({ length: 5_000 }, (_, number) => `${number};"a\n"\n`).join(""));
  const all = await blocks(csv(), text, [1_000]);
  const [first, ...others] = all;
  const { offset, row, line } = first!.next;
  assert.equal(line, 2 * row - 1);
  const prefix = createHash("sha256").update(text.subarray(0, offset));
  const rest = await blocks(csv(), text.subarray(offset), [77], { offset, row, line }, prefix);
  assert.deepEqual(rowsOf(rest), rowsOf(others));
  const last = rest.at(-1)!;
  assert.deepEqual(last.next, { offset: text.length, row: 5_001, line: 10_001 });
  assert.equal(last.prefix, createHash("sha256").update(text).digest("hex"));
});

test("NDJSON is read line by line, with or without an end of the last one", async () => {
  const text = Buffer.from('\n{"a":"ä\\n"}\r\n\n {"b":{"c":1}}');
  const all = await blocks(new JsonRows(["a", "b", "b.c"]), text, [3]);
  assert.deepEqual(pluck(rowsOf(all), "fields"), [[], ["ä\n", "", ""], [], ["", '{"c":1}', "1"]]);
  assert.equal(all.at(-1)?.next.offset, text.length);
});

test("a row that cannot be read ends with its line, is reported with its number, and the next one is read", async () => {
  const long = `${"x".repeat(600_000)}\n`;
  const text = Buffer.from(
    ['a;"b\nc"\n', '1;"b" c\n', "2;x;y\n", "3;x;;\n", `4;"${long}${long}`, "5;x\n", '6;"open'].join(""),
  );
  for (const cuts of [[1_000_000], [65_536, 7]]) {
    const rows = rowsOf(await blocks(csv("\n", 2), text, cuts));
    const found = rows.map(({ fields, fault }) => fault?.params?.["line"] ?? fields[0]?.slice(0, 2));
    assert.deepEqual(found, ["a", 3, 4, "3", 6, "xx", "5", 9], String(cuts));
    const faults = rows.flatMap(({ fault }) => fault?.id ?? []);
    assert.deepEqual(faults, ["row_quotes", "row_fields", "row_quotes", "row_quotes"]);
  }
});

test("the short rows that a quote without an end has held back come in blocks that are made when they are asked for", async () => {
  const text = Buffer.from(`"open;x\n${";;\n".repeat(400_000)}`);
  const prefix = createHash("sha256");
  const lengths: number[] = [];
  const all = blocksOf(
    cut(text, [65_536]),
    { finder: csv("\n", 2), columns: [1], keepsFields: false },
    start,
    prefix,
  );
  let last: RowBlock | undefined;
  for await (const block of all) {
    lengths.push(block.rows.length);
    last = block;
    assert.equal(prefix.copy().digest("hex"), block.prefix, "nothing has been read ahead");
  }
  assert.equal(Math.max(...lengths), 16_384);
  assert.deepEqual(last?.next, { offset: text.length, row: 400_002, line: 400_002 });
});

/** The rows of a text by one scanner: the fields of each, or its fault. */
function scanned(scanner: CsvScanner, text: string, isLast = true): unknown[] {
  const found: unknown[] = [];
  const codes = Uint16Array.from(text, (character) => character.charCodeAt(0));
  let [at, lines] = [0, 0];
  for (; at < text.length && scanner.scan(codes, at, text.length, isLast); at = scanner.next) {
    found.push(scanner.fault?.(1).id ?? scanner.fields(text));
    lines += scanner.lines;
    assert.match(text.slice(scanner.end, scanner.next), /^(?:\r?\n|\r|)$/, "only the line break is left out");
  }
  const begun = text.slice(0, at).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (scanner.lineBreak === "\n") assert.equal(lines, begun.length);
  return found;
}

test("rows and fields are separated as the programs that write CSV mean them", () => {
  for (const [text, rows, delimiter = ";", lineBreak = "\n"] of [
    ['a;" b ""c""" \t;x"y\n"d" ', [["a", ' b "c"', 'x"y'], ["d"]]],
    ['a;b""c\n', [["a", 'b""c']]],
    ["a;b\r\nc;\r\n;\n\n", [["a", "b"], ["c", ""], ["", ""], []]],
    ['"a"\t"b\nc"\n', [["a", "b\nc"]], "\t"],
    ["a\rb;c\nd\r\ne\r\n", [["a\rb", "c\nd"], ["e"]], ";", "\r\n"],
    ["a;\r\rb", [["a", ""], [], ["b"]], ";", "\r"],
    ['1;"a\n2;"b\n3', ["row_quotes", "row_quotes", ["3"]]],
    // The codes of these letters end with those of a line feed, a quote and a semicolon.
    ["Ċ;ȢȻ\n", [["Ċ", "ȢȻ"]]],
  ] as const) {
    assert.deepEqual(scanned(new CsvScanner({ delimiter, lineBreak }), text), rows, text);
  }
});

test("a row is only as long as allowed, and not whole before its end is known", () => {
  const short = () => new CsvScanner({ delimiter: ";", lineBreak: "\n" }, 2, 10);
  assert.deepEqual(scanned(short(), "1234567890\n12345678901\n1;2;\n1;2;3\n"), [
    ["1234567890"],
    "row_long",
    ["1", "2", ""],
    "row_fields",
  ]);
  assert.deepEqual(scanned(short(), '"12345678901";2\n3\n'), ["row_quotes", ["3"]]);
  for (const text of ["12", '"12', '"1" 2', "123456789012"])
    assert.deepEqual(scanned(short(), text, false), []);
  const row = short();
  scanned(row, "a;b");
  assert.deepEqual([row.field("a;b", 1), row.field("a;b", 2)], ["b", ""]);
  assert.equal(row.combined, 0x61 | 0x62);
  scanned(row, '"a"');
  assert.ok(row.combined > 0x7f, "a row with quotes is read field by field");
  assert.deepEqual(fieldsOfRow('a;"b;c";""', ";"), ["a", "b;c", ""]);
  assert.deepEqual(fieldsOfRow("a;b", ";"), ["a", "b"]);
});

test("text is read by its characters, as far as its rows are whole", () => {
  const rows = [...rowsIn({ delimiter: ";", lineBreak: "\n" }, "Ċ;ȢȻ\nä\nb", false)];
  assert.deepEqual(pluck(rows, "fields"), [["Ċ", "ȢȻ"], ["ä"]]);
  assert.deepEqual(pluck(rows, "next"), [5, 7]);
});

test("a line longer than 1 MB is a row that cannot be read, of which the beginning is kept", async () => {
  const endless = `ü${"x".repeat(2_500_000)}`;
  const text = Buffer.from(`a;b\r\n${endless}\r\n"c";d\r\n${endless}`);
  const cutAt = (line: number) => message("row_cut", { line, kept: "1,000" });
  const readIn = (all: readonly RowBlock[]) => rowsOf(all).map((row) => row.fault ?? row.fields);
  for (const cuts of [[65_536], [70_001, 3]]) {
    const all = await blocks(csv("\r\n", 2), text, cuts);
    assert.deepEqual(readIn(all), [["a", "b"], cutAt(2), ["c", "d"], cutAt(4)]);
    assert.deepEqual(pluck(pluck(rowsOf(all), "text"), "length"), [3, 999, 5, 999]);
    assert.equal(all.at(-1)?.next.offset, text.length);
    assert.equal(all.at(-1)!.prefix, createHash("sha256").update(text).digest("hex"));
  }
  const json = Buffer.from(`{"a":1}\n{"a":"${"x".repeat(2_500_000)}"}\n{"a":2}\n`);
  const objects = await blocks(new JsonRows(["a"]), json, [65_536]);
  assert.deepEqual(readIn(objects), [["1"], cutAt(2), ["2"]]);
  const characters = Buffer.from(`a;b\n${"ü".repeat(2_000_000)}\n`);
  const [, broken] = rowsOf(await blocks(csv(), characters, [65_536]));
  assert.equal(broken?.text, "ü".repeat(499));
});

test("a line of NDJSON that ends within a text keeps its last character", async () => {
  // The last bytes of these letters are white space as characters.
  const text = Buffer.from('{"a":"voilà \r\n{"a":"ПЁТР\n{"a":"à');
  const rows = rowsOf(await blocks(new JsonRows(["a"]), text, [7_001]));
  assert.deepEqual(pluck(rows, "text"), ['{"a":"voilà', '{"a":"ПЁТР', '{"a":"à']);
});

test("a line of NDJSON that is not an object is a row that cannot be read", async () => {
  const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const digits = "1".repeat(20_000);
  const text = Buffer.from(`{"a":1}\n{broken\n[1]\n{"b":2}\n${deep}\n{"a":${digits}}\n{"a":${digits}.}\n`);
  const before = process.cpuUsage();
  const rows = rowsOf(await blocks(new JsonRows(["a"], undefined, ["a"]), text, [7_001]));
  // A search from each digit took 8 s.
  assert.ok(process.cpuUsage(before).user < 4_000_000);
  assert.deepEqual(
    rows.map(({ fields, fault }) => [...fields, fault && textOf(fault, "en")]),
    [
      ["1", undefined],
      ["Line 2 cannot be read: it is not a JSON object."],
      ["Line 3 cannot be read: it is not a JSON object."],
      ['Line 4 cannot be read: it has the key "b", which none of the first 100 rows has.'],
      ["Line 5 cannot be read: its values are nested too deeply."],
      [digits, undefined],
      ["Line 7 cannot be read: it is not a JSON object."],
    ],
  );
});
