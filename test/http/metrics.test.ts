import assert from "node:assert/strict";
import { test } from "node:test";
import { durationBounds } from "../../src/contract/durations.ts";
import { until } from "../faults/gate.ts";
import { useQuickService } from "../service.ts";
import { readMetrics } from "./calls.ts";

const iban = "DE89370400440532013000";

const service = useQuickService({ LOG_SAMPLE: "1" });

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

test("requests are counted by status and by route, checks with their duration and wait", async () => {
  const first = await readMetrics(service);
  assert.equal(first.process.id, service.child.pid);
  for (let round = 0; round < 3; round++) await service.request(`/v1/iban/${iban}`);
  await service.request("/v1/iban/x");
  const then = await readMetrics(service);
  assert.equal(then.requests.total, first.requests.total + 5, "the reading before it is one of them");
  assert.equal(sum(then.requests.by_status.map(({ count }) => count)), then.requests.total);
  const row = then.requests.by_route.find(
    ({ route, status }) => route === "/v1/iban/{iban}" && status === 200,
  );
  assert.equal(row?.count, 3);
  assert.deepEqual(then.durations.bounds_ms, [...durationBounds]);
  assert.equal(
    sum(then.durations.check.counts),
    4,
    "what was refused by its operation began, so it is timed",
  );
  assert.equal(sum(then.durations.wait.counts), 3);
  const { p50_ms, p99_ms } = then.durations.check;
  assert.ok(p50_ms !== null && p99_ms !== null && p50_ms > 0 && p50_ms <= p99_ms);
  assert.equal(then.pool.busy_ms.length, then.pool.size);
  assert.ok(then.process.busy_ms > first.process.busy_ms);
});

test("a request's line in the log has its id, route, status, time and holder, and no account number", async () => {
  const id = "line-1";
  const headers = { "X-API-Key": "test-key-0123456789", "X-Request-Id": id };
  await service.request(`/v1/iban/${iban}?explain=1`, { headers });
  await service.request("/v1/kto/0532013000/37040044", { headers: { ...headers, "X-Request-Id": "line-2" } });
  await service.post("/v1/iban", { ibans: [iban] }, { "X-Request-Id": "line-3" });
  await until(async () => service.log().includes("line-3"));
  const lines = service
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { ms, time, ...line } = lines.find((one) => one["request_id"] === id) ?? {};
  assert.ok(Number(ms) > 0);
  assert.ok(Number.isFinite(Date.parse(String(time))));
  assert.deepEqual(line, {
    level: 30,
    request_id: id,
    method: "GET",
    route: "/v1/iban/{iban}",
    status: 200,
    holder: "test",
    msg: "request",
  });
  for (const number of [iban, "0532013000", "37040044"]) assert.ok(!service.log().includes(number), number);
});
