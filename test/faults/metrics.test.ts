import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { readMetrics, readUsage } from "../http/calls.ts";
import { batchOf, checkOf, useMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

const ceiling = 13;
const service = useMarkedService({ POOL_QUEUE: String(ceiling - 1) });

const iban = "DE89370400440532013000";
const check = (text: string) => service.ask(checkOf(text));
const batch = (...ibans: readonly string[]) => service.ask(batchOf(...ibans));

test("a full pool shows in the gauges, and each refusal in the counter alone", async () => {
  const before = await readMetrics(service);
  assert.deepEqual([before.pool.inside, before.pool.waiting, before.pool.ceiling], [0, 0, ceiling]);
  const holders = await service.fill(ceiling);
  for (let refusal = 0; refusal < 2; refusal++) assert.equal((await check(iban)).status, 503);
  const full = await readMetrics(service);
  assert.deepEqual([full.pool.inside, full.pool.waiting], [ceiling, ceiling - 1]);
  assert.equal(full.requests.refused, before.requests.refused + 2);
  assert.equal(full.requests.by_status.find(({ status }) => status === 503)?.count, 2);
  await service.release(holders);
  assert.deepEqual((await readMetrics(service)).pool.waiting, 0);
});

test("a worker that dies shows as one restart and one failed request", async () => {
  const { pool } = await readMetrics(service);
  assert.equal((await check(markers.exit)).status, 500);
  assert.equal((await check(iban)).status, 200);
  const after = await readMetrics(service);
  assert.equal(after.pool.restarts, pool.restarts + 1);
  assert.equal(after.requests.by_status.find(({ status }) => status === 500)?.count, 1);
});

test("refused and failed checks are never usage, answered ones are, IBAN by IBAN", async () => {
  const used = async () => (await readUsage(service.port)).key.total;
  const before = await used();
  const holders = await service.fill(ceiling);
  for (let refusal = 0; refusal < 10; refusal++) {
    expectError(await check(iban), "server_busy");
    expectError(await batch(iban, iban), "server_busy");
  }
  assert.equal(await used(), before);
  await service.release(holders);
  assert.equal(await used(), before + ceiling);
  expectError(await check(markers.throws), "checker_failed");
  expectError(await batch(iban, markers.exit), "checker_failed");
  expectError(await check("X"), "invalid_iban");
  assert.equal(await used(), before + ceiling);
  assert.equal((await batch(iban, iban, "?")).status, 200);
  assert.equal(await used(), before + ceiling + 3);
});

test("requests whose clients give up leave the queue before a worker begins them, and are counted as abandoned only", async () => {
  const before = await readMetrics(service);
  const { reached } = service.gate;
  const running = await service.check(markers.gate);
  await service.gate.reachedBy(reached + 1);
  const send = (_: unknown, index: number) =>
    index % 2 === 0 ? service.send(batchOf(iban, iban)) : service.check(iban);
  const waiting = await Promise.all(Array.from({ length: 12 }, send));
  await service.inside(13);
  for (const connection of waiting.slice(0, 10)) connection.destroy();
  await service.inside(3);
  await service.release([running, ...waiting.slice(10)]);
  // The single check of the marker, that of the last client, and the batch of two.
  const { requests } = await readMetrics(service);
  assert.deepEqual(
    [requests.abandoned - before.requests.abandoned, requests.checks - before.requests.checks],
    [10, 4],
  );
});
