import assert from "node:assert/strict";
import { test } from "node:test";
import { durationBounds } from "../../src/contract/durations.ts";
import { routes } from "../../src/contract/routes.ts";
import { typeOf } from "../../src/metrics/exposition.ts";
import { metricsTable } from "../../src/service/metrics-table.ts";
import { freePort } from "../free-port.ts";
import { readMetrics } from "../http/calls.ts";
import { useQuickService } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { type Series, scrape, valueIn } from "./exposition.ts";

const iban = "DE89370400440532013000";

const adminPort = await freePort();
const service = useQuickService({ POOL_SIZE: "2", ADMIN_PORT: String(adminPort) });

/** How much a metric has grown between two readings; series that were not there before begin at 0. */
const growth =
  (before: readonly Series[], then: readonly Series[]) =>
  (name: string, labels: Readonly<Record<string, string>> = {}) =>
    (valueIn(then, `bankcheck_${name}`, labels) ?? 0) - (valueIn(before, `bankcheck_${name}`, labels) ?? 0);

test("each metric of the table has a name in Prometheus' form, and is there with its help, type and labels, and no other", async () => {
  await service.request(`/v1/iban/${iban}`);
  const { text, series } = await scrape(adminPort);
  assert.match(service.log(), /"metrics are served"/);
  for (const [name, metric] of Object.entries(metricsTable)) {
    const { type, labels = [], help } = metric;
    assert.match(name, /^(bankcheck|process)(_[a-z0-9]+)+$/);
    if (type === "histogram") assert.match(name, /_seconds$/);
    assert.doesNotMatch(name, /_(ms|milliseconds|minutes|mb)\b/);
    for (const label of labels) assert.match(label, /^[a-z]+(_[a-z]+)*$/);
    assert.match(help, /^[A-Z0-9].*\.$/, name);
    assert.ok(text.includes(`# HELP ${name} ${help}\n# TYPE ${name} ${typeOf(name, metric)}\n`), name);
    const own = series.filter((one) => one.name.replace(/_(bucket|sum|count)$/, "") === name);
    assert.ok(own.length > 0, name);
    for (const one of own) {
      const expected = one.name.endsWith("_bucket") ? [...labels, "le"] : labels;
      assert.deepEqual(Object.keys(one.labels).toSorted(), expected.toSorted(), one.name);
      assert.ok(one.value >= 0, one.name);
    }
  }
  for (const { name } of series) assert.ok(name.replace(/_(bucket|sum|count)$/, "") in metricsTable, name);
});

test("requests are counted by route pattern and status, however they end", async () => {
  const { series: before } = await scrape(adminPort);
  await service.request(`/v1/iban/${iban}`);
  await service.request("/v1/iban/DE8937040044053201300X");
  await service.request("/v1/iban/1");
  await service.post("/v1/iban", { ibans: [iban, iban, 1] });
  await service.post("/v1/iban", { ibans: [] });
  await service.post("/v1/iban", "{");
  await service.request("/v1/ping", { headers: { "X-API-Key": "no-key-at-all-01" } });
  await service.request("/nowhere");
  await service.request("/v1/iban", { method: "DELETE" });
  const { text, series } = await scrape(adminPort);
  const more = growth(before, series);
  for (const [method, route, status, count] of [
    ["GET", "/v1/iban/{iban}", "200", 2],
    ["GET", "/v1/iban/{iban}", "400", 1],
    ["POST", "/v1/iban", "200", 1],
    ["POST", "/v1/iban", "400", 2],
    ...["401", "404", "405"].map((status) => ["none", "none", status, 1] as const),
  ] as const)
    assert.equal(more("requests_total", { method, route, status }), count, `${method} ${route} ${status}`);
  assert.equal(more("checks_total"), 5, "two single ones and a batch of three");
  assert.ok(!text.includes(iban));
});

test("requests that began are timed, those that a worker did are timed up to their beginning too", async () => {
  const { series: before } = await scrape(adminPort);
  await service.request(`/v1/iban/${iban}`);
  await service.request("/v1/ping");
  await service.post("/v1/iban", "not json", { "Content-Type": "text/plain" });
  const { series } = await scrape(adminPort);
  const more = growth(before, series);
  const duration = "request_duration_seconds";
  const single = { method: "GET", route: "/v1/iban/{iban}" };
  assert.equal(more(`${duration}_count`, single), 1);
  assert.equal(more(`${duration}_bucket`, { ...single, le: "+Inf" }), 1);
  assert.equal(more(`${duration}_count`, { method: "GET", route: "/v1/ping" }), 1);
  const refused = { method: "POST", route: "/v1/iban" };
  assert.equal(more(`${duration}_count`, refused), 0, "refused before it began");
  assert.equal(more("queue_wait_seconds_count"), 1);
  const [took, waited] = [more(`${duration}_sum`, single), more("queue_wait_seconds_sum")];
  assert.ok(took > 0 && took < 60, String(took));
  assert.ok(waited >= 0 && waited <= took, `${waited} of ${took}`);
});

test("the figures as JSON are those that Prometheus reads", async () => {
  const { process, requests, durations, pool } = await readMetrics(service);
  const { series } = await scrape(adminPort);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  // The reading itself is counted after it.
  const others = requests.by_route.filter(({ route }) => !route.includes("metrics"));
  for (const { count, status, ...labels } of others)
    assert.equal(valueIn(series, "bankcheck_requests_total", { ...labels, status: `${status}` }), count);
  assert.ok(requests.by_route.length > 5);
  for (const rows of [requests.by_route, requests.by_status])
    assert.equal(sum(pluck(rows, "count")), requests.total);
  assert.equal(process.id, service.child.pid);
  assert.equal(requests.checks, valueIn(series, "bankcheck_checks_total"));
  assert.deepEqual(durations.bounds_ms, [...durationBounds]);
  assert.equal(sum(durations.wait.counts), valueIn(series, "bankcheck_queue_wait_seconds_count"));
  const { counts, p50_ms, p99_ms } = durations.check;
  const waits = sum(durations.wait.counts);
  assert.ok(sum(counts) > waits, "what was refused by its operation began, so it is timed");
  assert.ok(p50_ms !== null && p99_ms !== null && p50_ms > 0 && p50_ms <= p99_ms);
  assert.ok(pool.busy_ms.length === pool.size && process.busy_ms > 0);
});

test("a histogram has every bound, and its buckets never fall", async () => {
  const { series } = await scrape(adminPort);
  const buckets = series.filter(({ name }) => name === "bankcheck_queue_wait_seconds_bucket");
  const bounds = durationBounds.map((bound) => `${bound / 1_000}`);
  assert.deepEqual(pluck(pluck(buckets, "labels"), "le"), [...bounds, "+Inf"]);
  for (const [at, { value }] of buckets.slice(1).entries()) assert.ok(value >= buckets[at]!.value);
  const timed = series.filter(({ name }) => name === "bankcheck_request_duration_seconds_count");
  assert.equal(timed.length, routes.length);
});

test("workers and front end are listed, and their time at work grows with their tasks, from one start on", async () => {
  const { series: before } = await scrape(adminPort);
  await service.post("/v1/iban", { ibans: Array.from({ length: 500 }, () => iban) });
  for (let round = 0; round < 20; round++) await service.request("/v1/ping");
  const { series } = await scrape(adminPort);
  const more = growth(before, series);
  const workers = series.filter(({ name }) => name === "bankcheck_worker_busy_seconds_total");
  assert.deepEqual(pluck(pluck(workers, "labels"), "worker"), ["0", "1"]);
  const [one, other] = workers.map(({ labels }) => more("worker_busy_seconds_total", labels));
  assert.ok(one! + other! > 0, `${one} and ${other}`);
  assert.ok(more("front_end_busy_seconds_total") > 0);
  const started = valueIn(series, "process_start_time_seconds")!;
  assert.equal(valueIn(before, "process_start_time_seconds"), started);
  const frontEnd = valueIn(series, "bankcheck_front_end_busy_seconds_total")!;
  assert.ok(frontEnd <= Date.now() / 1_000 - started, "at work no longer than it lives");
  for (const [name, value] of [
    ["workers", 2],
    ["pool_ceiling", 1_026],
    ["pool_large_ceiling", 258],
    ["pool_inside", 0],
    ["worker_restarts_total", 0],
  ] as const)
    assert.equal(valueIn(series, `bankcheck_${name}`), value, name);
});
