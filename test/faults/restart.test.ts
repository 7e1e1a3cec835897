import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type TestContext, test } from "node:test";
import { freePort } from "../free-port.ts";
import { requestBytes } from "../http/raw-socket.ts";
import { startQuickService } from "../service.ts";
import { until } from "./gate.ts";
import { startKeptClients } from "./kept-connections.ts";

/** `RESTARTS=20 npm test -- faults/restart` restarts 20 times, under 300 connections. */
const restarts = Number(process.env["RESTARTS"] ?? 1);
const connections = restarts > 1 ? 300 : 100;
const request = requestBytes("GET", "/v1/iban/DE89370400440532013000");

/** Restarts a service under load; returns how many requests were lost, and whether the clients had no processor for long. */
async function restarted(
  processes: string,
  context: TestContext,
): Promise<{ lost: number; areLate: boolean }> {
  const lateness = monitorEventLoopDelay();
  lateness.enable();
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
  lateness.disable();
  return { lost: clients.lost, areLate: lateness.max / 1e6 > 500 };
}

for (const processes of ["1", "2"]) {
  test(`${restarts} restart(s) of ${processes} process(es) under ${connections} kept connections lose no request`, async (context) => {
    let result = await restarted(processes, context);
    // A service that stops waits a second for what its clients send, which may have no processor for so long.
    for (let again = 0; again < 4 && result.lost > 0 && result.areLate; again++)
      result = await restarted(processes, context);
    assert.equal(result.lost, 0);
  });
}
