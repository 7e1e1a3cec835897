import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HeldBlocks } from "../../../src/cli/file/held-blocks.ts";
import { newFolder } from "../../support/folders.ts";

const folder = newFolder();

const block = (number: number, length: number) => Buffer.alloc(length, `${number};`);

test("blocks come back unchanged, whether they were held in memory or in a file, and however long", async () => {
  const held = new HeldBlocks(join(folder, "a"));
  const lengths = Array.from({ length: 60 }, (_, index) => [80_000, 0, 4_194_304, 4_500_000][index % 4]!);
  for (let round = 0; round < 2; round++) {
    const blocks = await Promise.all(lengths.map((length, index) => held.hold(block(index, length))));
    assert.deepEqual(readdirSync(folder), [], "the file has no name");
    for (const [index, take] of blocks.entries()) {
      assert.ok((await take()).equals(block(index, lengths[index]!)), `block ${index}`);
    }
  }
  await held.close();
});

test("places in the file are used again once their block was taken", async () => {
  const held = new HeldBlocks(join(folder, "b"));
  const first = await Promise.all(Array.from({ length: 40 }, (_, index) => held.hold(block(index, 9))));
  const waiting = [...first.entries()];
  for (let number = 40; number < 400; number++) {
    const [index, take] = waiting.shift()!;
    assert.equal((await take()).toString(), block(index, 9).toString());
    waiting.push([number, await held.hold(block(number, 9))]);
  }
  for (const [index, take] of waiting) assert.equal((await take()).toString(), block(index, 9).toString());
  await held.close();
});

test("the file of a killed run is removed", async () => {
  writeFileSync(join(folder, "d"), "old");
  await new HeldBlocks(join(folder, "d")).close();
  assert.deepEqual(readdirSync(folder), []);
});

test("where the file cannot be made, holding fails and closing does not", async () => {
  const held = new HeldBlocks(join(folder, "missing", "c"));
  const holding = Promise.all(Array.from({ length: 40 }, (_, index) => held.hold(block(index, 9))));
  await assert.rejects(holding, { code: "ENOENT" });
  await held.close();
});
