import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { prepareImport } from "../../../src/banks/import/import-file.ts";
import { sharedMissing } from "../../shared.ts";
import { ImportFolder, officialFile, officialHeads, undated, validity } from "./import-folder.ts";

const folder = new ImportFolder();
const skip = sharedMissing;
const scl = "scl-2026-05-25.csv";
const joined = (rows: readonly string[]) => Buffer.from(rows.join("\r\n"), "latin1");

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

test(
  "a published file with any byte changed, cut out or put in is read or refused, and never more",
  { skip },
  () =>
    folder.toleratesChanges([...officialHeads].map(([name, content]) => ({ name: undated(name), content }))),
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
  const content = officialHeads.get(scl)!;
  await target.import({ name: "one.csv", content });
  const manifest = () => JSON.parse(readFileSync(join(target.path, "manifest.json"), "utf8")).editions;
  const first = manifest();
  assert.deepEqual(
    first.map(({ dataset }: { dataset: string }) => dataset),
    ["blz", "banks", "scl"],
  );
  await target.import({
    name: "two.csv",
    content: Buffer.from(
      content.toString("latin1").replace(/^((?:[^\n]*\n){3}.*)1(;\d;\d;\d;\d)\r/, "$10$2\r"),
      "latin1",
    ),
  });
  const second = manifest();
  assert.deepEqual([second.length, second[2].source], [3, "two.csv"]);
  assert.notEqual(second[2].file, first[2].file);
  assert.throws(() => readFileSync(join(target.path, first[2].file)), /ENOENT/);
});
