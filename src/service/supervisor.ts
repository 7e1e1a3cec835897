import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { unusedPort } from "../http/listener.ts";
import type { Settings } from "../settings.ts";
import { WorkDesk, type WorkOrder, type WorkReport } from "./work.ts";

/** Environment variable by which a process knows that it is one of several; its value is the process's number. */
export const processVariable = "BANKCHECK_PROCESS";

/** Message of the supervisor to a process; messages wait until they are read, whereas a signal could come too early. */
export type SupervisorMessage = "ping" | "reload" | "closePort" | "stop" | WorkOrder;

/** Message of a process to its supervisor: its port once it answers, replies to `ping` and `closePort`, its work. */
type ProcessMessage = { readonly port: number } | "pong" | "portClosed" | WorkReport;

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
const initialPauseMs = 100;
const maxPauseMs = 5_000;

/** How long all processes have to close the port before the first ends its connections. */
const closePortMs = 1_000;

/** How much longer than `STOP_TIMEOUT` a process may take to stop before it is killed. */
const stopGraceMs = 2_000;

/** A process that has left this many pings unanswered is frozen; counted, so that a machine that slept kills none. */
const maxUnanswered = 4;
const pingIntervalMs = 700;

/**
 * Runs several processes of the service on one port (`PROCESSES`), which the system shares among them.
 *
 * The first process alone makes the first API key; the others follow. One that ends is replaced, the sooner it
 * ended the later; one that has not answered a ping for some three seconds is killed and replaced. When this process
 * dies, the others stop.
 */
export class Supervisor {
  readonly #settings: Settings;
  readonly #args: readonly string[];
  readonly #log: Logger;
  readonly #processes = new Set<ChildProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  readonly #work = new WorkDesk();
  /** The port that the processes share. */
  readonly port: number;
  #isStopping = false;

  private constructor(settings: Settings, args: readonly string[], port: number, log: Logger) {
    this.#settings = settings;
    this.port = port;
    // A port that the system chose for one process cannot be shared with another, so it is chosen before.
    this.#args = [...args, `--port=${port}`];
    this.#log = log;
  }

  /**
   * Starts all processes with these command-line arguments and resolves when each answers.
   *
   * Rejects with ProcessFailed where one cannot start, or with a StartError where somebody else has the port: a shared
   * port would otherwise be shared with them.
   */
  static async start(settings: Settings, args: readonly string[], log: Logger): Promise<Supervisor> {
    const port = await unusedPort(settings.host, settings.port);
    const supervisor = new Supervisor(settings, args, port, log);
    try {
      await answering(supervisor.#fork(0));
      const others = Array.from({ length: settings.processes - 1 }, (_, index) =>
        answering(supervisor.#fork(index + 1)),
      );
      await Promise.all(others);
      return supervisor;
    } catch (error) {
      await supervisor.stop();
      throw error;
    }
  }

  /** Has every process load the bank data again. */
  reload(): void {
    this.#sendAll("reload");
  }

  /** Stops all processes as SIGTERM does, and kills what has not stopped some time after `STOP_TIMEOUT`. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const ended = [...this.#processes].map((child) => once(child, "exit"));
    const killer = setTimeout(() => this.kill(), this.#settings.stopTimeout + stopGraceMs);
    // A client whose connection one process ends connects again at once, and would wait for another that closes the port.
    const closed = [...this.#processes].map(closingPort);
    this.#sendAll("closePort");
    await Promise.race([Promise.all(closed), delay(closePortMs)]);
    this.#sendAll("stop");
    await Promise.all(ended);
    clearTimeout(killer);
  }

  kill(): void {
    for (const child of this.#processes) child.kill("SIGKILL");
  }

  #sendAll(message: SupervisorMessage): void {
    for (const child of this.#processes) send(child, message);
  }

  #fork(index: number, pauseMs = initialPauseMs): ChildProcess {
    const started = performance.now();
    const child = fork(process.argv[1]!, this.#args, {
      env: { ...process.env, [processVariable]: String(index) },
    });
    this.#processes.add(child);
    let hasAnswered = false;
    child.once("message", () => {
      hasAnswered = true;
      this.#log.info({ index, pid: child.pid }, "process started");
      this.#watch(child, index);
      this.#work.join(index, child);
    });
    child.once("exit", (code, signal) => {
      this.#processes.delete(child);
      // One that cannot even start the first time ends the start of the whole service.
      const isFirst = pauseMs === initialPauseMs;
      if (this.#isStopping || (!hasAnswered && isFirst)) return;
      const pause = performance.now() - started < shortLifeMs ? pauseMs : initialPauseMs;
      this.#log.error({ index, pid: child.pid, code, signal, pause }, "process ended; it is replaced");
      const restart = setTimeout(() => {
        this.#restarts.delete(restart);
        this.#fork(index, Math.min(2 * pause, maxPauseMs));
      }, pause);
      this.#restarts.add(restart);
    });
    return child;
  }

  /** Kills a process that does not answer; its end is reported above, as any other. */
  #watch(child: ChildProcess, index: number): void {
    let unanswered = 0;
    child.on("message", (message: ProcessMessage) => {
      if (message === "pong") unanswered = 0;
    });
    const timer = setInterval(() => {
      // A process that stops is waited for as long as its requests may take.
      if (this.#isStopping) return;
      if (unanswered === maxUnanswered) {
        this.#log.error({ index, pid: child.pid }, "process does not answer; it is killed");
        child.kill("SIGKILL");
        return;
      }
      unanswered++;
      send(child, "ping");
    }, pingIntervalMs);
    child.once("exit", () => clearInterval(timer));
  }
}

/** A process that has just ended takes no message; its own event reports its end. */
function send(child: ChildProcess, message: SupervisorMessage): void {
  if (child.connected) child.send(message, () => {});
}

/** Resolves when a process answers; rejects when it ends before. */
function answering(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code: number | null) => reject(new ProcessFailed(code ?? 1)));
  });
}

/** Resolves when a process has closed the port, or ends. */
function closingPort(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on("message", (message: ProcessMessage) => {
      if (message === "portClosed") resolve();
    });
    child.once("exit", () => resolve());
  });
}
