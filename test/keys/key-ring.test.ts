import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import fc from "fast-check";
import { digestOfKey, newApiKey } from "../../src/keys/key-digest.ts";
import { readKeyFile } from "../../src/keys/key-file.ts";
import { KeyRing, openKeyRing } from "../../src/keys/key-ring.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), "bankcheck-test-")), "state");
});
afterEach(() => {
  rmSync(join(stateDir, ".."), { recursive: true, force: true });
});

const now = new Date("2026-11-21T00:00:00Z");
const ringOf = (...keys: readonly string[]) =>
  new KeyRing(keys.map((key, index) => ({ name: `holder-${index}`, digest: digestOfKey(key) })));

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

test("each key opens for its holder, in any order and again and again", () => {
  const keys = [newApiKey(), newApiKey(), "k".repeat(128), "k".repeat(129), "schlüssel-äöü-0123"];
  const ring = ringOf(...keys);
  assert.equal(ring.size, keys.length);
  for (const index of [0, 0, 1, 0, 2, 3, 3, 2, 4, 4, 1, 1]) {
    assert.equal(ring.nameOf(keys[index]!), `holder-${index}`);
  }
});

test("a key that opens nothing opens nothing, before and after one that does", () => {
  const key = newApiKey();
  const ring = ringOf(key);
  const wrong = [
    "",
    " ",
    key.slice(1),
    key.slice(0, -1),
    `${key}x`,
    `x${key}`,
    key.toUpperCase(),
    `${key}\0`,
    "\0",
  ];
  for (let round = 0; round < 2; round++) {
    for (const other of wrong) assert.equal(ring.nameOf(other), undefined, JSON.stringify(other));
    assert.equal(ring.nameOf(key), "holder-0");
  }
});

test("an empty ring opens for nobody, nor does it for the digest it compares with", () => {
  const ring = new KeyRing([]);
  assert.equal(ring.size, 0);
  for (const key of ["", "\0".repeat(32), newApiKey()]) assert.equal(ring.nameOf(key), undefined);
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
          assert.equal(ring.nameOf(key), expected < 0 ? undefined : `holder-${expected}`);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("with no key anywhere one is made, given once, and stored as its digest", async () => {
  const { ring, firstKey } = await openKeyRing("", stateDir, now);
  assert.ok(firstKey);
  assert.equal(ring.nameOf(firstKey), "first");
  assert.deepEqual(await readKeyFile(stateDir), [
    { name: "first", sha256: digestOfKey(firstKey).toString("hex"), created: now.toISOString() },
  ]);
  const again = await openKeyRing("", stateDir, now);
  assert.equal(again.firstKey, undefined);
  assert.equal(again.ring.nameOf(firstKey), "first");
});

test("keys of the environment are added to those stored, and never stored themselves", async () => {
  const { firstKey } = await openKeyRing("", stateDir, now);
  const { ring, firstKey: second } = await openKeyRing(
    "ci:0123456789abcdef,ops:fedcba9876543210",
    stateDir,
    now,
  );
  assert.equal(second, undefined);
  assert.equal(ring.size, 3);
  assert.equal(ring.nameOf("0123456789abcdef"), "ci");
  assert.equal(ring.nameOf("fedcba9876543210"), "ops");
  assert.equal(ring.nameOf(firstKey!), "first");
  assert.equal((await readKeyFile(stateDir)).length, 1);
});

test("with keys of the environment alone nothing is written", async () => {
  const { ring, firstKey } = await openKeyRing("ci:0123456789abcdef", stateDir, now);
  assert.equal(firstKey, undefined);
  assert.equal(ring.size, 1);
  assert.deepEqual(readdirSync(join(stateDir, "..")), []);
});

test("a damaged file of keys stops the start instead of making a new key", async () => {
  await openKeyRing("", stateDir, now);
  writeFileSync(join(stateDir, "keys.json"), "[{]");
  await assert.rejects(openKeyRing("", stateDir, now), /keys\.json is not a list of key digests/);
});
