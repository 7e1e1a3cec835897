import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BankcheckClient } from "../../src/client/index.ts";
import { ended, endWithThisProcess } from "../../test/support/children.ts";
import { newFolder } from "../../test/support/folders.ts";
import { readProc, residentMb } from "../../test/support/process-figures.ts";
import { benchKey } from "./requests.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

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

export interface TestServer {
  readonly url: string;
  processorTime(): ProcessorTime;
  memory(): number;
  /** Calls it under the bench's key. */
  readonly client: BankcheckClient;
  stop(): Promise<void>;
}

/** Starts a server and waits until its log says where it listens (`"address":"http://…"`). */
export async function startServer(spec: ServerSpec): Promise<TestServer> {
  const child = spawn(process.execPath, spec.args, {
    cwd: spec.folder ?? root,
    env: { PATH: process.env["PATH"] ?? "", STATE_DIR: newFolder(), ...spec.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  endWithThisProcess(child);
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    createInterface({ input: child.stderr }).on("line", (line) => {
      const address = /"address":"([^"]+)"/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
      else said += `${line}\n`;
    });
    child.once("exit", (code) => reject(new Error(`${spec.name} ended with ${code}: ${said}`)));
  });
  return {
    url,
    processorTime: () => readProcessorTime(child.pid!),
    memory: () => residentMb(child),
    client: new BankcheckClient({ baseUrl: url, apiKey: benchKey }),
    stop: () => ended(child),
  };
}

/** Reads the times of a process; NaN where the system does not count them. */
export function readProcessorTime(pid: number): ProcessorTime {
  const timesOf = (thread: string) =>
    readProc(`${pid}/task/${thread}/schedstat`)
      .split(" ")
      .map((nanoseconds) => Number.parseInt(nanoseconds, 10) / 1e9);
  const [main = Number.NaN, mainDelay = Number.NaN] = timesOf(String(pid));
  let [all, allDelay] = [main, mainDelay];
  for (const thread of threadsOf(pid)) {
    if (thread === String(pid)) continue;
    // A thread that has ended since the folder was read has none.
    const [run, delay] = timesOf(thread);
    all += run || 0;
    allDelay += delay || 0;
  }
  return { main, all, mainDelay, allDelay };
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
