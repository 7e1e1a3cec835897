import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../faults/gate.ts";
import { useSharedService } from "../service.ts";
import { ask, insideOf } from "./calls.ts";
import { exchangeOnce, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

test("probes answer without a key and say only that the service is up", async () => {
  for (const path of ["/service/live", "/service/ready", "/service/health"])
    for (const key of ["X-API-Key:", "Authorization: Bearer not-the-key-0123456789"]) {
      const request = requestBytes("GET", path, { headers: [key] });
      const { status, body } = await exchangeOnce(service.port, request);
      assert.deepEqual([status, body.toString()], [200, '{"status":"up"}'], path);
    }
});

test("with a key the health contains pool, data and version", async () => {
  // Another test's client may have left a check behind.
  await until(async () => (await insideOf(service)) === 0);
  const { status, version, pool, data } = await ask(service, "/service/health", "health");
  assert.equal(status, "up");
  assert.match(version!, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(pool, {
    size: 1,
    queue: 1_000,
    ceiling: 1_001,
    large_ceiling: 129,
    inside: 0,
    failing_task_kinds: 0,
  });
  assert.match(data!.edition!, /^\d{4}-\d{2}-\d{2}$/);
  assert.ok(Number.isInteger(data!.age_days));
  assert.deepEqual([data!.sepa_methods, data!.sepa_edition], ["assumed", null]);
});
