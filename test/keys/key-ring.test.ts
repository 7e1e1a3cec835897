import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { KeyRing } from "../../src/keys/key-ring.ts";
import { digestOfKey, type KeyEntry, newApiKey, tableOf } from "../../src/keys/key-table.ts";

const entry = (name: string, key: string): KeyEntry => ({ name, sha256: digestOfKey(key).toString("hex") });
const ringOf = (...keys: readonly string[]) =>
  new KeyRing(tableOf(keys.map((key, index) => entry(`holder-${index}`, key))));

test("a new key is 32 random bytes as base64url, each time others", () => {
  const keys = new Set(Array.from({ length: 100 }, newApiKey));
  assert.equal(keys.size, 100);
  for (const key of keys) assert.match(key, /^[\w-]{43}$/);
});

test("a digest is SHA-256 of the key's UTF-8", () => {
  for (const key of ["", "key", "schlüssel"]) {
    assert.deepEqual(digestOfKey(key), createHash("sha256").update(key, "utf8").digest());
  }
});

test("more keys than are remembered all work, and keys that differ in one character are distinguished", () => {
  const similar = Array.from({ length: 43 }, (_, at) => `${"k".repeat(at)}x${"k".repeat(42 - at)}`);
  const keys = [...Array.from({ length: 300 }, newApiKey), ...similar];
  const ring = ringOf(...keys);
  for (let round = 0; round < 3; round++) {
    for (const [index, key] of keys.entries()) {
      assert.equal(ring.holderOf(key)?.name, `holder-${index}`);
      assert.equal(ring.holderOf(`${key.slice(0, -1)}!`), undefined);
      assert.equal(ring.holderOf(`!${key.slice(1)}`), undefined);
    }
  }
});

test("what the key accepted last leaves behind never opens for another", () => {
  // Keys whose lengths or bytes meet in what is remembered: shorter, zero-padded, of two-byte characters.
  const texts = fc.oneof(
    fc.string({ maxLength: 140 }),
    fc.string({ unit: "binary", maxLength: 70 }),
    fc.constantFrom("a", "a\0", "a\0\0", "\0", ""),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(texts, { minLength: 1, maxLength: 4 }),
      fc.array(texts, { maxLength: 12 }),
      (keys, asked) => {
        const ring = ringOf(...keys);
        for (const key of [...asked, ...keys, ...asked, ...keys]) {
          const expected = keys.findIndex((known) => digestOfKey(known).equals(digestOfKey(key)));
          assert.equal(ring.holderOf(key)?.name, expected < 0 ? undefined : `holder-${expected}`);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("replaced keys open at once and those they replace do not, also the one accepted last; each key keeps a holder of its own", () => {
  const [old, kept, fresh] = [newApiKey(), newApiKey(), newApiKey()];
  const ring = new KeyRing(tableOf([entry("a", old), entry("a", kept)]));
  const [holder, other] = [ring.holderOf(old)!, ring.holderOf(kept)!];
  assert.deepEqual([holder.name, other.name], ["a", "a"]);
  assert.notEqual(holder, other);
  assert.match(holder.id, /^[0-9a-f]{16}$/);
  assert.equal(ring.isValid(ring.holderOf(old)!), true);
  ring.replace(tableOf([entry("a", kept), entry("b", fresh)]));
  assert.equal(ring.holderOf(old), undefined);
  assert.equal(ring.isValid(holder), false);
  assert.equal(ring.holderOf(kept), other);
  assert.equal(ring.holderOf(fresh)?.name, "b");
  ring.replace(tableOf([entry("a", kept), entry("a", old)]));
  assert.equal(ring.holderOf(old), holder, "the same as before");
  ring.replace(tableOf([]));
  for (const key of [old, kept, fresh]) assert.equal(ring.holderOf(key), undefined);
});

test("a key opens until the moment it expires, by a clock that may be set back, with its own limits, and of two entries of one key the later counts", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 999 });
  const [ending, limited, twice] = [newApiKey(), newApiKey(), newApiKey()];
  const limits = { maxConcurrent: 3, maxPerSecond: 0.5 };
  const entries: readonly KeyEntry[] = [
    { ...entry("Bäcker & Söhne", ending), expires: new Date(1_000).toISOString(), maxConcurrent: 1 },
    { ...entry("b", limited), ...limits },
    entry("first", twice),
    { ...entry("later", twice), maxPerSecond: 2 },
  ];
  const ring = new KeyRing(tableOf(entries));
  const holder = ring.holderOf(ending)!;
  const { name, limits: own } = holder;
  assert.deepEqual([name, own], ["Bäcker & Söhne", { maxConcurrent: 1 }]);
  assert.deepEqual(ring.holderOf(limited)?.limits, limits);
  const { name: last, limits: lastLimits } = ring.holderOf(twice)!;
  assert.deepEqual([last, lastLimits], ["later", { maxPerSecond: 2 }]);
  context.mock.timers.setTime(1_000);
  assert.equal(ring.holderOf(ending), undefined);
  assert.equal(ring.isValid(holder), false);
  context.mock.timers.setTime(999);
  assert.equal(ring.holderOf(ending), holder, "a clock that was set back");
  assert.deepEqual(ring.holderOf(limited)?.limits, limits);
  ring.replace(tableOf([entry("b", limited)]));
  assert.deepEqual(ring.holderOf(limited)?.limits, {}, "removed limits");
});
