import { spawn } from "node:child_process";
import { fstatSync, statSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Channel, within } from "../process/calls.ts";
import { LogSink, makeLog } from "../process/log.ts";
import { helpText, readSettings, SettingError, type Settings, StartError } from "../settings.ts";
import { type Service, startService } from "./service.ts";
import {
  ProcessFailed,
  type ProcessOffers,
  processVariable,
  Supervisor,
  type SupervisorOffers,
} from "./supervisor.ts";

const exitCodes = { stopped: 0, failed: 1, wrongSetting: 2 } as const;

/** How long the end of the process waits for the log to be taken. */
const lastLinesMs = 250;

/** How long it waits for a write in progress, which may be slow on a busy machine. */
const hangingWriteMs = 5_000;

/** The service or, with several processes, the supervisor. */
interface Running {
  reload(): void;
  /** Only of one process of several, whose supervisor has all of them close the port before any ends its connections. */
  closePort?(): void;
  reading?(): string;
  stop(): Promise<void>;
  /** Ends at once what would outlive this process. */
  kill?(): void;
}

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
  readonly #log = makeLog(this.#sink);
  /** The number of this process, if it is one of several. */
  readonly #number = process.env[processVariable];
  readonly #notifySystemd = this.#number === undefined ? systemdNotifier() : () => {};
  /** Undefined until it has started. */
  #running: Running | undefined;
  #isStopping = false;

  async run(
    args: readonly string[],
    onStopSignal: (stop: (signal: NodeJS.Signals) => void) => void,
  ): Promise<void> {
    process.removeAllListeners("warning");
    process.on("warning", (warning) => this.#log.warn({ err: warning }, "Node.js warning"));
    process.on("uncaughtException", (error) => this.#end(error));
    process.on("SIGHUP", () => this.#running?.reload());
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
    this.#running = service;
    const address = addressOf(settings, service.port);
    if (supervisor === undefined) this.#announce(settings, address);
    await this.#offerFirstKey(service, address);
    service.reportAge();
    supervisor?.notify("ready");
  }

  async #supervise(settings: Settings, args: readonly string[]): Promise<void> {
    const supervisor = await Supervisor.start(settings, args, this.#log);
    this.#running = supervisor;
    this.#announce(settings, addressOf(settings, supervisor.port));
  }

  /** Does as the supervisor says, and returns what it does for this process. */
  #obeySupervisor(): Channel<SupervisorOffers> {
    process.once("disconnect", () => this.#stopOnce("disconnect"));
    if (!process.connected) this.#stopOnce("disconnect");
    return new Channel(process, {
      ping: () => {},
      reload: () => this.#running?.reload(),
      closePort: () => this.#running?.closePort?.(),
      stop: () => this.#stopOnce("stop"),
      reading: () => this.#running?.reading?.(),
    } satisfies ProcessOffers);
  }

  #stopOrEnd(signal: string): void {
    if (!this.#isStopping) {
      this.#stopOnce(signal);
      return;
    }
    this.#log.warn({ signal }, "second signal: stopping at once");
    this.#running?.kill?.();
    void this.#exit(exitCodes.failed);
  }

  /** Stops on the first call, and ends the process. One that has not yet started has nothing to finish. */
  #stopOnce(signal: string): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const stopped = this.#running?.stop();
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
      void this.#exit(error.exitCode);
      return;
    }
    const isExpected = error instanceof SettingError || error instanceof StartError;
    const shortage = this.#running === undefined ? shortageOf(error) : undefined;
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

/**
 * Returns the function that reports a state of the service to systemd, where it was started with `Type=notify`, and does
 * nothing elsewhere. From its start on systemd hears from the service three times in each `WatchdogSec`.
 */
function systemdNotifier(): (state: "READY=1" | "STOPPING=1") => void {
  const { NOTIFY_SOCKET, PATH, WATCHDOG_USEC = "0" } = process.env;
  if (NOTIFY_SOCKET === undefined) return () => {};
  // It passes on states, one a line: one shell for all, so that a busy service starts no process each time.
  const script = 'while read -r state; do systemd-notify "$state"; done';
  const shell = spawn("/bin/sh", ["-c", script], {
    env: { NOTIFY_SOCKET, ...(PATH === undefined ? {} : { PATH }) },
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without the tool systemd ends the start after its time; the service has nothing to add.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  const notify = (state: string) => void shell.stdin.write(`${state}\n`);
  const everyMs = Number(WATCHDOG_USEC) / 1_000 / 3;
  if (everyMs > 0) setInterval(() => notify("WATCHDOG=1"), everyMs).unref();
  return notify;
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

/** How long standard output may take to take the key. */
const showTimeoutMs = 5_000;

/** Where a check with the key is sent, to show that it works. */
const checkPath = "/v1/iban/DE89370400440532013000";

/**
 * Shows the first API key on standard output, in a curl line to paste.
 *
 * Rejects if it cannot be seen: standard output is closed, full, or the null device.
 */
async function showFirstKey(key: string, address: string): Promise<void> {
  if (isNullDevice(1)) throw new Error("standard output is closed or the null device");
  await print(
    "\nNo API key is configured, so the service created one. It is shown only once; the service keeps its digest.\n\n" +
      `  curl -H "Authorization: Bearer ${key}" ${address}${checkPath}\n\n`,
  );
}

/** Shows the answer to a first check; nothing where this machine cannot call the address, since the service runs anyway. */
async function showFirstAnswer(key: string, address: string): Promise<void> {
  try {
    const answer = await fetch(address + checkPath, { headers: { Authorization: `Bearer ${key}` } });
    await print(`It answers:\n\n  ${await answer.text()}\n\n`);
  } catch {
    // Some ports (6000, 10080 and others) are closed to fetch, and a firewall may be in between.
  }
}

async function print(text: string): Promise<void> {
  const { stdout } = process;
  // The callback gets it too; without a listener it would end the process.
  stdout.on("error", () => {});
  const printed = new Promise<void>((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
  await within(showTimeoutMs, printed);
}

/** Node opens the null device where a standard stream is closed at its start. */
function isNullDevice(fd: number): boolean {
  const { rdev } = fstatSync(fd);
  return process.platform !== "win32" && rdev !== 0 && rdev === statSync("/dev/null").rdev;
}
