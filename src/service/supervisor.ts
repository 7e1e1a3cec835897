import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
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

export interface SupervisorOffers {
  ready(): void;
  /** Keeps the work of ten seconds, as JSON. */
  period(work: string): void;
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

interface RunningProcess {
  readonly child: ChildProcess;
  readonly channel: Channel<ProcessOffers>;
  isReady: boolean;
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

const readingsMs = 500;

/**
 * Opens the supervisor of several processes of the service (`PROCESSES`) with these settings and command-line arguments, on
 * an unused port, which the system shares among them.
 *
 * The first process alone makes the first API key; the others follow. One that ends or is frozen is replaced. When this
 * process dies, the others stop.
 */
export function openSupervisor(settings: Settings, args: readonly string[], log: Logger) {
  /** The processes by their numbers. */
  const processes = new Map<number, RunningProcess>();
  /** The work of all processes, which outlives each. */
  const history = new WorkHistory();
  let isStopping = false;

  /** Keeps a process running; resolves when the first one answers, and rejects where that ends before. */
  const begin = (index: number) =>
    new Promise<void>((resolve, reject) => {
      keep(index, resolve).catch(reject);
    });

  async function keep(index: number, onReady: () => void): Promise<void> {
    let pause = initialPauseMs;
    for (let isFirst = true; isFirst || !isStopping; isFirst = false) {
      const started = performance.now();
      const { hasAnswered, ...facts } = await runOne(index, onReady).catch((err: unknown) => {
        // The system may have memory or a number for another process later; only the start does not wait for that.
        if (isFirst) throw err;
        return { hasAnswered: false, err, code: null, signal: null };
      });
      if (isFirst && !hasAnswered) {
        if (facts.signal !== null && !isStopping)
          log.error({ index, ...facts }, "process was killed before it answered");
        throw new ProcessFailed(facts.code ?? 1);
      }
      if (isStopping) return;
      if (performance.now() - started >= shortLifeMs) pause = initialPauseMs;
      const happened = "err" in facts ? "cannot be started; it is tried again" : "ended; it is replaced";
      log.error({ index, ...facts, pause }, `process ${happened}`);
      await delay(pause);
      pause = Math.min(2 * pause, maxPauseMs);
    }
  }

  /** Runs a process until it ends. Rejects where it cannot be started. */
  async function runOne(index: number, onReady: () => void) {
    // A port that the system chose for one process cannot be shared with another, so it is chosen before.
    const child = fork(process.argv[1]!, [...args, `--port=${settings.port}`], {
      env: { ...process.env, [processVariable]: String(index) },
    });
    await once(child, "spawn");
    const { pid } = child;
    const channel = new Channel<ProcessOffers>(child, {
      ready: () => {
        running.isReady = true;
        log.info({ index, pid }, "process started");
        onReady();
      },
      period: (work) => history.add(index, work),
      processes: readAll,
      history: () => history.answer,
    } satisfies SupervisorOffers);
    const running = { child, channel, isReady: false };
    processes.set(index, running);
    let unanswered = 0;
    const pings = setInterval(() => {
      // A process that stops is waited for as long as its requests may take.
      if (isStopping) return;
      if (unanswered >= maxUnanswered[running.isReady ? "ready" : "starting"]) {
        log.error({ index, pid }, "process does not answer; it is killed");
        child.kill("SIGKILL");
        return;
      }
      unanswered++;
      channel.call("ping").then(
        () => {
          unanswered = 0;
        },
        () => {},
      );
    }, pingIntervalMs);
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    clearInterval(pings);
    processes.delete(index);
    return { hasAnswered: running.isReady, pid, code, signal };
  }

  /** Asks all processes that answer for a reading; those that are too late are named as missing. */
  async function readAll(): Promise<string> {
    const ready = [...processes].filter(([, { isReady }]) => isReady);
    const readings = ready.map(async ([index, { channel }]) => {
      const reading = await within(readingsMs, channel.call("reading")).catch(() => undefined);
      return [index, reading] as const;
    });
    return processesAnswer(await Promise.all(readings));
  }

  const notifyAll = (order: "reload" | "stop") => {
    for (const { channel } of processes.values()) channel.notify(order);
  };

  const kill = () => {
    for (const { child } of processes.values()) child.kill("SIGKILL");
  };

  /** Stops all processes as SIGTERM does, and kills what has not stopped some time after `STOP_TIMEOUT`. */
  async function stop(): Promise<void> {
    isStopping = true;
    const ended = [...processes.values()].map(({ child }) => once(child, "exit"));
    const killer = setTimeout(kill, settings.stopTimeout + stopGraceMs);
    // A client whose connection one process ends connects again at once, and would wait for another that closes the port.
    const closed = [...processes.values()].map(({ channel }) => channel.call("closePort"));
    await within(closePortMs, Promise.allSettled(closed)).catch(() => {});
    notifyAll("stop");
    await Promise.all(ended);
    clearTimeout(killer);
  }

  return {
    /** Starts all processes and resolves when each answers; rejects with ProcessFailed if one cannot start. */
    start: async () => {
      try {
        await begin(0);
        await Promise.all(Array.from({ length: settings.processes - 1 }, (_, index) => begin(index + 1)));
      } catch (error) {
        await stop();
        throw error;
      }
    },
    reload: () => notifyAll("reload"),
    stop,
    kill,
  };
}
