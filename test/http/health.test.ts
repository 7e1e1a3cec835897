import assert from "node:assert/strict";
import { before, test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { until } from "../faults/gate.ts";
import { type RunningService, sharedService, startQuickService } from "../service.ts";
import { exchangeOnce, postBytes, RawConnection, requestBytes } from "./raw-socket.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});

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
    large_ceiling: 251,
    inside: 0,
    failing_task_kinds: 0,
  };
  assert.deepEqual(health["pool"], pool);
  const data = health["data"] as Record<string, unknown>;
  assert.match(String(data["edition"]), /^\d{4}-\d{2}-\d{2}$/);
  assert.ok(Number.isInteger(data["age_days"]));
  assert.deepEqual([data["sepa_methods"], data["sepa_edition"]], ["assumed", null]);
});

test("probes know only GET and HEAD, and their neighbours are unknown", async () => {
  for (const path of paths) {
    const answer = await exchangeOnce(service.port, requestBytes("POST", path, anonymous));
    expectError(answer, "method_not_allowed");
    assert.equal(answer.headers.get("allow"), "GET, HEAD");
    expectError(await exchangeOnce(service.port, requestBytes("GET", `${path}/`, anonymous)), "invalid_key");
    expectError(await exchangeOnce(service.port, requestBytes("GET", `${path}/`)), "not_found");
  }
});

test("while the service stops it is alive, but no longer ready", async () => {
  const stopping = await startQuickService();
  const request = postBytes("/v1/iban", '{"iban":"DE89370400440532013000"}');
  const upload = await RawConnection.open(stopping.port);
  await upload.send(request.subarray(0, -1));
  const probes = await Promise.all(paths.map(() => RawConnection.open(stopping.port)));
  await until(async () => (await stopping.request("/v1/ping")).status === 200);
  const stopped = stopping.stop();
  await until(() => stopping.log().includes('"stopping"'));
  const answers = await Promise.all(
    probes.map(async (probe, index) => {
      await probe.send(requestBytes("GET", paths[index]!, anonymous));
      return probe.answer();
    }),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${body}`),
    ['200 {"status":"up"}', '503 {"status":"draining"}', '200 {"status":"draining"}'],
  );
  await upload.send(request.subarray(-1));
  assert.equal((await upload.answer()).status, 200);
  assert.equal(await stopped, 0);
});
