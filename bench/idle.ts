import { setTimeout as delay } from "node:timers/promises";
import { BankcheckClient } from "../src/client/index.ts";
import { figure } from "./figures.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { benchKey } from "./load/requests.ts";
import type { Cells } from "./report/report.ts";
import { servers } from "./scenarios.ts";

/** What the service does per second: wake-ups of its threads, and processor time of all of them in ms. */
type Activity = Readonly<Record<"main" | "others" | "processorMs", number>>;

/** What the service costs while it receives no requests, and none but those of an open console. */
export interface IdleResult {
  readonly alone: Activity;
  readonly withConsole: Activity;
  readonly memoryMb: number;
}

const checks = 50;
/** Timers of the service stop some seconds after the last request. */
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
    const alone = await activity(server);
    await client.history();
    const poll = setInterval(() => void client.processes(), pollIntervalMs);
    const withConsole = await activity(server);
    clearInterval(poll);
    return { alone, withConsole, memoryMb: server.memory() };
  } finally {
    await server.stop();
  }
}

async function activity(server: TestServer): Promise<Activity> {
  const before = { ...server.wakeUps(), time: server.processorTime().all };
  await delay(seconds * 1_000);
  const { main, others } = server.wakeUps();
  return {
    main: (main - before.main) / seconds,
    others: (others - before.others) / seconds,
    processorMs: ((server.processorTime().all - before.time) * 1_000) / seconds,
  };
}

/** The result in cells. */
export function idleCells({ alone, withConsole, memoryMb }: IdleResult): Cells {
  const row = (title: string, key: keyof Activity) => [title, figure(alone[key]), figure(withConsole[key])];
  return [
    ["per second", "no request", "an open console"],
    row("wake-ups of the main thread", "main"),
    row("wake-ups of all other threads", "others"),
    row("processor time of all threads, ms", "processorMs"),
    ["resident memory, MB", "", figure(memoryMb)],
  ];
}
