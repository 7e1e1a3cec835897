import assert from "node:assert/strict";
import { test } from "node:test";
import { metricsTable } from "../../src/service/metrics-table.ts";

test("metrics have names in Prometheus' form, with their unit", () => {
  for (const [name, { type, labels = [], help }] of Object.entries(metricsTable)) {
    assert.match(name, /^(bankcheck|process)(_[a-z0-9]+)+$/);
    if (type === "histogram") assert.match(name, /_seconds$/);
    assert.ok(!/_(ms|milliseconds|minutes|mb)\b/.test(name), name);
    for (const label of labels) assert.match(label, /^[a-z]+(_[a-z]+)*$/);
    assert.match(help, /^[A-Z0-9].*\.$/, name);
  }
});
