import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Logger } from "pino";
import type { Settings } from "./settings.ts";

/** Environment variable by which a process knows that it is one of several; its value is the process's number. */
export const processVariable = "BANKCHECK_PROCESS";

/** What a process of the service tells its supervisor as soon as it answers. */
export interface ProcessReady {
  readonly port: number;
  /** The API key it made because there was none at all. */
  readonly firstKey: string | undefined;
}

/** A process of the service ended before it ever answered; it has said why itself. */
export class ProcessFailed extends Error {
  override readonly name = "ProcessFailed";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a process of the service ended with ${exitCode} before it answered`);
    this.exitCode = exitCode;
  }
}

/** A process that ends sooner than this after its start waits longer for the next one. */
const shortLifeMs = 10_000;
const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** How much longer than `STOP_TIMEOUT` a process may take to stop before it is killed. */
const stopGraceMs = 2_000;

/**
 * Runs several processes of the service on one port (`PROCESSES`), which the system shares among them.
 *
 * The first process alone makes the first API key; the others follow. One that ends by itself is replaced, the sooner it
 * ended the later. When this process dies, the others stop.
 */
export class Supervisor {
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #processes = new Set<ChildProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #stopping = false;

  private constructor(settings: Settings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /**
   * Starts all processes with these command-line arguments and resolves when each answers.
   *
   * Rejects with ProcessFailed where one cannot start, or with a sentence where the port is taken by somebody else:
   * a shared port would otherwise be shared with them.
   */
  static async start(
    settings: Settings,
    args: readonly string[],
    log: Logger,
  ): Promise<{ readonly supervisor: Supervisor; readonly ready: ProcessReady }> {
    // A port that the system chose for one process cannot be shared with another, so it is chosen here.
    const sameArgs = [...args, `--port=${await freePort(settings.host, settings.port)}`];
    const supervisor = new Supervisor(settings, log);
    try {
      const ready = await readyOf(supervisor.#fork(0, sameArgs));
      const others = Array.from({ length: settings.processes - 1 }, (_, index) =>
        readyOf(supervisor.#fork(index + 1, sameArgs)),
      );
      await Promise.all(others);
      return { supervisor, ready };
    } catch (error) {
      await supervisor.stop();
      throw error;
    }
  }

  /** Passes a signal on to every process. */
  signal(signal: NodeJS.Signals): void {
    for (const child of this.#processes) child.kill(signal);
  }

  /** Stops all processes as SIGTERM does, and kills what has not stopped some time after `STOP_TIMEOUT`. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const ended = [...this.#processes].map((child) => once(child, "exit"));
    this.signal("SIGTERM");
    const killer = setTimeout(() => this.signal("SIGKILL"), this.#settings.stopTimeout + stopGraceMs);
    await Promise.all(ended);
    clearTimeout(killer);
  }

  #fork(index: number, args: readonly string[], pauseMs = firstPauseMs): ChildProcess {
    const started = Date.now();
    const child = fork(process.argv[1]!, args, { env: { ...process.env, [processVariable]: String(index) } });
    this.#processes.add(child);
    let hasAnswered = false;
    child.once("message", () => {
      hasAnswered = true;
      this.#log.info({ index, pid: child.pid }, "process started");
    });
    child.once("exit", (code, signal) => {
      this.#processes.delete(child);
      // One that cannot even start the first time ends the start of the whole service.
      const isFirst = pauseMs === firstPauseMs;
      if (this.#stopping || (!hasAnswered && isFirst)) return;
      const pause = Date.now() - started < shortLifeMs ? pauseMs : firstPauseMs;
      this.#log.error({ index, pid: child.pid, code, signal, pause }, "process ended; it is replaced");
      const restart = setTimeout(() => {
        this.#restarts.delete(restart);
        this.#fork(index, args, Math.min(2 * pause, longestPauseMs));
      }, pause);
      this.#restarts.add(restart);
    });
    return child;
  }
}

/** Resolves with what a process tells when it answers; rejects when it ends before. */
function readyOf(child: ChildProcess): Promise<ProcessReady> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code: number | null) => reject(new ProcessFailed(code ?? 1)));
  });
}

/** Gives the port, or any free one for 0. Rejects when somebody listens on it already. */
async function freePort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
  } catch {
    throw new Error(`The port ${port} of ${host} cannot be listened on; it may be in use.`);
  }
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}
