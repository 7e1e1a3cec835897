import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ended, endWithThisProcess } from "../../test/support/children.ts";
import { temporaryFolder } from "../command.ts";
import { benchKey } from "./requests.ts";

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

/** Times of a process since its start, in seconds: of its main thread, and of all its threads together; NaN where unknown. */
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
  /** Resident memory in MB, and the highest it has been. */
  memory(): number;
  peakMemory(): number;
  /** Returns what it answers to a GET under the bench's key. */
  ask<Answer>(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a server and waits until it says where it listens (`"address":"http://…"`). */
export async function startServer(spec: ServerSpec): Promise<TestServer> {
  const begin = performance.now();
  const child = spawn(process.execPath, spec.args, {
    cwd: spec.folder ?? root,
    env: { PATH: process.env["PATH"] ?? "", STATE_DIR: temporaryFolder(), ...spec.env },
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
    peakMemory: () => readMemory(pid!, "VmHWM"),
    ask: async <Answer>(path: string) => {
      const answer = await fetch(url + path, { headers: { "X-API-Key": benchKey } });
      return (await answer.json()) as Answer;
    },
    stop: () => ended(child),
  };
}

function addressOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let isListening = false;
    let said = "";
    const read = (line: string) => {
      if (isListening) return;
      said += `${line}\n`;
      const address = /"address":"([^"]+)"/.exec(line)?.[1];
      isListening = address !== undefined;
      if (address !== undefined) resolve(address);
    };
    createInterface({ input: child.stdout! }).on("line", read);
    createInterface({ input: child.stderr! }).on("line", read);
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}: ${said}`)));
  });
}

/** Reads a file of /proc; an empty text where there is none, as on other systems and of what has ended. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** The threads of a process, its main thread first. */
function threadsOf(pid: number): readonly string[] {
  try {
    return [...new Set([String(pid), ...readdirSync(`/proc/${pid}/task`)])];
  } catch {
    return [String(pid)];
  }
}

/** Reads the times of a process; NaN where the system does not count them. */
export function readProcessorTime(pid: number): ProcessorTime {
  const [main, ...others] = threadsOf(pid).map((thread) => threadTimes(pid, thread));
  // A thread that has ended since the folder was read has none.
  const sum = (index: 0 | 1) => others.reduce((total, times) => total + (times[index] || 0), main![index]);
  return { main: main![0], all: sum(0), mainDelay: main![1], allDelay: sum(1) };
}

/** Seconds for which a thread has run, and for which it has waited for a processor. */
function threadTimes(pid: number, thread: string): readonly [run: number, delay: number] {
  const [run = Number.NaN, delay = Number.NaN] = readProc(`${pid}/task/${thread}/schedstat`)
    .split(" ")
    .map((nanoseconds) => Number.parseInt(nanoseconds, 10) / 1e9);
  return [run, delay];
}

function readWakeUps(pid: number): WakeUps {
  const [main = 0, ...others] = threadsOf(pid).map((thread) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readProc(`${pid}/task/${thread}/status`))?.[1] ?? 0),
  );
  return { main, others: others.reduce((sum, count) => sum + count, 0) };
}

/** Resident memory of a process in MB, now or at its highest; NaN where the system does not say so. */
export function readMemory(pid: number, which: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const kilobytes = new RegExp(`${which}:\\s+(\\d+)`).exec(readProc(`${pid}/status`))?.[1];
  return Number(kilobytes) / 1_024;
}
