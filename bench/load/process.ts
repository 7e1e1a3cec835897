import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ended, endWithThisProcess } from "../../test/support/children.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How a server under test is started. */
export interface ServerSpec {
  readonly name: string;
  /** Arguments of node, from `folder`. */
  readonly args: readonly string[];
  /** This checkout where absent. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Seconds of processor time a server has used: its main thread, and all of its threads. */
export interface ProcessorTime {
  readonly main: number;
  readonly all: number;
}

/** How often threads were woken. */
export interface WakeUps {
  readonly main: number;
  readonly others: number;
}

/** A server under test. */
export interface TestServer {
  readonly name: string;
  readonly url: string;
  /** Milliseconds from start to listening. */
  readonly startMs: number;
  processorTime(): ProcessorTime;
  /** How often its main thread, and its other threads together, have slept and been woken since the start. */
  wakeUps(): WakeUps;
  /** Resident memory in MB. */
  memory(): number;
  stop(): Promise<void>;
}

/** Clock ticks per second of /proc; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Starts a server and waits until it says where it listens (`"address":"http://…"`). */
export async function startServer(spec: ServerSpec): Promise<TestServer> {
  const begin = performance.now();
  const child = spawn(process.execPath, spec.args, {
    cwd: spec.folder ?? root,
    env: { PATH: process.env["PATH"] ?? "", ...spec.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithThisProcess(child);
  const url = await addressOf(child, spec.name);
  const startMs = performance.now() - begin;
  const { pid } = child;
  return {
    name: spec.name,
    url,
    startMs,
    processorTime: () => readProcessorTime(pid!),
    wakeUps: () => readWakeUps(pid!),
    memory: () => readMemory(pid!),
    stop: () => ended(child),
  };
}

function addressOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const read = (line: string) => {
      said += `${line}\n`;
      const address = /"address":"([^"]+)"/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    };
    createInterface({ input: child.stdout! }).on("line", read);
    createInterface({ input: child.stderr! }).on("line", read);
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}: ${said}`)));
  });
}

/** Reads the processor time of a process. */
export function readProcessorTime(pid: number): ProcessorTime {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ticks = new Map(threads.map((thread) => [thread, threadTicks(`/proc/${pid}/task/${thread}/stat`)]));
  const all = [...ticks.values()].reduce((sum, value) => sum + value, 0);
  return { main: (ticks.get(String(pid)) ?? 0) / ticksPerSecond, all: all / ticksPerSecond };
}

function threadTicks(file: string): number {
  try {
    const afterName = readFileSync(file, "utf8").split(") ").at(-1)!.split(" ");
    return Number(afterName[11]) + Number(afterName[12]);
  } catch {
    // The thread has ended since the folder was read.
    return 0;
  }
}

function readWakeUps(pid: number): WakeUps {
  let [main, others] = [0, 0];
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const count = threadWakeUps(`/proc/${pid}/task/${thread}/status`);
    if (thread === String(pid)) main = count;
    else others += count;
  }
  return { main, others };
}

function threadWakeUps(file: string): number {
  try {
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(file, "utf8"))?.[1] ?? 0);
  } catch {
    // The thread has ended since the folder was read.
    return 0;
  }
}

function readMemory(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
