import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../free-port.ts";
import { requestBytes } from "../http/raw-socket.ts";
import { startQuickService } from "../service.ts";
import { until } from "./gate.ts";
import { startKeptClients } from "./kept-connections.ts";

/** `RESTARTS=20 npm test -- faults/restart` restarts 20 times, under 300 connections. */
const restarts = Number(process.env["RESTARTS"] ?? 1);
const connections = restarts > 1 ? 300 : 100;
const request = requestBytes("GET", "/v1/iban/DE89370400440532013000");

for (const processes of ["1", "2"]) {
  test(`${restarts} restart(s) of ${processes} process(es) under ${connections} kept connections lose no request`, async (context) => {
    const port = await freePort();
    const settings = { PORT: String(port), PROCESSES: processes, POOL_QUEUE: "1024" };
    let service = await startQuickService(settings);
    const clients = startKeptClients(connections, () => port, request);
    for (let restart = 0; restart < restarts; restart++) {
      const before = clients.answered;
      await until(() => clients.answered > before + 10 * connections);
      const began = performance.now();
      assert.equal(await service.stop(), 0);
      context.diagnostic(
        `stopped in ${Math.round(performance.now() - began)} ms, ${clients.answered} answered`,
      );
      service = await startQuickService(settings);
    }
    await clients.end();
    assert.equal(await service.stop(), 0);
    assert.equal(clients.lost, 0);
  });
}
