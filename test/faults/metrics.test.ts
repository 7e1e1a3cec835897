import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { MetricsAnswer } from "../../src/client/index.ts";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { until } from "./gate.ts";
import { type MarkedService, startMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

let service: MarkedService;
before(async () => {
  service = await startMarkedService({ POOL_SIZE: "1", POOL_QUEUE: "2" });
});
after(() => service.stop());

const iban = "DE89370400440532013000";
const ask = (bytes: Uint8Array) => exchangeOnce(service.port, bytes);

async function readMetrics(): Promise<MetricsAnswer> {
  const { status, body } = await ask(requestBytes("GET", "/service/metrics"));
  assert.equal(status, 200);
  return JSON.parse(body.toString()) as MetricsAnswer;
}

test("a full pool shows in the gauges, and each refusal in the counter alone", async () => {
  const before = await readMetrics();
  assert.deepEqual([before.pool.inside, before.pool.waiting, before.pool.ceiling], [0, 0, 3]);
  service.gate.shut();
  const holders = [];
  for (let place = 0; place < 3; place++) holders.push(await service.check(markers.gate));
  await service.inside(3);
  const batch = postBytes("/v1/iban", JSON.stringify({ ibans: [iban] }));
  for (const bytes of [requestBytes("GET", `/v1/iban/${iban}`), batch])
    assert.equal((await ask(bytes)).status, 503);
  const full = await readMetrics();
  assert.deepEqual([full.pool.inside, full.pool.waiting], [3, 2]);
  assert.equal(full.requests.refused, before.requests.refused + 2);
  assert.equal(full.requests.by_status.find(({ status }) => status === 503)?.count, 2);
  service.gate.open();
  for (const holder of holders) {
    assert.equal((await holder.answer()).status, 200);
    holder.destroy();
  }
  await service.inside(0);
  assert.deepEqual((await readMetrics()).pool.waiting, 0);
});

test("a body for which no memory is left is refused, and counted", async () => {
  const { requests } = await readMetrics();
  // A body that never ends: the last bytes are missing.
  const unfinished = postBytes("/v1/iban", JSON.stringify({ iban, filler: "f".repeat(131_000) })).subarray(
    0,
    -3,
  );
  const connections = [];
  let answered = 0;
  while (answered === 0 && connections.length < 1_000) {
    const connection = await service.send(unfinished);
    void connection.answer().then(
      ({ status }) => {
        if (status === 503) answered++;
      },
      () => {},
    );
    connections.push(connection);
  }
  await until(() => answered > 0);
  for (const connection of connections) connection.destroy();
  assert.ok((await readMetrics()).requests.refused >= requests.refused + answered);
});

test("a worker that dies shows as one restart and one failed request", async () => {
  const { pool } = await readMetrics();
  assert.equal((await ask(requestBytes("GET", `/v1/iban/${markers.exit}`))).status, 500);
  assert.equal((await ask(requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
  const after = await readMetrics();
  assert.equal(after.pool.restarts, pool.restarts + 1);
  assert.equal(after.requests.by_status.find(({ status }) => status === 500)?.count, 1);
});
