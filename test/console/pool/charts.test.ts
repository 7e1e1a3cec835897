import assert from "node:assert/strict";
import { test } from "node:test";
import { chartsFor, drawnValues } from "../../../src/console/pool/charts.ts";
import { queueLimit } from "../../../src/console/pool/diagnosis.ts";
import { History } from "../../../src/console/pool/history.ts";
import { answered, reading } from "./readings.ts";

const shown = (...sizes: number[]) =>
  answered(...sizes.map((size) => reading({ pool: { size, ceiling: size + 16 } }))).processes;

/** The newest value of each line of the utilisation chart, by name, for processes whose workers were busy for these milliseconds. */
function utilisation(...busyMs: readonly (readonly number[])[]): Record<string, number | null> {
  const history = new History();
  for (const [second, part] of [0, 1].entries()) {
    const readings = busyMs.map((busy, number) =>
      reading({
        pool: { size: busy.length, busy_ms: busy.map((ms) => ms * part) },
        process: { id: number + 1, busy_ms: 100 * (number + 1) * part },
        machine: { cores: 2, busy_ms: 5_000 + 900 * part, stolen_ms: 70 + 100 * part },
      }),
    );
    history.add(answered(...readings), 1_000 + second);
  }
  const { rates } = history.momentsOf(undefined).at(-1)!;
  const charts = chartsFor(shown(...busyMs.map(({ length }) => length)));
  const { lines } = charts.find(({ unit }) => unit === "share")!;
  return Object.fromEntries(lines.map((line) => [line.name, rates![line.measure]]));
}

test("one worker has one line; several, of any process, are drawn together, with the busiest of the front ends", () => {
  const machine = { "whole machine": 0.5, steal: 0.05 };
  const spread = (busiest: number, mean: number) => ({
    "busiest worker": busiest,
    "mean of the workers": mean,
    "least busy worker": 0,
    ...machine,
  });
  assert.deepEqual(utilisation([250]), { "mean of the workers": 0.25, "front end": 0.1, ...machine });
  const eight = utilisation([0, 250, 250, 250, 500, 500, 750, 500]);
  assert.deepEqual(eight, { ...spread(0.75, 0.375), "front end": 0.1 });
  const four = utilisation([0, 250], [500, 250]);
  assert.deepEqual(four, { ...spread(0.5, 0.25), "busiest front end": 0.2 });
  assert.equal(queueLimit(shown(2, 2)), 32, "each process has a queue of its own");
});

test("a moment without a reading is a gap in every line", () => {
  const history = new History();
  history.interrupt(1);
  for (const { lines } of chartsFor(shown(2))) {
    for (const line of lines) assert.deepEqual(drawnValues(line, history.momentsOf(undefined)), [null]);
  }
});

test("what should be zero is drawn only where it is not, with the way up and down", () => {
  const history = new History();
  for (const [second, refused] of [0, 0, 0, 0, 5, 5, 5, 5].entries()) {
    history.add(answered(reading({ requests: { refused } })), 1_000 + second);
  }
  const [requests] = chartsFor(shown(2));
  const moments = history.momentsOf(undefined);
  const drawn = requests!.lines.map((line) => [line.name, drawnValues(line, moments)]);
  assert.deepEqual(Object.fromEntries(drawn), {
    answered: [0, 0, 0, 0, 0, 0, 0],
    "refused (503)": [null, null, 0, 5, 0, null, null],
    "invalid (4xx)": Array.from({ length: 7 }, () => null),
    "failed (5xx)": Array.from({ length: 7 }, () => null),
  });
});
