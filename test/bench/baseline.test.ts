import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { microCases } from "../../bench/micro/cases.ts";
import { type Baseline, baselineText, regressions, savedBaseline } from "../../bench/report/baseline.ts";
import { machineClass } from "../../bench/report/machine.ts";
import { scenariosWith } from "../../bench/scenarios.ts";
import { servers } from "../../bench/servers.ts";

const machine = { processor: "Some Processor", cores: 4, memoryGb: 8, node: "v20.20.2", generator: "wrk" };
const other = { ...machine, cores: 2 };
const own = "bankcheck";
const batch = { load: "batch", server: own, timesUws: 0.3, timesFastify: 20 };
const runOf = (part: object, timesYardstick = 100): Baseline => {
  const search = { load: "search", timesYardstick };
  return { machine, loads: [{ ...batch, ...part }, search] };
};
const run = runOf({});
const slower = (now: Baseline, before = run) => regressions(now, before).map(({ sentence }) => sentence);

test("the committed baseline is of loads that the bench still has, and of all its micro benches", async () => {
  const committed = JSON.parse(
    readFileSync(new URL("../../bench/baseline.json", import.meta.url), "utf8"),
  ) as Baseline;
  const titles = scenariosWith({ send: () => Promise.reject() }, 1).map(({ title }) => title);
  const ends = committed.loads.filter(({ server }) => server !== undefined);
  const micro = committed.loads.filter(({ server }) => server === undefined).map(({ load }) => load);
  assert.deepEqual(micro.sort(), (await microCases()).map(([name]) => name).sort());
  assert.ok(ends.length > 10);
  for (const { load, server, timesUws } of ends) {
    assert.ok(titles.includes(load), load);
    assert.ok(server === servers.bankcheck.name && timesUws! > 0, load);
  }
});

test("a machine class is processor, cores and Node's major version; a run says with which it is compared", () => {
  assert.equal(machineClass(machine), "Some Processor, 4 cores, Node 20");
  assert.equal(machineClass({ ...machine, node: "v20.1.0", memoryGb: 16 }), machineClass(machine));
  assert.notEqual(machineClass({ ...machine, node: "v22.1.0" }), machineClass(machine));
  assert.match(baselineText(machine, run), /^Compared with the committed baseline of this machine class/);
  const elsewhere = /within wide bounds.*another machine class \(Some Processor, 4 cores/;
  assert.match(baselineText(other, run), elsewhere);
});

test("a run of a part saves the ratios that it measured and keeps the others", () => {
  const loads = [
    { load: "search", nanoseconds: 12, timesYardstick: 90.123_45 },
    { load: "batch", server: "uWS", timesUws: 1 },
    { load: "single", server: own, goodput: 5, timesUws: 0.7, timesFastify: Number.NaN },
  ];
  assert.deepEqual(savedBaseline(run, { machine: other, loads }, own), {
    machine: other,
    loads: [batch, { load: "search", timesYardstick: 90.12 }, { load: "single", server: own, timesUws: 0.7 }],
  });
});

test("what falls far behind the baseline of the same class is named, noise is not", () => {
  assert.deepEqual(slower(runOf({ timesUws: 0.2, timesFastify: 13 }, 220)), []);
  assert.deepEqual(slower(runOf({ timesFastify: 9 }, 300)), [
    "batch: 9 × fastify, was 20",
    "search: 300 × JSON.parse, was 100",
  ]);
});

test("against another class's baseline only differences that the machine does not explain are reported", () => {
  assert.deepEqual(slower({ ...runOf({ timesUws: 0.1, timesFastify: 6 }, 600), machine: other }), []);
  assert.equal(slower({ ...runOf({}, 900), machine: other }).length, 1);
});

test("what the run or the baseline lacks is passed over, and more time of the main thread is a loss", () => {
  assert.deepEqual(slower({ machine, loads: [{ load: "unknown", server: own, timesUws: 0.01 }] }), []);
  const costing = (mainTimesUws: number) => runOf({ mainTimesUws });
  assert.deepEqual(slower(costing(4), costing(2)), ["batch: 4 main µs × uWS, was 2"]);
  assert.deepEqual(slower(costing(1), costing(2)), []);
});
