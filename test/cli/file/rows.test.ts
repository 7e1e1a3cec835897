import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CsvRows } from "../../../src/cli/file/csv-rows.ts";
import { JsonRows } from "../../../src/cli/file/json-rows.ts";
import { type Block, blocksOf, type RowParser } from "../../../src/cli/file/rows.ts";
import { decoded, encoded, encodingOf } from "../../../src/cli/file/text.ts";
import { collect } from "../../client/collect.ts";

async function* cut(text: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield text.subarray(at, at + size);
    at += size;
  }
}

const blocks = (parser: RowParser, text: Buffer, sizes: readonly number[]): Promise<Block[]> =>
  collect(blocksOf(cut(text, sizes), parser, { offset: 0, row: 1 }));

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

test("a block has 500 rows, and reading on from its end gives the blocks behind it", async () => {
  const parser = new CsvRows({ delimiter: ",", lineBreak: "\n" });
  const text = Buffer.from(Array.from({ length: 1_250 }, (_, number) => `${number},"a\n"\n`).join(""));
  const all = await blocks(parser, text, [1_000]);
  assert.deepEqual(
    all.map(({ rows, firstRow }) => [rows.length, firstRow]),
    [
      [500, 1],
      [500, 501],
      [250, 1_001],
    ],
  );
  const [first, ...others] = all;
  const { end: offset = 0 } = first ?? {};
  const rest = blocksOf(cut(text.subarray(offset), [77]), parser, { offset, row: 501 });
  assert.deepEqual(await collect(rest), others);
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
  const rest = blocksOf(cut(text.subarray(offset), [65_536]), parser, { offset, row: 28 });
  assert.deepEqual(await collect(rest), all.slice(1));
});

test("NDJSON is read line by line, whatever ends the last one", async () => {
  const text = Buffer.from('{"a":"ä\\n"}\r\n\n {"b":{"c":1}}');
  const [block] = await blocks(new JsonRows(["a", "b"], false), text, [3]);
  assert.deepEqual(
    block?.rows.map(({ fields }) => fields.map((field) => decoded(field, "utf-8"))),
    [["ä\n", ""], [], ["", '{"c":1}']],
  );
  assert.equal(block?.end, text.length);
});

test("text goes through bytes and back, and the encoding is told by it", () => {
  for (const text of ["", "plain", "Köln", "€", "日本", "🙂"]) {
    assert.equal(decoded(encoded(text), "utf-8"), text);
    assert.equal(encodingOf(encoded(text)), /^[ -~]*$/.test(text) ? undefined : "utf-8");
  }
  assert.equal(encodingOf("K\u00f6ln"), "latin-1");
  assert.equal(decoded("\u0080\u00fc", "latin-1"), "€ü");
  assert.equal(encodingOf(encoded("Köln €").slice(0, -1), true), "utf-8");
});
