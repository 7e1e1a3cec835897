import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../faults/gate.ts";
import { useSharedService } from "../service.ts";
import { exchangeOnce, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const anonymous = { headers: ["X-API-Key:"] };
const wrongKey = { headers: ["Authorization: Bearer not-the-key-0123456789"] };
const paths = ["/service/live", "/service/ready", "/service/health"];

async function bodyOf(path: string, request = {}): Promise<Record<string, unknown>> {
  const answer = await exchangeOnce(service.port, requestBytes("GET", path, request));
  assert.equal(answer.status, 200, path);
  return JSON.parse(answer.body.toString()) as Record<string, unknown>;
}

test("probes answer without a key and say only that the service is up", async () => {
  for (const path of paths) {
    assert.deepEqual(await bodyOf(path, anonymous), { status: "up" }, path);
    assert.deepEqual(await bodyOf(path, wrongKey), { status: "up" }, path);
  }
});

test("with a key the health contains pool, data and version", async () => {
  let health: Record<string, unknown> = {};
  // Another test's client may have left a check behind.
  await until(async () => {
    health = await bodyOf("/service/health");
    return (health["pool"] as { readonly inside: number }).inside === 0;
  });
  assert.equal(health["status"], "up");
  assert.match(String(health["version"]), /^\d+\.\d+\.\d+$/);
  const pool = {
    size: 1,
    queue: 1_000,
    ceiling: 1_001,
    large_ceiling: 129,
    inside: 0,
    failing_task_kinds: 0,
  };
  assert.deepEqual(health["pool"], pool);
  const data = health["data"] as Record<string, unknown>;
  assert.match(String(data["edition"]), /^\d{4}-\d{2}-\d{2}$/);
  assert.ok(Number.isInteger(data["age_days"]));
  assert.deepEqual([data["sepa_methods"], data["sepa_edition"]], ["assumed", null]);
});
