import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { createKey, revokeKeys } from "../../src/keys/key-changes.ts";
import { digestOfKey } from "../../src/keys/key-table.ts";
import { type KeyWatch, watchKeys } from "../../src/keys/key-watch.ts";
import { watchFiles } from "../../src/process/file-watch.ts";
import { until } from "../faults/gate.ts";
import { newFolder } from "../support/folders.ts";
import { pluck } from "../support/pluck.ts";

const now = new Date();
let stateDir: string;
let watch: KeyWatch;
let log: string[];
let firstKey: string;
beforeEach(async () => {
  stateDir = newFolder();
  firstKey = (await createKey(stateDir, "first", now, undefined)).key;
  await openAgain("");
});
afterEach(() => {
  mock.timers.reset();
});

async function openAgain(apiKeys: string): Promise<void> {
  log = [];
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    log.push(`${pino.levels.labels[level]}: ${msg}`);
  };
  watch = await watchKeys(apiKeys, stateDir, pino({}, { write }));
  // Only the looks that a test takes itself.
  watch.close();
}

const file = () => join(stateDir, "keys.json");
const broken = "error: the keys could not be read; those read last stay valid";
const readAgain = "info: the keys were read again";

test("created keys open and revoked ones do not from the next look on; without a change they are not read again", async () => {
  const replace = mock.method(watch.ring, "replace");
  await watch.look();
  const { key } = await createKey(stateDir, "a", now, undefined);
  assert.equal(watch.ring.holderOf(key), undefined);
  await watch.look();
  assert.equal(watch.ring.holderOf(key)?.name, "a");
  await revokeKeys(stateDir, "a");
  await watch.look();
  assert.equal(watch.ring.holderOf(key), undefined);
  assert.equal(watch.ring.holderOf(firstKey)?.name, "first");
  await watch.look();
  assert.equal(replace.mock.callCount(), 2);
  assert.deepEqual(log, [readAgain, readAgain]);
});

test("a broken file leaves the keys unchanged, is reported once, and is tried again until it is mended", async () => {
  for (const content of ["", "{", "[{}]"]) {
    writeFileSync(file(), content);
    for (let look = 0; look < 3; look++) await watch.look();
    assert.equal(watch.ring.holderOf(firstKey)?.name, "first");
  }
  assert.deepEqual(log, [broken, broken, broken]);
  const sha256 = digestOfKey("0123456789abcdef").toString("hex");
  writeFileSync(file(), JSON.stringify([{ name: "b", sha256, created: now.toISOString() }]));
  await watch.look();
  assert.equal(watch.ring.holderOf("0123456789abcdef")?.name, "b");
  assert.equal(watch.ring.holderOf(firstKey), undefined);
  assert.deepEqual(log.slice(3), [readAgain]);
});

test("a file that vanishes locks no client out and is reported once", async () => {
  await openAgain("env:0123456789abcdef");
  rmSync(file());
  for (let look = 0; look < 3; look++) await watch.look();
  assert.equal(watch.ring.holderOf(firstKey)?.name, "first");
  assert.equal(watch.ring.holderOf("0123456789abcdef")?.name, "env");
  assert.deepEqual(log, [broken]);
});

test("a key file may appear later, and the first key of all is not reported as a change of keys", async () => {
  for (const [apiKeys, ofEnvironment, logged] of [
    ["ci:0123456789abcdef", "ci", [readAgain]],
    ["", undefined, []],
  ] as const) {
    rmSync(file());
    await openAgain(apiKeys);
    const { key } = await createKey(stateDir, "a", now, undefined);
    await watch.look();
    assert.equal(watch.ring.holderOf(key)?.name, "a");
    assert.equal(watch.ring.holderOf("0123456789abcdef")?.name, ofEnvironment);
    assert.deepEqual(log, logged);
  }
  await createKey(stateDir, "second", now, undefined);
  await watch.look();
  assert.deepEqual(log, [readAgain]);
});

const notLate = () => assert.fail("it is not late");

test("a look that is requested while another is on its way follows it, and sees what was changed before", async () => {
  let value = 0;
  const seen: number[] = [];
  const ends: (() => void)[] = [];
  const look = () => {
    seen.push(value);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const watching = watchFiles(60_000, look, notLate);
  const looks = [watching.look()];
  value = 1;
  looks.push(watching.look(), watching.look());
  for (const _ of looks) {
    assert.equal(ends.length, 1, "one at a time");
    ends.pop()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(looks);
  assert.deepEqual(seen, [0, 1, 1]);
  watching.close();
});

test("a look that fails rejects for its caller alone, and the next one looks again", async () => {
  let looks = 0;
  const look = async () => {
    if (++looks === 1) throw new Error("unreadable");
  };
  const watching = watchFiles(60_000, look, notLate);
  const results = await Promise.allSettled([watching.look(), watching.look(), watching.look()]);
  assert.deepEqual(pluck(results, "status"), ["rejected", "fulfilled", "fulfilled"]);
  assert.equal(looks, 3);
  watching.close();
});

test("a look that does not end is reported once, and the next one follows it", async () => {
  let end = () => {};
  const first = new Promise<void>((resolve) => {
    end = resolve;
  });
  let looks = 0;
  const late: number[] = [];
  const stuck = () => (++looks === 1 ? first : Promise.resolve());
  const watching = watchFiles(1, stuck, (seconds) => late.push(seconds), 20);
  const look = watching.look();
  await until(() => late.length > 0);
  await delay(50);
  assert.deepEqual([late.length, looks], [1, 1]);
  end();
  await look;
  await until(() => looks > 1);
  watching.close();
});

test("a file of many keys is read in a thread: keys open, end and have their limits as those of a short one", async (t) => {
  // The watch is the compiled one, since its thread cannot load TypeScript.
  const compiled = new URL("../../.dist/src/keys/key-watch.js", import.meta.url).href;
  const threaded = (await import(compiled)) as typeof import("../../src/keys/key-watch.ts");
  const stored = (key: string) => ({
    name: `holder-${key}`,
    sha256: digestOfKey(key).toString("hex"),
    created: now.toISOString(),
  });
  const many = Array.from({ length: 5_000 }, (_, index) => stored(`many-${index}`));
  const special = [
    { ...stored("limited"), maxConcurrent: 3, maxPerSecond: 70 },
    { ...stored("ended"), expires: new Date(Date.now() - 1_000).toISOString() },
    { ...stored("ending"), expires: new Date(Date.now() + 86_400_000).toISOString() },
  ];
  const own = pino({}, { write: (line) => log.push(line) });
  const watching = await threaded.watchKeys("ci:0123456789abcdef", stateDir, own);
  t.after(() => watching.close());
  const { ring } = watching;
  writeFileSync(file(), JSON.stringify([...many, ...special]));
  await watching.look();
  assert.equal(ring.holderOf(firstKey), undefined);
  for (const { name } of many) assert.equal(ring.holderOf(name.replace("holder-", ""))?.name, name);
  assert.equal(ring.holderOf("many-5000"), undefined);
  assert.equal(ring.holderOf("0123456789abcdef")?.name, "ci");
  assert.deepEqual(ring.holderOf("limited")?.limits, { maxConcurrent: 3, maxPerSecond: 70 });
  assert.deepEqual(ring.holderOf("many-0")?.limits, {});
  assert.equal(ring.holderOf("ended"), undefined);
  assert.ok(ring.holderOf("ending"));
  mock.timers.enable({ apis: ["Date"], now: Date.now() + 2 * 86_400_000 });
  assert.equal(ring.holderOf("ending"), undefined);
  mock.timers.reset();
  const before = ring.holderOf("limited");
  writeFileSync(file(), "[".repeat(600_000));
  await watching.look();
  // The other watch of this file logs its own sentence.
  assert.ok(log.some((line) => line.includes("is not a list of key digests")));
  writeFileSync(file(), JSON.stringify([...many, { ...stored("limited"), maxConcurrent: 4 }]));
  await watching.look();
  assert.equal(ring.holderOf("limited"), before, "the same caller");
  assert.deepEqual(before?.limits, { maxConcurrent: 4 });
});
