import { setTimeout as delay } from "node:timers/promises";
import { BankcheckClient } from "../src/client/index.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { benchKey } from "./load/requests.ts";
import { figure } from "./report/statistics.ts";
import { aligned } from "./report/table.ts";
import { servers } from "./scenarios.ts";

/** What the service does per second. */
interface Activity {
  /** How often its main thread, and its other threads together, are woken. */
  readonly main: number;
  readonly others: number;
  /** Processor time of all threads, in ms. */
  readonly processorMs: number;
}

/** Cost of the service while it receives no requests, and none but those of an open console. */
export interface IdleResult {
  readonly alone: Activity;
  readonly withConsole: Activity;
  readonly memoryMb: number;
}

const checks = 50;
/** Shifts end and timers stop some seconds after the last request. */
const settleMs = 4_000;
const seconds = 5;
/** How often the console's pool page asks (`src/console/session.ts`). */
const pollIntervalMs = 1_000;

/** Starts the service, asks it a few checks, and measures it alone and while a console shows its pool page. */
export async function runIdle(): Promise<IdleResult> {
  const server = await startServer(servers.bankcheck);
  try {
    const client = new BankcheckClient({ baseUrl: server.url, apiKey: benchKey });
    for (let sent = 0; sent < checks; sent++) await client.check("DE89370400440532013000");
    await delay(settleMs);
    const alone = await watch(server);
    await client.history();
    const poll = setInterval(() => void client.processes(), pollIntervalMs);
    const withConsole = await watch(server);
    clearInterval(poll);
    return { alone, withConsole, memoryMb: server.memory() };
  } finally {
    await server.stop();
  }
}

async function watch(server: TestServer): Promise<Activity> {
  const before = { ...server.wakeUps(), time: server.processorTime().all };
  await delay(seconds * 1_000);
  const { main, others } = server.wakeUps();
  return {
    main: (main - before.main) / seconds,
    others: (others - before.others) / seconds,
    processorMs: ((server.processorTime().all - before.time) * 1_000) / seconds,
  };
}

/** The result in cells: a head, then a row for each figure. */
export function idleCells({ alone, withConsole, memoryMb }: IdleResult): readonly (readonly string[])[] {
  const row = (title: string, key: keyof Activity) => [title, figure(alone[key]), figure(withConsole[key])];
  return [
    ["per second", "no request", "an open console"],
    row("wake-ups of the main thread", "main"),
    row("wake-ups of all other threads", "others"),
    row("processor time of all threads, ms", "processorMs"),
    ["resident memory, MB", "", figure(memoryMb)],
  ];
}

/** The result as lines of text. */
export function idleTable(result: IdleResult): string {
  return `${aligned(idleCells(result))}\n`;
}
