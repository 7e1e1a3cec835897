import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, berlinDay, berlinMidnight, daysBetween, isDay } from "../../../src/banks/editions/days.ts";

/** The moments at which days and months begin, in winter, in summer and where one turns into the other. */
const beginnings: readonly (readonly [day: string, begins: string])[] = [
  ["2026-01-15", "2026-01-14T23:00:00Z"],
  ["2026-07-15", "2026-07-14T22:00:00Z"],
  // Summer time begins at two o'clock on 29 March, so this day's midnight is still one of winter time.
  ["2026-03-29", "2026-03-28T23:00:00Z"],
  ["2026-03-30", "2026-03-29T22:00:00Z"],
  // And ends at three o'clock on 25 October.
  ["2026-10-25", "2026-10-24T22:00:00Z"],
  ["2026-10-26", "2026-10-25T23:00:00Z"],
  ["2026-10", "2026-09-30T22:00:00Z"],
  ["2026-12", "2026-11-30T23:00:00Z"],
  ["2027-01-01", "2026-12-31T23:00:00Z"],
];

test("a day and a month begin at midnight in Berlin, and until then it is the day before", () => {
  for (const [day, begins] of beginnings) {
    const midnight = Date.parse(begins);
    assert.equal(berlinMidnight(day), midnight, day);
    assert.ok(berlinDay(midnight).startsWith(day), day);
    assert.ok(berlinDay(midnight - 1).startsWith(begins.slice(0, 10)), day);
  }
});

test("days are counted and added across months, years and changes of the clock", () => {
  assert.equal(addDays("2026-09-07", 97), "2026-12-13");
  assert.equal(addDays("2026-12-31", 1), "2027-01-01");
  assert.equal(addDays("2028-02-28", 1), "2028-02-29");
  assert.equal(daysBetween("2026-03-01", "2026-11-01"), 245);
  assert.equal(daysBetween("2026-11-01", "2026-03-01"), -245);
});

test("a day is four digits, a month and a day of it", () => {
  for (const day of ["2026-09-07", "2028-02-29"]) assert.ok(isDay(day), day);
  for (const text of ["", "2026-9-7", "2026-13-01", "2026-09", "2026-09-07\r\nX: y", " 2026-09-07"]) {
    assert.ok(!isDay(text), text);
  }
});
