import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Logger } from "pino";
import { unusedPort } from "../http/ports.ts";
import { Channel, within } from "../process/calls.ts";
import type { Settings } from "../settings-table.ts";
import { processesAnswer, WorkHistory } from "./work-history.ts";

/** Environment variable by which a process knows that it is one of several; its value is the process's number. */
export const processVariable = "BANKCHECK_PROCESS";

/** What a process does for its supervisor; calls wait until they are read, whereas a signal could come too early. */
export interface ProcessOffers {
  ping(): void;
  reload(): void;
  closePort(): void;
  stop(): void;
  /** The counters and gauges of the process as JSON; undefined before it answers requests. */
  reading(): string | undefined;
}

/** What the supervisor does for a process. */
export interface SupervisorOffers {
  /** The process answers requests. */
  ready(): void;
  /** Keeps the work of ten seconds, as JSON. */
  period(work: string): void;
  /** The answers of `GET /service/metrics/processes` and `GET /service/metrics/history`. */
  processes(): Promise<string>;
  history(): string;
}

/** A process of the service ended before it ever answered; it has said why itself, or the supervisor that it was killed. */
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

/**
 * A process that has left this many pings unanswered is frozen; counted, so that a machine that slept kills none. One that
 * starts may be without a processor for long.
 */
const maxUnanswered = { ready: 4, starting: 30 } as const;
const pingIntervalMs = 700;

/** How long a process may take for a reading. */
const readingsMs = 500;

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
  readonly #processes = new Map<ChildProcess, Channel<ProcessOffers>>();
  /** Those that answer requests, by number. */
  readonly #ready = new Map<number, Channel<ProcessOffers>>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** The work of all processes, which outlives each. */
  readonly #history = new WorkHistory();
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
   * Makes a supervisor of processes with these command-line arguments. Rejects with a StartError if somebody else has the
   * port: a shared port would otherwise be shared with them.
   */
  static async open(settings: Settings, args: readonly string[], log: Logger): Promise<Supervisor> {
    return new Supervisor(settings, args, await unusedPort(settings.host, settings.port), log);
  }

  /** Starts all processes and resolves when each answers; rejects with ProcessFailed if one cannot start. */
  async start(): Promise<void> {
    try {
      await this.#fork(0);
      const others = Array.from({ length: this.#settings.processes - 1 }, (_, index) =>
        this.#fork(index + 1),
      );
      await Promise.all(others);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Has every process load the bank data again. */
  reload(): void {
    this.#notifyAll("reload");
  }

  /** Stops all processes as SIGTERM does, and kills what has not stopped some time after `STOP_TIMEOUT`. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const ended = [...this.#processes.keys()].map((child) => once(child, "exit"));
    const killer = setTimeout(() => this.kill(), this.#settings.stopTimeout + stopGraceMs);
    // A client whose connection one process ends connects again at once, and would wait for another that closes the port.
    const closed = [...this.#processes.values()].map((process) => process.call("closePort"));
    await within(closePortMs, Promise.allSettled(closed)).catch(() => {});
    this.#notifyAll("stop");
    await Promise.all(ended);
    clearTimeout(killer);
  }

  kill(): void {
    for (const child of this.#processes.keys()) child.kill("SIGKILL");
  }

  #notifyAll(order: "reload" | "stop"): void {
    for (const process of this.#processes.values()) process.notify(order);
  }

  /** Starts a process; resolves when it answers, and rejects where it ends before. */
  async #fork(index: number, pauseMs = initialPauseMs): Promise<void> {
    const started = performance.now();
    // One that cannot even start the first time ends the start of the whole service.
    const isFirst = pauseMs === initialPauseMs;
    const child = await this.#spawn(index).catch((error: unknown) => {
      if (!isFirst && !this.#isStopping) {
        this.#log.error(
          { index, err: error, pause: pauseMs },
          "process cannot be started; it is tried again",
        );
        this.#replaceAfter(pauseMs, index);
      }
      throw error;
    });
    return new Promise((resolve, reject) => {
      let hasAnswered = false;
      const channel: Channel<ProcessOffers> = new Channel(child, {
        ready: () => {
          hasAnswered = true;
          this.#log.info({ index, pid: child.pid }, "process started");
          this.#ready.set(index, channel);
          resolve();
        },
        period: (work) => this.#history.add(index, work),
        processes: () => this.#readAll(),
        history: () => this.#history.answer,
      } satisfies SupervisorOffers);
      this.#processes.set(child, channel);
      this.#watch(child, channel, index);
      child.once("exit", (code, signal) => {
        this.#processes.delete(child);
        if (hasAnswered) this.#ready.delete(index);
        reject(new ProcessFailed(code ?? 1));
        const endsStart = !hasAnswered && isFirst;
        if (endsStart && signal !== null && !this.#isStopping) {
          this.#log.error({ index, pid: child.pid, signal }, "process was killed before it answered");
        }
        if (this.#isStopping || endsStart) return;
        const pause = performance.now() - started < shortLifeMs ? pauseMs : initialPauseMs;
        this.#log.error({ index, pid: child.pid, code, signal, pause }, "process ended; it is replaced");
        this.#replaceAfter(pause, index);
      });
    });
  }

  /** Rejects where the system has no memory or no number for another process. */
  async #spawn(index: number): Promise<ChildProcess> {
    const child = fork(process.argv[1]!, this.#args, {
      env: { ...process.env, [processVariable]: String(index) },
    });
    await once(child, "spawn");
    return child;
  }

  #replaceAfter(pause: number, index: number): void {
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#fork(index, Math.min(2 * pause, maxPauseMs)).catch(() => {});
    }, pause);
    this.#restarts.add(restart);
  }

  /** Kills a process that does not answer; its end is reported above, as any other. */
  #watch(child: ChildProcess, channel: Channel<ProcessOffers>, index: number): void {
    let unanswered = 0;
    const answered = () => {
      unanswered = 0;
    };
    const timer = setInterval(() => {
      // A process that stops is waited for as long as its requests may take.
      if (this.#isStopping) return;
      const isReady = this.#ready.get(index) === channel;
      if (unanswered >= maxUnanswered[isReady ? "ready" : "starting"]) {
        this.#log.error({ index, pid: child.pid }, "process does not answer; it is killed");
        child.kill("SIGKILL");
        return;
      }
      unanswered++;
      channel.call("ping").then(answered, () => {});
    }, pingIntervalMs);
    child.once("exit", () => clearInterval(timer));
  }

  /** Asks all processes that answer for a reading; those that are too late are named as missing. */
  async #readAll(): Promise<string> {
    const readings = [...this.#ready].map(async ([index, channel]) => {
      const reading = await within(readingsMs, channel.call("reading")).catch(() => undefined);
      return [index, reading] as const;
    });
    return processesAnswer(new Map(await Promise.all(readings)));
  }
}
