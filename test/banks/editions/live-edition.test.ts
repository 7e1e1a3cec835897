import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { pino } from "pino";
import { type LiveEdition, liveEdition } from "../../../src/banks/editions/live-edition.ts";
import type { LoadedEdition } from "../../../src/banks/editions/load.ts";
import { loadedEdition as edition } from "../records.ts";

const today = "2026-11-21";

let time: number;
let inUse: string[];
let lines: string[];
let next: () => Promise<LoadedEdition>;
let live: LiveEdition;
beforeEach(() => {
  time = Date.parse(`${today}T12:00:00Z`);
  inUse = [];
  lines = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  live = liveEdition({
    load: () => next(),
    replace: async (write) => {
      inUse.push(await write(new Uint8Array(0)));
    },
    now: () => time,
    log,
  });
});

async function load(offered: LoadedEdition | Error, day = today, isUnchanged = true): Promise<void> {
  next = () => (offered instanceof Error ? Promise.reject(offered) : Promise.resolve(offered));
  await live.load(day, () => Promise.resolve(isUnchanged));
}

test("before anything is loaded, nothing is known", () => {
  const none = { edition: "", age_days: null, valid_until: null, expired: false };
  assert.deepEqual({ ...live.facts, ...none, loads: 0, last_refusal: null }, live.facts);
});

test("an edition that is newer, or the same once more, takes the place of the one in use", async () => {
  for (const german of ["2026-06-08", "2026-09-07", "2026-09-07"]) await load(edition(german));
  assert.deepEqual(inUse, ["2026-06-08", "2026-09-07", "2026-09-07"]);
  const { edition: german, age_days, loads, refusals, loaded_at } = live.facts;
  assert.deepEqual([german, age_days, loads, refusals], ["2026-09-07", 75, 3, 0]);
  assert.equal(loaded_at, "2026-11-21T12:00:00.000Z");
  assert.deepEqual([live.facts.sepa_methods, live.facts.sepa_edition], ["assumed", null]);
  const withDirectory = { german: "2026-09-07", other: "2025-09", scl: "2026-05-25" };
  await load(edition("2026-09-07", { edition: withDirectory }));
  assert.deepEqual([live.facts.sepa_methods, live.facts.sepa_edition], ["directory", "2026-05-25"]);
});

const olderAbroad = edition("2026-09-07", { edition: { german: "2026-09-07", other: "2025-08" } });
const refused: Readonly<Record<string, [LoadedEdition | Error, RegExp]>> = {
  "an older one": [edition("2026-06-08"), /2026-06-08 is older than 2026-09-07/],
  "older banks of other countries": [olderAbroad, /2025-08 of other countries' banks is older/],
  "a tenth of the codes gone": [edition("2026-09-14", { blzCount: 2_700 }), /2700 German bank codes/],
  "a tenth of the banks gone": [edition("2026-09-14", { recordCount: 29_700 }), /29700 banks/],
  "one whose name is not a day": [edition("2026-09-14\r\nX: y"), /is not a day/],
  "one that cannot be read": [new Error("blz.csv, line 7: wrong"), /blz.csv, line 7: wrong/],
};

describe("a refused edition leaves the previous one in use, and log and facts say so", () => {
  for (const [what, [offered, reason]] of Object.entries(refused)) {
    test(what, async () => {
      await load(edition("2026-09-07"));
      await load(offered);
      assert.deepEqual(inUse, ["2026-09-07"]);
      const { edition: german, refusals, last_refusal } = live.facts;
      assert.deepEqual([german, refusals], ["2026-09-07", 1]);
      assert.match(last_refusal?.reason ?? "", reason);
      assert.equal(last_refusal?.at, "2026-11-21T12:00:00.000Z");
      assert.match(lines.at(-1) ?? "", /"level":50.*was refused; the edition in use stays/);
      await load(edition("2026-10-05"));
      assert.deepEqual(inUse, ["2026-09-07", "2026-10-05"]);
    });
  }
});

test("one bank code fewer is not yet a tenth; an edition that was forced may be as small as it likes, but no older", async () => {
  await load(edition("2026-06-08"));
  await load(edition("2026-08-03", { blzCount: 2_701, recordCount: 29_701 }));
  await load(edition("2026-09-07", { blzCount: 27, recordCount: 297, isForced: true }));
  await load(edition("2026-03-09", { isForced: true }));
  assert.deepEqual(inUse, ["2026-06-08", "2026-08-03", "2026-09-07"]);
});

test("an older edition follows one that was withdrawn, and one that has not begun after a clock was set back", async () => {
  await load(edition("2026-06-08"));
  await load(edition("2026-09-07", { blzCount: 4_000, recordCount: 44_000 }));
  await load(edition("2026-06-08", { withdrawn: ["2026-03-09"] }));
  await load(edition("2026-06-08", { withdrawn: ["2026-09-07"] }));
  assert.deepEqual(inUse, ["2026-06-08", "2026-09-07", "2026-06-08"]);
  await load(edition("2026-09-07"), "2026-09-07");
  await load(edition("2026-06-08"), "2026-09-06");
  assert.deepEqual(inUse.slice(3), ["2026-09-07", "2026-06-08"]);
  assert.equal(live.isDue("2026-09-06"), false);
});

test("data that changes while it is read is neither used nor refused", async () => {
  for (const offered of [edition("2026-09-07"), new Error("cut off")]) await load(offered, today, false);
  assert.deepEqual(inUse, []);
  assert.equal(live.facts.refusals, 0);
});

test("a future edition, or the next that the data announces, waits for its day, and says so", async () => {
  await load(edition("2026-09-07", { nextChange: "2026-12-14" }));
  assert.equal(live.facts.next_edition, "2026-12-14");
  await load(edition("2026-12-07"));
  assert.deepEqual(inUse, ["2026-09-07"]);
  assert.equal(live.facts.next_edition, "2026-12-07");
  assert.equal(live.facts.refusals, 0);
  assert.equal(live.isDue("2026-12-06"), false);
  assert.equal(live.isDue("2026-12-07"), true);
  await load(edition("2026-12-07"), "2026-12-07");
  assert.deepEqual(inUse, ["2026-09-07", "2026-12-07"]);
  assert.equal(live.facts.next_edition, null);
  assert.equal(live.isDue("2026-12-08"), false);
});

test("a future edition is used if there is no other", async () => {
  await load(edition("2026-12-07"));
  assert.deepEqual(inUse, ["2026-12-07"]);
  assert.equal(live.facts.age_days, -16);
});

test("the tag of the data changes with it, and at midnight in Berlin, since ages and reach are those of a day", async () => {
  const tags = [live.tag];
  for (const german of ["2026-06-08", "2026-09-07"]) {
    await load(edition(german));
    tags.push(live.tag);
  }
  time = Date.parse(`${today}T22:59:59Z`);
  assert.equal(live.tag, tags.at(-1));
  time += 1_000;
  tags.push(live.tag);
  assert.equal(new Set(tags).size, 4);
});

test("other local entries are due after the last day of one, and when a clock is set back", async () => {
  const dueOn = () => ["2026-12-31", "2027-01-01", "2027-01-02"].filter((day) => live.isDue(day));
  await load(edition("2026-09-07", { localUntil: "2026-12-31" }));
  assert.deepEqual(dueOn(), ["2027-01-01", "2027-01-02"]);
  await load(edition("2026-09-07", { localUntil: "9999-12-31" }), "2027-01-01");
  assert.deepEqual(dueOn(), ["2026-12-31"]);
});

test("past its end, the usual one or that named, an edition stays in use, is reported as expired, and warns once a day", async () => {
  await load(edition("2026-09-07", { validUntil: "2026-12-06" }));
  assert.equal(live.facts.valid_until, "2026-12-06");
  await load(edition("2026-09-07"));
  assert.deepEqual([live.facts.valid_until, live.facts.expired], ["2026-12-13", false]);
  const warnings = () => lines.filter((line) => line.includes("has expired and stays in use"));
  live.warnOfAge("2026-12-13");
  assert.equal(warnings().length, 0);
  for (const day of ["2026-12-14", "2026-12-14", "2026-12-15"]) live.warnOfAge(day);
  assert.equal(warnings().length, 2);
  assert.match(warnings()[0]!, /"level":40.*"edition":"2026-09-07","valid_until":"2026-12-13"/);
  time = Date.parse("2026-12-14T00:00:00+01:00");
  assert.equal(live.facts.expired, true);
});

test("lists that are 180 days old or older are logged once a day, younger and undated ones are not", async () => {
  const list = (country: string, listed: string | null) => ({
    country,
    dataset: "banks" as const,
    edition: listed,
    valid_until: null,
    next_edition: null,
    rows: 1,
    with_bic: 1,
    completeness: null,
  });
  const lists = [list("AT", "2026-05-25"), list("BE", "2026-05-26"), list("CZ", null), list("FR", "2025-09")];
  await load(edition("2026-09-07", { lists }));
  for (const day of [today, today]) live.warnOfAge(day);
  const warnings = lines.filter((line) => line.includes("180 days old or older"));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /"level":40.*"lists":"AT,FR".*"2 lists/);
  const ages = live.lists.map(({ country, age_days, is_old }) => `${country} ${age_days} ${is_old}`);
  assert.deepEqual(ages, ["AT 180 true", "BE 179 false", "CZ null true", "FR 446 true"]);
});
