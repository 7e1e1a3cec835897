import { setTimeout as delay } from "node:timers/promises";
import { benchKey } from "./load/generator.ts";
import { startServer } from "./load/process.ts";
import { figure } from "./report/statistics.ts";
import { aligned } from "./report/table.ts";
import { servers } from "./scenarios.ts";

/** Cost of the service while it receives no requests. */
export interface IdleResult {
  /** How often its main thread, and its other threads together, are woken per second. */
  readonly mainPerSecond: number;
  readonly othersPerSecond: number;
  /** Processor time of all threads, in ms per second. */
  readonly processorMs: number;
  readonly memoryMb: number;
}

const requests = 50;
/** Shifts end and timers stop some seconds after the last request. */
const settleMs = 4_000;
const seconds = 5;

/** Starts the service, asks it a few checks, leaves it alone, and measures what it does then. */
export async function runIdle(): Promise<IdleResult> {
  const server = await startServer(servers.bankcheck);
  try {
    const headers = { "X-API-Key": benchKey };
    for (let sent = 0; sent < requests; sent++) {
      await (await fetch(`${server.url}/v1/iban/DE89370400440532013000`, { headers })).arrayBuffer();
    }
    await delay(settleMs);
    const before = { wakeUps: server.wakeUps(), time: server.processorTime().all };
    await delay(seconds * 1_000);
    const after = server.wakeUps();
    return {
      mainPerSecond: (after.main - before.wakeUps.main) / seconds,
      othersPerSecond: (after.others - before.wakeUps.others) / seconds,
      processorMs: ((server.processorTime().all - before.time) * 1_000) / seconds,
      memoryMb: server.memory(),
    };
  } finally {
    await server.stop();
  }
}

/** The result in cells: a head, then a row for each figure. */
export function idleCells(result: IdleResult): readonly (readonly string[])[] {
  return [
    ["no request for seconds", ""],
    ["wake-ups of the main thread per second", figure(result.mainPerSecond)],
    ["wake-ups of all other threads per second", figure(result.othersPerSecond)],
    ["processor time, ms per second", figure(result.processorMs)],
    ["resident memory MB", figure(result.memoryMb)],
  ];
}

/** The result as lines of text. */
export function idleTable(result: IdleResult): string {
  return `${aligned(idleCells(result))}\n`;
}
