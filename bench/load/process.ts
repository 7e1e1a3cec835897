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

/** Times of a process since its start, in seconds: of its main thread, and of all its threads together. */
export interface ProcessorTime {
  readonly main: number;
  readonly all: number;
  /** How long they were ready to run, but every processor was taken: the delay by the run queue. */
  readonly mainDelay: number;
  readonly allDelay: number;
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

/** Reads the times of a process. */
export function readProcessorTime(pid: number): ProcessorTime {
  const [main, mainDelay] = threadTimes(pid, String(pid));
  const others = readdirSync(`/proc/${pid}/task`).filter((thread) => thread !== String(pid));
  let [all, allDelay] = [main, mainDelay];
  for (const thread of others) {
    try {
      const [run, delay] = threadTimes(pid, thread);
      all += run;
      allDelay += delay;
    } catch {
      // The thread has ended since the folder was read.
    }
  }
  return { main, all, mainDelay, allDelay };
}

/** Seconds for which a thread has run, and for which it has waited for a processor. */
function threadTimes(pid: number, thread: string): readonly [run: number, delay: number] {
  const [run, delay] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
  return [Number(run) / 1e9, Number(delay) / 1e9];
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
