import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { createKey, idOf, isValidAt, limitKeys, revokeKeys, rotateKeys } from "../../src/keys/key-changes.ts";
import { readKeyFile, type StoredKey } from "../../src/keys/key-file.ts";
import { digestOfKey } from "../../src/keys/key-table.ts";
import { newFolder } from "../support/folders.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = newFolder();
});

const now = new Date("2026-11-21T00:00:00Z");
const hour = 3_600_000;
const later = (ms: number) => new Date(now.getTime() + ms);
const stored = async (): Promise<readonly StoredKey[]> => (await readKeyFile(stateDir)) ?? [];
const create = (name: string, expires?: Date) => createKey(stateDir, name, now, expires);

test("created keys are stored together, digests only, several for one name", async () => {
  const made = [await create("a"), await create("a"), await create("b", later(hour))];
  const keys = await stored();
  assert.deepEqual(
    keys.map(({ name, sha256, expires }) => [name, sha256, expires]),
    made.map(({ key, stored: { name, expires } }) => [name, digestOfKey(key).toString("hex"), expires]),
  );
  assert.equal(keys[2]?.expires, later(hour).toISOString());
});

test("revoking takes one key by its id or all of a name, and nothing else", async () => {
  assert.deepEqual(await revokeKeys(stateDir, "a"), []);
  assert.deepEqual(readdirSync(stateDir), [], "the next start still makes the first key");
  const [first, second, other] = [await create("a"), await create("a"), await create("b")];
  assert.deepEqual(await revokeKeys(stateDir, idOf(first.stored)), [first.stored]);
  assert.deepEqual(await stored(), [second.stored, other.stored]);
  await create("a");
  assert.equal((await revokeKeys(stateDir, "a")).length, 2);
  assert.deepEqual(await stored(), [other.stored]);
  assert.deepEqual(await revokeKeys(stateDir, "a"), []);
  assert.deepEqual(await revokeKeys(stateDir, idOf(other.stored).slice(1)), []);
  assert.deepEqual(await stored(), [other.stored]);
});

test("rotating makes a key of the same name and lets the old ones end after the grace period", async () => {
  const old = await create("a");
  const shorter = await create("a", later(hour / 2));
  const expired = await create("a", later(-hour));
  const other = await create("b");
  const made = await rotateKeys(stateDir, "a", now, hour);
  assert.ok(made);
  assert.deepEqual(await stored(), [
    { ...old.stored, expires: later(hour).toISOString() },
    shorter.stored,
    expired.stored,
    other.stored,
    made.stored,
  ]);
  assert.equal(made.stored.name, "a");
  const [rotated] = await stored();
  assert.ok(isValidAt(rotated!, later(hour - 1)) && !isValidAt(rotated!, later(hour)));
});

test("a key made by rotation has the limits of the latest, and ends as asked or when the last of the old ones would", async () => {
  const limits = { maxConcurrent: 3, maxPerSecond: 70 };
  await create("a", later(3 * hour));
  await createKey(stateDir, "a", now, later(2 * hour), limits);
  const made = await rotateKeys(stateDir, "a", now, hour);
  const { sha256: _, ...rest } = made!.stored;
  const expires = later(3 * hour).toISOString();
  assert.deepEqual(rest, { name: "a", created: now.toISOString(), expires, ...limits });
  const asked = await rotateKeys(stateDir, "a", now, hour, later(9 * hour));
  assert.equal(asked?.stored.expires, later(9 * hour).toISOString());
  await create("a");
  assert.equal((await rotateKeys(stateDir, "a", now, hour))?.stored.expires, undefined, "one never ends");
});

test("limits are set for one key by its id or for all of a name, one absent stays, and one undefined is removed", async () => {
  const [first, second, other] = [await create("a"), await create("a"), await create("b")];
  assert.deepEqual(await limitKeys(stateDir, "unknown", { maxConcurrent: 1 }), []);
  assert.equal((await limitKeys(stateDir, "a", { maxConcurrent: 3, maxPerSecond: 70 })).length, 2);
  const limited = await limitKeys(stateDir, idOf(second.stored), { maxConcurrent: undefined });
  assert.equal(limited.length, 1);
  assert.deepEqual(await stored(), [
    { ...first.stored, maxConcurrent: 3, maxPerSecond: 70 },
    { ...second.stored, maxPerSecond: 70 },
    other.stored,
  ]);
});

test("rotating by id leaves the holder's other keys alone, and what is not there or has expired changes nothing", async () => {
  const expired = await create("b", later(-1));
  for (const name of ["b", "unknown"]) assert.equal(await rotateKeys(stateDir, name, now, hour), undefined);
  assert.deepEqual(await stored(), [expired.stored]);
  const [first, second] = [await create("a"), await create("a")];
  assert.ok(await rotateKeys(stateDir, idOf(first.stored), now, 0));
  const [, rotated, kept] = await stored();
  assert.equal(isValidAt(rotated!, now), false);
  assert.deepEqual(kept, second.stored);
});

test("changes made at the same time all arrive, and no lock is left behind", async () => {
  await Promise.all(Array.from({ length: 12 }, (_, index) => create(`k${index}`)));
  assert.equal(new Set((await stored()).map(({ name }) => name)).size, 12);
  assert.deepEqual(readdirSync(stateDir), ["keys.json"]);
});
