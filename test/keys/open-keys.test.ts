import assert from "node:assert/strict";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { pino } from "pino";
import { createFirstKey, createKey, revokeKeys } from "../../src/keys/key-changes.ts";
import { readKeyFile } from "../../src/keys/key-file.ts";
import { digestOfKey } from "../../src/keys/key-table.ts";
import { type KeyWatch, watchKeys } from "../../src/keys/key-watch.ts";
import { newFolder } from "../support/folders.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = join(newFolder(), "state");
});

const now = new Date("2026-11-21T00:00:00Z");

async function openKeys(apiKeys: string): Promise<KeyWatch> {
  const keys = await watchKeys(apiKeys, stateDir, pino({ level: "silent" }));
  keys.close();
  return keys;
}

const isShown = async () => true;

test("with no key anywhere it is the first start, and a key is made, shown, and stored as its digest; later none is, even where all were revoked", async () => {
  assert.equal((await openKeys("")).isFirstStart, true);
  let shown = "";
  const firstKey = await createFirstKey(stateDir, now, async (key) => {
    assert.equal(await readKeyFile(stateDir), undefined, "it is not valid before it was shown");
    shown = key;
    return true;
  });
  assert.ok(firstKey);
  assert.equal(shown, firstKey);
  assert.deepEqual(await readKeyFile(stateDir), [
    { name: "first", sha256: digestOfKey(firstKey).toString("hex"), created: now.toISOString() },
  ]);
  const again = await openKeys("");
  assert.equal(again.isFirstStart, false);
  assert.equal(again.ring.holderOf(firstKey)?.name, "first");
  await revokeKeys(stateDir, "first");
  const { ring, isFirstStart } = await openKeys("");
  assert.deepEqual([ring.holderOf(firstKey), isFirstStart], [undefined, false]);
  assert.equal(await createFirstKey(stateDir, now, isShown), undefined);
});

test("one key under two names is refused, whether given or stored, and never repeated", async () => {
  const key = "0123456789abcdef";
  const message = new RegExp(`^(?!.*${key}).*names ci and ops have the same API key`);
  await assert.rejects(openKeys(`ci:${key},ops:${key}`), { name: "SettingError", message });
  const { ring } = await openKeys(`ci:${key},ci:${key}`);
  assert.equal(ring.holderOf(key)?.name, "ci");
  const made = await createKey(stateDir, "a", now, undefined);
  await assert.rejects(openKeys(`b:${made.key}`), /names a and b have the same API key/);
});

test("keys of the environment are added to those stored, and never stored themselves", async () => {
  const firstKey = await createFirstKey(stateDir, now, isShown);
  const { ring, isFirstStart } = await openKeys("ci:0123456789abcdef,ops:fedcba9876543210");
  assert.equal(isFirstStart, false);
  const holders = ["0123456789abcdef", "fedcba9876543210", firstKey!].map((key) => ring.holderOf(key)?.name);
  assert.deepEqual(holders, ["ci", "ops", "first"]);
  assert.equal((await readKeyFile(stateDir))?.length, 1);
});

test("processes that start at the same time make one key between them", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => createFirstKey(stateDir, now, isShown)));
  assert.equal(made.filter((key) => key !== undefined).length, 1);
  assert.equal((await readKeyFile(stateDir))?.length, 1);
});
