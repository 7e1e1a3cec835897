import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { LmdbStore } from "../../src/usage/lmdb-store.ts";
import { addition, totalOf } from "./memory-store.ts";
import { keepsTheContract } from "./store-contract.ts";

// The store is the compiled one, since its thread cannot load TypeScript.
const compiled = new URL("../../.dist/src/usage/lmdb-store.js", import.meta.url).href;
const { LmdbStore: Store } = (await import(compiled)) as typeof import("../../src/usage/lmdb-store.ts");

let parent: string;
let folder: string;
let stores: LmdbStore[];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bankcheck-test-"));
  folder = join(parent, "state", "usage");
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(parent, { recursive: true, force: true });
});

function open(): LmdbStore {
  const store = new Store(folder);
  stores.push(store);
  return store;
}

keepsTheContract(async () => open());

test("folder and files are for their owner only", async () => {
  await open().add("w", 1, [addition("anna", "a1", 1)]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const file of ["data.mdb", "lock.mdb"]) {
    assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
  }
});

test("several processes add to the same store, and all of it adds up", async () => {
  const script = fileURLToPath(new URL("add-in-process.js", import.meta.url));
  const writers = ["u", "v", "w"];
  await Promise.all(
    writers.map((writer) => promisify(execFile)(process.execPath, [script, folder, writer, "100"])),
  );
  assert.equal(await totalOf(open(), "anna"), 300);
});

test("a file that is no whole LMDB file is refused and left alone, and the store works once it is mended", async () => {
  const store = open();
  await store.add(
    "w",
    1,
    Array.from({ length: 400 }, (_, index) => addition(`n${index}`, "k", 1)),
  );
  await store.close();
  const file = join(folder, "data.mdb");
  const whole = readFileSync(file);
  const damages: readonly (readonly [string, () => void])[] = [
    ["garbage", () => writeFileSync(file, "garbage ".repeat(10_000))],
    ["a few bytes", () => writeFileSync(file, "x")],
    ["the last page missing", () => truncateSync(file, whole.length - 4_096)],
    ["all but the first page missing", () => truncateSync(file, 4_096)],
    [
      "a folder in its place",
      () => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ];
  for (const [what, damage] of damages) {
    writeFileSync(file, whole);
    damage();
    const damaged = open();
    await assert.rejects(damaged.add("v", 1, [addition("anna", "a1", 1)]), /cannot be reached/, what);
    await assert.rejects(damaged.names(), /cannot be reached/, what);
    rmSync(file, { recursive: true });
    writeFileSync(file, whole);
    await damaged.add("v", 1, [addition("anna", "a1", 1)]);
    assert.equal(await totalOf(damaged, "anna"), 1, what);
    await damaged.close();
  }
});

test("a file in place of the folder is told by every call", async () => {
  mkdirSync(join(parent, "state"));
  writeFileSync(folder, "");
  const store = open();
  for (let call = 0; call < 2; call++) await assert.rejects(store.names(), /cannot be reached/);
});
