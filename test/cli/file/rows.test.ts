import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { blocksOf, type RowBlock } from "../../../src/cli/file/blocks.ts";
import { CsvRows } from "../../../src/rows/csv-rows.ts";
import { decoded, encoded } from "../../../src/rows/encoding.ts";
import { JsonRows } from "../../../src/rows/json-rows.ts";
import type { RowParser } from "../../../src/rows/rows.ts";
import { collect } from "../../client/collect.ts";

async function* cut(text: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield text.subarray(at, at + size);
    at += size;
  }
}

const blocks = (parser: RowParser, text: Buffer, sizes: readonly number[]): Promise<RowBlock[]> =>
  collect(blocksOf(cut(text, sizes), parser, { offset: 0, row: 1, line: 1 }, createHash("sha256")));

/** Blocks without their digests, which cannot be compared. */
const plain = (all: readonly RowBlock[]) => all.map(({ prefix: _, ...block }) => block);
const digestOf = ({ prefix }: RowBlock) => prefix.copy().digest("hex");

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
        const [block, ...others] = await blocks(new CsvRows({ delimiter: ";", lineBreak }), text, cuts);
        assert.deepEqual(others, []);
        assert.equal(block?.end, text.length);
        assert.deepEqual(
          block?.rows.map((row) => row.fields.map((field) => decoded(field, "utf-8"))),
          table,
        );
        assert.deepEqual(
          block?.rows.map((row) => decoded(row.text, "utf-8")),
          written,
        );
      },
    ),
    { numRuns: 200 },
  );
});

test("a block has 2,000 rows, and reading from its end returns the blocks after it", async () => {
  const parser = new CsvRows({ delimiter: ",", lineBreak: "\n" });
  const text = Buffer.from(Array.from({ length: 5_000 }, (_, number) => `${number},"a\n"\n`).join(""));
  const all = await blocks(parser, text, [1_000]);
  assert.deepEqual(
    all.map(({ rows, nextRow }) => [rows.length, nextRow]),
    [
      [2_000, 2_001],
      [2_000, 4_001],
      [1_000, 5_001],
    ],
  );
  const [first, ...others] = all;
  const { end: offset = 0 } = first ?? {};
  const line = first?.nextLine ?? 0;
  assert.equal(line, 4_001);
  const prefix = createHash("sha256").update(text.subarray(0, offset));
  const rest = await collect(
    blocksOf(cut(text.subarray(offset), [77]), parser, { offset, row: 2_001, line }, prefix),
  );
  assert.deepEqual(plain(rest), plain(others));
  assert.deepEqual(rest.map(digestOf), others.map(digestOf));
  assert.equal(digestOf(rest.at(-1)!), createHash("sha256").update(text).digest("hex"));
});

test("blocks of long rows are cut short, at the same places wherever reading begins", async () => {
  const parser = new CsvRows({ delimiter: ",", lineBreak: "\n" });
  const text = Buffer.from(`1,${"x".repeat(9_997)}\n`.repeat(60));
  const all = await blocks(parser, text, [4_096]);
  assert.deepEqual(
    all.map(({ rows }) => rows.length),
    [27, 27, 6],
  );
  const offset = all[0]?.end ?? 0;
  const begin = { offset, row: 28, line: 28 };
  const rest = blocksOf(cut(text.subarray(offset), [65_536]), parser, begin, createHash("sha256"));
  assert.deepEqual(plain(await collect(rest)), plain(all.slice(1)));
});

test("NDJSON is read line by line, with or without an end of the last one", async () => {
  const text = Buffer.from('{"a":"ä\\n"}\r\n\n {"b":{"c":1}}');
  const [block] = await blocks(new JsonRows(["a", "b", "b.c"]), text, [3]);
  assert.deepEqual(
    block?.rows.map(({ fields }) => fields.map((field) => decoded(field, "utf-8"))),
    [["ä\n", "", ""], [], ["", '{"c":1}', "1"]],
  );
  assert.equal(block?.end, text.length);
});

test("a row that cannot be read ends with its line, is reported with its number, and the next one is read", async () => {
  const long = `${"x".repeat(600_000)}\n`;
  const text = Buffer.from(
    ['a;"b\nc"\n', '1;"b" c\n', "2;x;y\n", "3;x;;\n", `4;"${long}${long}`, "5;x\n", '6;"open'].join(""),
  );
  for (const cuts of [[1_000_000], [4_096], [65_536, 7]]) {
    const all = await blocks(new CsvRows({ delimiter: ";", lineBreak: "\n" }, 2), text, cuts);
    const rows = all.flatMap((block) => block.rows);
    assert.deepEqual(
      rows.map(({ fields, fault }) => fault?.line ?? fields[0]?.slice(0, 2)),
      ["a", 3, 4, "3", 6, "xx", "5", 9],
      String(cuts),
    );
    assert.deepEqual(
      rows.flatMap(({ fault }) => (fault === undefined ? [] : [fault.message])),
      [
        "its quotes are wrong",
        "it has 3 fields instead of 2",
        "its quotes are wrong",
        "its quotes are wrong",
      ],
    );
  }
});

test("text after a closing quote is a fault at once, so that no later row is read for it", () => {
  const parser = new CsvRows({ delimiter: ";", lineBreak: "\n" });
  const found: unknown[] = [];
  const take = (fields: readonly string[], begin: number, _end: number, _next: number, fault?: string) => {
    found.push(fault === undefined ? fields : begin);
    return undefined;
  };
  const text = '1;"a\n2;"b\n3;"c\n';
  assert.equal(parser.parse(text, false, take), text.indexOf("3"));
  assert.deepEqual(found, [0, 5]);
  found.length = 0;
  assert.equal(parser.parse('a;" b ""c""" \t;x"y\n"d"', false, take), 19);
  assert.deepEqual(found, [["a", ' b "c"', 'x"y']]);
  assert.equal(parser.parse('"d" ', true, take), 4);
  assert.deepEqual(found[1], ["d"]);
});

test("a line longer than 1 MB is a row that cannot be read, of which the beginning is kept", async () => {
  const endless = `ü${"x".repeat(2_500_000)}`;
  const parser = new CsvRows({ delimiter: ";", lineBreak: "\r\n" }, 2);
  const text = Buffer.from(`a;b\r\n${endless}\r\n"c";d\r\n${endless}`);
  const fault = "it is longer than 1 MB; its first 1,000 bytes are kept";
  for (const cuts of [[65_536], [70_001, 3]]) {
    const all = await blocks(parser, text, cuts);
    const rows = all.flatMap((block) => block.rows);
    assert.deepEqual(
      rows.map((row) => row.fault ?? row.fields),
      [["a", "b"], { line: 2, message: fault }, ["c", "d"], { line: 4, message: fault }],
    );
    assert.deepEqual(
      rows.map((row) => row.text.length),
      [3, 1_000, 5, 1_000],
    );
    assert.equal(all.at(-1)?.end, text.length);
    assert.equal(digestOf(all.at(-1)!), createHash("sha256").update(text).digest("hex"));
  }
  const characters = Buffer.from(`a;b\n${"ü".repeat(2_000_000)}\n`);
  const [, broken] = (
    await blocks(new CsvRows({ delimiter: ";", lineBreak: "\n" }), characters, [65_536])
  ).flatMap((block) => block.rows);
  assert.equal(decoded(broken?.text ?? "", "utf-8"), "ü".repeat(499));
});

test("a line of NDJSON that is not an object is a row that cannot be read", async () => {
  const parser = new JsonRows(["a"], { known: ["a"] });
  const [block] = await blocks(parser, Buffer.from('{"a":1}\n{broken\n[1]\n{"b":2}\n'), [7]);
  assert.deepEqual(
    block?.rows.map(({ fault }) => fault?.message),
    [
      undefined,
      "it is not a JSON object",
      "it is not a JSON object",
      'it has the key "b", which none of the first 100 rows has',
    ],
  );
});

test("text survives the way through bytes; bytes that are not UTF-8 are read as Windows-1252", () => {
  for (const text of ["", "plain", "Köln", "€", "日本", "🙂"]) {
    assert.equal(decoded(encoded(text), "utf-8"), text);
    assert.equal(decoded(encoded(text), undefined), text);
  }
  assert.equal(decoded("K\u00f6ln", undefined), "Köln");
  assert.equal(decoded("\u0080\u00fc", "latin-1"), "€ü");
  assert.equal(decoded(encoded("ö"), "latin-1"), "Ã¶");
});
