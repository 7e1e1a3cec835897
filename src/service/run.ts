import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { unusedPort } from "../http/ports.ts";
import { Channel } from "../process/calls.ts";
import { LogSink } from "../process/log.ts";
import { helpText, readSettings, SettingError, StartError } from "../settings.ts";
import type { Settings } from "../settings-table.ts";
import { showFirstAnswer, showFirstKey } from "./first-key.ts";
import { type Service, startService } from "./service.ts";
import {
  ProcessFailed,
  type ProcessOffers,
  processVariable,
  Supervisor,
  type SupervisorOffers,
} from "./supervisor.ts";
import { systemdNotifier } from "./systemd.ts";

const exitCodes = { stopped: 0, failed: 1, wrongSetting: 2 } as const;

/** A signal within this time of the first one is the same: a terminal's reaches the process, and its command hands it on. */
const oneSignalMs = 1_000;

/** How long the end of the process waits for the log to be taken. */
const lastLinesMs = 250;

/** How long it waits for a write in progress, which may be slow on a busy machine. */
const hangingWriteMs = 5_000;

/**
 * Runs the service, or several processes of it, with these command-line arguments until a signal stops it.
 *
 * `onStopSignal` takes what SIGTERM and SIGINT do from now on.
 */
export async function run(
  args: readonly string[],
  onStopSignal: (stop: (signal: NodeJS.Signals) => void) => void,
): Promise<void> {
  if (args.includes("--help")) writeSync(1, helpText());
  else await new ServiceProcess().run(args, onStopSignal);
}

/** This process, from its start to its exit. */
class ServiceProcess {
  readonly #sink = new LogSink(2);
  readonly #log = this.#sink.log;
  /** The number of this process, if it is one of several. */
  readonly #number = process.env[processVariable];
  readonly #notifySystemd = this.#number === undefined ? systemdNotifier() : () => {};
  /** Undefined until it has started. */
  #service: Service | undefined;
  /** In place of a service, from its start on: the first of its processes answer requests while the others start. */
  #supervisor: Supervisor | undefined;
  /** Since when this process stops. */
  #stoppingAt: number | undefined;

  async run(
    args: readonly string[],
    onStopSignal: (stop: (signal: NodeJS.Signals) => void) => void,
  ): Promise<void> {
    process.removeAllListeners("warning");
    process.on("warning", (warning) => this.#log.warn({ err: warning }, "Node.js warning"));
    process.on("uncaughtException", (error) => this.#end(error));
    process.on("SIGHUP", () => (this.#service ?? this.#supervisor)?.reload());
    // Of several processes only the supervisor decides: a terminal, or systemd, sends its signals to all of them.
    onStopSignal((signal) => (this.#number === undefined ? this.#stopOrEnd(signal) : this.#stopOnce(signal)));
    const supervisor = this.#number === undefined ? undefined : this.#obeySupervisor();
    try {
      expectWorkingFolder();
      const settings = readSettings(args, process.env);
      this.#log.level = settings.logLevel;
      const { adminPort } = settings;
      if (settings.processes === 1) await this.#serve(settings);
      else if (supervisor === undefined) await this.#supervise(settings, args);
      else {
        const ownAdminPort = adminPort && adminPort + Number(this.#number);
        await this.#serve({ ...settings, adminPort: ownAdminPort }, supervisor);
      }
    } catch (error) {
      this.#end(error);
    }
  }

  /** Runs the service in this process, alone or as one of several, whose supervisor announces it. */
  async #serve(settings: Settings, supervisor?: Channel<SupervisorOffers>): Promise<void> {
    const droppedLogLines = () => this.#sink.dropped;
    const service = await startService(settings, this.#log, { droppedLogLines, supervisor });
    this.#service = service;
    const address = addressOf(settings, service.port);
    if (supervisor === undefined) this.#announce(settings, address);
    await this.#offerFirstKey(service, address);
    service.reportAge();
    supervisor?.notify("ready");
  }

  async #supervise(settings: Settings, args: readonly string[]): Promise<void> {
    // Another's shared port would be shared with them.
    const port = await unusedPort(settings.host, settings.port);
    this.#supervisor = new Supervisor({ ...settings, port }, args, this.#log);
    await this.#supervisor.start();
    this.#announce(settings, addressOf(settings, port));
  }

  /** Does as the supervisor says, and returns what it does for this process. */
  #obeySupervisor(): Channel<SupervisorOffers> {
    process.once("disconnect", () => this.#stopOnce("disconnect"));
    if (!process.connected) this.#stopOnce("disconnect");
    return new Channel(process, {
      ping: () => {},
      reload: () => this.#service?.reload(),
      closePort: () => this.#service?.closePort(),
      stop: () => this.#stopOnce("stop"),
      reading: () => this.#service?.reading(),
    } satisfies ProcessOffers);
  }

  #stopOrEnd(signal: string): void {
    const stoppingAt = this.#stoppingAt;
    this.#stopOnce(signal);
    if (stoppingAt === undefined || performance.now() - stoppingAt < oneSignalMs) return;
    this.#log.warn({ signal }, "second signal: stopping at once");
    this.#supervisor?.kill();
    void this.#exit(exitCodes.failed);
  }

  /** Stops on the first call, and ends the process. One that has not yet started has nothing to finish. */
  #stopOnce(signal: string): void {
    if (this.#stoppingAt !== undefined) return;
    this.#stoppingAt = performance.now();
    const stopped = (this.#service ?? this.#supervisor)?.stop();
    // No new connection is taken from here on: readers of this line may rely on it.
    this.#log.info({ signal }, "stopping");
    this.#notifySystemd("STOPPING=1");
    Promise.resolve(stopped).then(
      () => this.#exit(exitCodes.stopped),
      (error: unknown) => this.#end(error),
    );
  }

  #announce({ processes, poolSize, poolQueue }: Settings, address: string): void {
    this.#log.info({ address, processes, workers: poolSize, queue: poolQueue }, "listening");
    this.#notifySystemd("READY=1");
  }

  /** Creates the first API key if there is none at all, and shows it; without anywhere to show it none is made. */
  async #offerFirstKey(service: Service, address: string): Promise<void> {
    const notShown = "no API key was created, since it could not be shown: set API_KEYS or use keys create";
    const key = await service.createFirstKey(async (made) => {
      try {
        await showFirstKey(made, address);
        return true;
      } catch (error) {
        this.#log.error({ err: error }, notShown);
        return false;
      }
    });
    if (key !== undefined) await showFirstAnswer(key, address);
  }

  #end(error: unknown): void {
    if (error instanceof ProcessFailed) {
      // A process that stops before it answers fails its start, which no longer matters then.
      if (this.#stoppingAt === undefined) void this.#exit(error.exitCode);
      return;
    }
    const isExpected = error instanceof SettingError || error instanceof StartError;
    const shortage = this.#service === undefined ? shortageOf(error) : undefined;
    const sentence = shortage ?? (isExpected ? error.message : undefined);
    if (sentence === undefined) this.#log.fatal({ err: error }, "the service failed");
    else this.#sink.write(`${sentence}\n`);
    void this.#exit(error instanceof SettingError ? exitCodes.wrongSetting : exitCodes.failed);
  }

  async #exit(code: number): Promise<void> {
    await this.#sink.flush(lastLinesMs);
    const end = performance.now() + hangingWriteMs;
    while (this.#sink.isWriting && performance.now() < end) await delay(1);
    // Node waits at its end for a write that hangs in the kernel (a network disk that is gone); a signal does not.
    if (this.#sink.isWriting) process.kill(process.pid, "SIGKILL");
    process.exit(code);
  }
}

/** Threads cannot start in a folder that is gone. */
function expectWorkingFolder(): void {
  try {
    process.cwd();
  } catch (error) {
    const sentence = "The working directory does not exist any more; start the service in one that does.";
    throw new StartError(sentence, { cause: error });
  }
}

function addressOf({ host, tlsCert }: Settings, port: number): string {
  return `${tlsCert === "" ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns what the start lacks where the system has refused it; undefined for all other errors. */
function shortageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // Node.js reports what a thread lacks only in its message.
  if (/\bEMFILE\b/.test(error.message))
    return "Too few files may be open for a start (EMFILE); raise the limit of open files (ulimit -n).";
  return error instanceof RangeError && /not allocate|allocation failed/i.test(error.message)
    ? "There is not enough address space for the memory that the workers share (about 10 GB, little of it used); raise the limit of virtual memory (ulimit -v)."
    : undefined;
}
