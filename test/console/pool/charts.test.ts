import assert from "node:assert/strict";
import { test } from "node:test";
import { chartsFor, drawnValues } from "../../../src/console/pool/charts.ts";
import { History } from "../../../src/console/pool/history.ts";
import { poolWords } from "../../../src/console/pool/words.ts";
import { reading } from "./readings.ts";

/** The newest value of each line of the utilisation chart, by name, for workers that were busy so many milliseconds. */
function utilisation(busyMs: readonly number[]): Record<string, number | null | undefined> {
  const pool = { size: busyMs.length };
  const history = new History();
  history.add(reading({ pool: { ...pool, busy_ms: busyMs.map(() => 0) } }), 1);
  history.add(reading({ pool: { ...pool, busy_ms: busyMs }, process: { busy_ms: 100 } }), 2);
  const moment = history.latest!;
  const chart = chartsFor(moment.reading!, poolWords.en).find(({ unit }) => unit === "share")!;
  return Object.fromEntries(chart.lines.map((line) => [line.name, line.value(moment)]));
}

test("each worker has a line of its own, beside that of the front end", () => {
  assert.deepEqual(utilisation([250, 500]), { "worker 1": 0.25, "worker 2": 0.5, "front end": 0.1 });
});

test("many workers are told together, so that the chart stays readable", () => {
  assert.deepEqual(utilisation([0, 250, 250, 250, 500, 500, 750, 500]), {
    "busiest worker": 0.75,
    "mean of the workers": 0.375,
    "least busy worker": 0,
    "front end": 0.1,
  });
});

test("a moment without a reading has no value in any line", () => {
  const history = new History();
  history.interrupt(1);
  for (const { lines } of chartsFor(reading(), poolWords.en)) {
    for (const line of lines) assert.equal(line.value(history.moments[0]!) ?? null, null, line.name);
  }
});

test("both languages say the same things, with the same places to fill in", () => {
  const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  for (const [name, text] of Object.entries(poolWords.en)) {
    const german = poolWords.de[name as keyof typeof poolWords.en];
    assert.deepEqual(places(german), places(text), name);
  }
});

test("what should be zero is drawn only where it is not, with the way up and down", () => {
  const history = new History();
  for (const [second, refused] of [0, 0, 0, 0, 5, 5, 5, 5].entries()) {
    history.add(reading({ requests: { refused } }), second);
  }
  const [requests] = chartsFor(reading(), poolWords.en);
  const drawn = requests!.lines.map((line) => [line.name, drawnValues(line, history.moments)]);
  assert.deepEqual(Object.fromEntries(drawn), {
    answered: [null, 0, 0, 0, 0, 0, 0, 0],
    "refused (503)": [null, null, null, 0, 5, 0, null, null],
    "wrong (4xx)": Array.from({ length: 8 }, () => null),
    "failed (5xx)": Array.from({ length: 8 }, () => null),
  });
});
