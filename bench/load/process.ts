import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BankcheckClient } from "../../src/client/index.ts";
import { ended, endWithThisProcess } from "../../test/support/children.ts";
import { newFolder } from "../../test/support/folders.ts";
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
  /** How often they have slept and been woken. */
  readonly mainWakeUps: number;
  readonly allWakeUps: number;
}

/** A server under test. */
export interface TestServer {
  readonly url: string;
  processorTime(): ProcessorTime;
  /** Resident memory in MB. */
  memory(): number;
  /** Calls it under the bench's key. */
  readonly client: BankcheckClient;
  stop(): Promise<void>;
}

/** Starts a server and waits until it says where it listens (`"address":"http://…"`). */
export async function startServer(spec: ServerSpec): Promise<TestServer> {
  const child = spawn(process.execPath, spec.args, {
    cwd: spec.folder ?? root,
    env: { PATH: process.env["PATH"] ?? "", STATE_DIR: newFolder(), ...spec.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithThisProcess(child);
  const url = await addressOf(child, spec.name);
  const { pid } = child;
  return {
    url,
    processorTime: () => readProcessorTime(pid!),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readProc(`${pid}/status`))?.[1]) / 1_024,
    client: new BankcheckClient({ baseUrl: url, apiKey: benchKey }),
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
  const all = (index: 0 | 1 | 2) =>
    others.reduce((total, times) => total + (times[index] || 0), main![index]);
  const [run, delay, wakeUps] = main!;
  return {
    ...{ main: run, all: all(0), mainDelay: delay, allDelay: all(1) },
    ...{ mainWakeUps: wakeUps, allWakeUps: all(2) },
  };
}

/** Seconds for which a thread has run, and for which it has waited for a processor; how often it was woken. */
function threadTimes(pid: number, thread: string): readonly [run: number, delay: number, wakeUps: number] {
  const [run = Number.NaN, delay = Number.NaN] = readProc(`${pid}/task/${thread}/schedstat`)
    .split(" ")
    .map((nanoseconds) => Number.parseInt(nanoseconds, 10) / 1e9);
  const status = readProc(`${pid}/task/${thread}/status`);
  return [run, delay, Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])];
}
