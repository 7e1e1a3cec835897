import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type Baseline,
  type Baselines,
  baselineFor,
  baselineText,
  compared,
  ratiosOf,
  regressions,
  withRun,
} from "../../bench/report/baseline.ts";
import { type Machine, machineClass } from "../../bench/report/machine.ts";

const machine: Machine = {
  processor: "Some Processor",
  cores: 4,
  memoryGb: 8,
  node: "v20.20.2",
  generator: "wrk",
};
const run: Baseline = {
  machine,
  endToEnd: { "batch-500-64": { uws: 0.3, fastify: 20 } },
  micro: { search: 100 },
};
const committed = JSON.parse(
  readFileSync(new URL("../../bench/baseline.json", import.meta.url), "utf8"),
) as Baselines;

test("the committed baselines are under the class of their machine", () => {
  assert.ok(Object.keys(committed).length > 0);
  for (const [name, baseline] of Object.entries(committed)) {
    assert.equal(name, machineClass(baseline.machine));
    assert.ok(Object.keys(baseline.micro).length > 0);
    assert.ok(Object.keys(baseline.endToEnd).length > 0);
  }
});

test("a machine class is processor, cores and Node's major version", () => {
  assert.equal(machineClass(machine), "Some Processor, 4 cores, Node 20");
  assert.equal(machineClass({ ...machine, node: "v20.1.0", memoryGb: 16 }), machineClass(machine));
  assert.notEqual(machineClass({ ...machine, node: "v22.1.0" }), machineClass(machine));
});

test("a run of a part changes what it measured in its own class alone", () => {
  const other = { ...run, machine: { ...machine, cores: 2 } };
  const before = withRun(withRun({}, run), other);
  const after = withRun(before, {
    machine,
    endToEnd: { "single-8": { uws: 1, fastify: 2 } },
    micro: { search: 90 },
  });
  assert.deepEqual(after[machineClass(other.machine)], other);
  assert.deepEqual(after[machineClass(machine)], {
    machine,
    endToEnd: { ...run.endToEnd, "single-8": { uws: 1, fastify: 2 } },
    micro: { search: 90 },
  });
});

test("without a baseline of the class the nearest one counts: the processor before Node, Node before cores", () => {
  const of = (part: Partial<Machine>): Baseline => ({ ...run, machine: { ...machine, ...part } });
  const baselines = [
    of({ processor: "Another" }),
    of({ node: "v22.0.0" }),
    of({ cores: 64 }),
    of({ cores: 8 }),
  ].reduce(withRun, {});
  const found = baselineFor(baselines, machine);
  assert.equal(found?.name, "Some Processor, 8 cores, Node 20");
  assert.equal(found?.isSameClass, false);
  assert.match(
    baselineText(machine, found),
    /no baseline of this machine class.*nearest one \(Some Processor, 8/,
  );
  assert.equal(baselineFor(withRun(baselines, run), machine)?.isSameClass, true);
});

test("without any baseline nothing is compared, and a sentence says so", () => {
  assert.equal(baselineFor({}, machine), undefined);
  assert.match(baselineText(machine, undefined), /no baseline yet, so nothing is compared/);
});

test("what falls far behind the baseline of the same class is named, noise is not", () => {
  const found = { name: "", baseline: run, isSameClass: true };
  const noisy = { ...run, endToEnd: { "batch-500-64": { uws: 0.2, fastify: 13 } }, micro: { search: 220 } };
  assert.deepEqual(regressions(compared(noisy, found)), []);
  const slow = { ...run, endToEnd: { "batch-500-64": { uws: 0.3, fastify: 9 } }, micro: { search: 300 } };
  assert.deepEqual(regressions(compared(slow, found)), [
    "batch-500-64: 9 × fastify, was 20",
    "search: 300 × JSON.parse of a batch, was 100",
  ]);
});

test("against another class's baseline only differences that the machine does not explain are reported", () => {
  const found = { name: "", baseline: run, isSameClass: false };
  const slower = { ...run, endToEnd: { "batch-500-64": { uws: 0.1, fastify: 6 } }, micro: { search: 600 } };
  assert.deepEqual(regressions(compared(slower, found)), []);
  assert.equal(regressions(compared({ ...run, micro: { search: 900 } }, found)).length, 1);
});

test("what the run or the baseline lacks is passed over", () => {
  const found = { name: "", baseline: run, isSameClass: true };
  const part = { machine, endToEnd: { unknown: { uws: 1, fastify: 1 } }, micro: {} };
  assert.deepEqual(compared(part, found), []);
});

test("micro benches are kept as multiples of the yardstick", () => {
  const micro = [
    { name: "JSON.parse of a batch", nanoseconds: 50 },
    { name: "search", nanoseconds: 125 },
  ];
  assert.deepEqual(ratiosOf(machine, [], micro).micro, { "JSON.parse of a batch": 1, search: 2.5 });
  assert.deepEqual(ratiosOf(machine, [], micro.slice(1)).micro, {});
});
