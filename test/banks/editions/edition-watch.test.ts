import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { pino } from "pino";
import { watchEditions } from "../../../src/banks/editions/edition-watch.ts";
import { type LiveEdition, liveEdition } from "../../../src/banks/editions/live-edition.ts";
import { until } from "../../faults/gate.ts";
import { newFolder } from "../../support/folders.ts";
import { loadedEdition } from "../records.ts";

let folder: string;
let time: number;
/** The days for which data was loaded. */
let loads: string[];
/** Side effects of the next load. */
let meanwhile: () => void;
let nextChange: string | null;
let watch: ReturnType<typeof watchEditions>;
let live: LiveEdition;
beforeEach(() => {
  folder = newFolder();
  // Each change has another length: the times of files that are written at once may be the same.
  writeFileSync(join(folder, "blz.csv"), "one");
  time = Date.parse("2026-03-28T12:00:00Z");
  loads = [];
  meanwhile = () => {};
  nextChange = null;
  const now = () => time;
  live = liveEdition({
    load: (day) => {
      loads.push(day);
      meanwhile();
      const isAhead = nextChange !== null && nextChange > day;
      return Promise.resolve(loadedEdition("2026-03-09", { nextChange: isAhead ? nextChange : null }));
    },
    replace: async (write) => void (await write(new Uint8Array(0))),
    now,
    log: pino({ level: "silent" }),
  });
  watch = watchEditions(live, () => folder, now);
  // Only the looks that a test takes itself.
  watch.close();
});

async function loadsAfter(looks: number): Promise<number> {
  for (let look = 0; look < looks; look++) await watch.look();
  return loads.length;
}

test("files that stay as they are, are loaded once, and again where the operator reloads them", async () => {
  await watch.loadAgain();
  assert.equal(await loadsAfter(5), 1);
  await watch.loadAgain();
  assert.equal(await loadsAfter(2), 2);
});

test("old data is reported from the moment on that the service has shown its first key", async () => {
  const days: string[] = [];
  live.warnOfAge = (day) => void days.push(day);
  await loadsAfter(5);
  assert.deepEqual(days, []);
  watch.reportAge();
  await watch.look();
  assert.deepEqual(days, ["2026-03-28"]);
});

test("files that have changed are loaded when they have stayed the same from one look to the next", async () => {
  await watch.loadAgain();
  writeFileSync(join(folder, "blz.csv"), "two, longer");
  assert.equal(await loadsAfter(1), 1);
  writeFileSync(join(folder, "blz.csv"), "three, longer still");
  assert.equal(await loadsAfter(1), 1);
  assert.equal(await loadsAfter(1), 2);
  assert.equal(await loadsAfter(3), 2);
});

test("files that change while they are loaded are loaded again", async () => {
  await watch.loadAgain();
  writeFileSync(join(folder, "blz.csv"), "two, longer");
  meanwhile = () => {
    writeFileSync(join(folder, "blz.csv"), "three, longer still");
    meanwhile = () => {};
  };
  assert.equal(await loadsAfter(2), 2);
  assert.equal(await loadsAfter(2), 3);
  assert.equal(await loadsAfter(2), 3);
});

test("data that was refused is tried again with the same files, later and later, until it is taken", async () => {
  meanwhile = () => {
    throw new Error("the drive does not answer");
  };
  await watch.loadAgain();
  const tries = [];
  for (let look = 0; look < 1_000; look++) {
    const before = loads.length;
    if ((await loadsAfter(1)) > before) tries.push(look);
  }
  assert.deepEqual(tries, [9, 29, 69, 149, 309, 609, 909]);
  meanwhile = () => {};
  await loadsAfter(300);
  assert.equal(live.facts.loads, 1);
  assert.equal(await loadsAfter(1_000), 9);
});

test("subfolders of the data folder are not watched, since no edition is in them", async () => {
  mkdirSync(join(folder, "others"));
  await watch.loadAgain();
  assert.equal(await loadsAfter(3), 1);
  writeFileSync(join(folder, "others", "blz.csv"), "two");
  assert.equal(await loadsAfter(3), 1);
  writeFileSync(join(folder, "blz.csv"), "two, and longer");
  assert.equal(await loadsAfter(3), 2);
});

test("a folder that was not there is loaded once it is", async () => {
  rmSync(folder, { recursive: true });
  await watch.loadAgain();
  assert.equal(await loadsAfter(3), 1);
  mkdirSync(folder);
  writeFileSync(join(folder, "blz.csv"), "one");
  assert.equal(await loadsAfter(1), 1);
  assert.equal(await loadsAfter(2), 2);
});

test("the next edition is loaded in the last minute before its day, and used from midnight in Berlin on", async () => {
  nextChange = "2026-03-29";
  await watch.loadAgain();
  time = Date.parse("2026-03-28T22:58:59.999Z");
  assert.equal(await loadsAfter(3), 1);
  time = Date.parse("2026-03-28T22:59:59.900Z");
  void watch.look();
  await until(() => loads.length === 2);
  assert.equal(live.facts.loads, 1);
  time = Date.parse("2026-03-28T23:00:00Z");
  await until(() => live.facts.loads === 2);
  assert.equal(await loadsAfter(3), 2);
  assert.deepEqual(loads, ["2026-03-28", "2026-03-29"]);
});

test("a clock that jumps over midnight, on the day summer time begins, loads the next edition then", async () => {
  nextChange = "2026-03-29";
  await watch.loadAgain();
  time = Date.parse("2026-03-28T23:00:00Z");
  assert.equal(await loadsAfter(3), 2);
  assert.deepEqual(loads, ["2026-03-28", "2026-03-29"]);
});

test("a waiting edition is dropped if files change meanwhile, or the operator reloads all", async () => {
  nextChange = "2026-03-29";
  await watch.loadAgain();
  time = Date.parse("2026-03-28T22:59:30Z");
  void watch.look();
  await until(() => loads.length === 2);
  await watch.loadAgain();
  assert.deepEqual(loads.splice(0, 2), ["2026-03-28", "2026-03-29"]);
  let isWaiting = true;
  const look = watch.look().then(() => {
    isWaiting = false;
  });
  await until(() => loads.length === 2);
  writeFileSync(join(folder, "blz.csv"), "two, longer");
  nextChange = null;
  // The watch's own timer does not keep the process alive.
  await until(() => !isWaiting);
  await look;
  await loadsAfter(3);
  assert.deepEqual(loads, ["2026-03-28", "2026-03-29", "2026-03-28"]);
  time = Date.parse("2026-03-28T23:00:00Z");
  assert.equal(await loadsAfter(3), 3);
});
