import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import { RawConnection, requestBytes } from "../http/raw-socket.ts";
import { startQuickService } from "../service.ts";
import { randomOf } from "../support/random.ts";
import { until } from "./gate.ts";

/** `RESTARTS=20 npm test -- faults/restart` restarts 20 times, under 300 connections. */
const restarts = Number(process.env["RESTARTS"] ?? 1);
const connections = restarts > 1 ? 300 : 100;
const request = requestBytes("GET", "/v1/iban/DE89370400440532013000");

const random = randomOf(connections);

/** What clients with kept connections have seen. */
interface Seen {
  answered: number;
  /** Requests that were sent and got no whole answer. */
  lost: number;
  isOver: boolean;
}

/**
 * Asks one request after the other on a connection that is kept, with pauses of up to 3 ms.
 *
 * An answer with `Connection: close` and a refused connection make a client connect again. A connection that ends before
 * a request is answered has lost it; one that ends with none in flight has lost nothing.
 */
async function keepAsking(port: number, seen: Seen): Promise<void> {
  while (!seen.isOver) {
    const connection = await RawConnection.open(port).catch(() => undefined);
    if (connection === undefined) await delay(5);
    for (let isKept = true; isKept && connection?.isOver === false && !seen.isOver; await delay(random(4))) {
      const answer = await connection.ask(request).catch(() => undefined);
      const isLost = answer === undefined || (answer.status >= 500 && answer.status !== 503);
      if (isLost) seen.lost++;
      else seen.answered++;
      isKept = !isLost && answer.headers.get("connection") !== "close";
    }
    connection?.destroy();
  }
}

/** Restarts a service under load; returns how many requests were lost, and whether the clients had no processor for long. */
async function restarted(processes: string, context: TestContext) {
  const lateness = monitorEventLoopDelay();
  lateness.enable();
  const port = await freePort();
  const settings = { PORT: String(port), PROCESSES: processes, POOL_QUEUE: "1024" };
  let service = await startQuickService(settings);
  const clients: Seen = { answered: 0, lost: 0, isOver: false };
  const asking = Array.from({ length: connections }, () => keepAsking(port, clients));
  for (let restart = 0; restart < restarts; restart++) {
    const before = clients.answered;
    await until(() => clients.answered > before + 10 * connections);
    assert.equal(await service.stop(), 0);
    context.diagnostic(`${clients.answered} answered`);
    service = await startQuickService(settings);
  }
  clients.isOver = true;
  await Promise.all(asking);
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
