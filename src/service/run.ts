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
  openSupervisor,
  ProcessFailed,
  type ProcessOffers,
  processVariable,
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

/** What a start may lack, by the error: Node.js reports what a thread lacks only in its message. */
const shortages: readonly (readonly [said: RegExp, sentence: string])[] = [
  [
    /\bEMFILE\b/,
    "Too few files may be open for a start (EMFILE); raise the limit of open files (ulimit -n).",
  ],
  [/\buv_cwd\b/, "The working directory does not exist any more; start the service in one that does."],
  [
    /^RangeError: .*(not allocate|allocation failed)/i,
    "There is not enough address space for the memory that the workers share (about 10 GB, little of it used); raise the limit of virtual memory (ulimit -v).",
  ],
];

/**
 * Runs the service, or several processes of it, with these command-line arguments until a signal stops it.
 *
 * `onStopSignal` takes what SIGTERM and SIGINT do from now on.
 */
export async function run(
  args: readonly string[],
  onStopSignal: (stop: (signal: NodeJS.Signals) => void) => void,
): Promise<void> {
  if (args.includes("--help")) {
    writeSync(1, helpText());
    return;
  }
  const sink = new LogSink(2);
  const { log } = sink;
  /** The number of this process, if it is one of several. */
  const number = process.env[processVariable];
  const notifySystemd = number === undefined ? systemdNotifier() : () => {};
  /** Undefined until it has started. */
  let service: Service | undefined;
  /** In place of a service, from its start on: the first of its processes answer requests while the others start. */
  let supervisor: ReturnType<typeof openSupervisor> | undefined;
  /** Since when this process stops. */
  let stoppingAt: number | undefined;

  /** Does as the supervisor says, and returns what it does for this process. */
  function obeySupervisor(): Channel<SupervisorOffers> {
    process.once("disconnect", () => stopOnce("disconnect"));
    if (!process.connected) stopOnce("disconnect");
    return new Channel(process, {
      ping: () => {},
      reload: () => service?.reload(),
      closePort: () => service?.closePort(),
      stop: () => stopOnce("stop"),
      reading: () => service?.reading(),
    } satisfies ProcessOffers);
  }

  function stopOrEnd(signal: string): void {
    const since = stoppingAt;
    stopOnce(signal);
    if (since === undefined || performance.now() - since < oneSignalMs) return;
    log.warn({ signal }, "second signal: stopping at once");
    supervisor?.kill();
    void exit(exitCodes.failed);
  }

  /** Stops on the first call, and ends the process. One that has not yet started has nothing to finish. */
  function stopOnce(signal: string): void {
    if (stoppingAt !== undefined) return;
    stoppingAt = performance.now();
    const stopped = (service ?? supervisor)?.stop();
    // No new connection is taken from here on: readers of this line may rely on it.
    log.info({ signal }, "stopping");
    notifySystemd("STOPPING=1");
    Promise.resolve(stopped).then(() => exit(exitCodes.stopped), end);
  }

  function announce({ processes, poolSize, poolQueue }: Settings, address: string): void {
    log.info({ address, processes, workers: poolSize, queue: poolQueue }, "listening");
    notifySystemd("READY=1");
  }

  function end(error: unknown): void {
    if (error instanceof ProcessFailed) {
      // A process that stops before it answers fails its start, which no longer matters then.
      if (stoppingAt === undefined) void exit(error.exitCode);
      return;
    }
    const isExpected = error instanceof SettingError || error instanceof StartError;
    const lacks = shortages.find(([said]) => service === undefined && said.test(String(error)));
    const sentence = lacks?.[1] ?? (isExpected ? error.message : undefined);
    if (sentence === undefined) log.fatal({ err: error }, "the service failed");
    else sink.write(`${sentence}\n`);
    void exit(error instanceof SettingError ? exitCodes.wrongSetting : exitCodes.failed);
  }

  async function exit(code: number): Promise<void> {
    await sink.flush(lastLinesMs);
    const until = performance.now() + hangingWriteMs;
    while (sink.isWriting && performance.now() < until) await delay(1);
    // Node waits at its end for a write that hangs in the kernel (a network disk that is gone); a signal does not.
    if (sink.isWriting) process.kill(process.pid, "SIGKILL");
    process.exit(code);
  }

  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "Node.js warning"));
  process.on("uncaughtException", end);
  process.on("SIGHUP", () => (service ?? supervisor)?.reload());
  // Of several processes only the supervisor decides: a terminal, or systemd, sends its signals to all of them.
  onStopSignal(number === undefined ? stopOrEnd : stopOnce);
  try {
    const toSupervisor = number === undefined ? undefined : obeySupervisor();
    // Threads cannot start in a folder that is gone; this fails there.
    process.cwd();
    const settings = readSettings(args, process.env);
    log.level = settings.logLevel;
    const { processes, adminPort } = settings;
    if (processes > 1 && toSupervisor === undefined) {
      // Another's shared port would be shared with them.
      const port = await unusedPort(settings.host, settings.port);
      supervisor = openSupervisor({ ...settings, port }, args, log);
      await supervisor.start();
      announce(settings, addressOf(settings, port));
      return;
    }
    const own = { ...settings, adminPort: adminPort && adminPort + Number(number ?? 0) };
    const parts = { droppedLogLines: () => sink.dropped, supervisor: toSupervisor };
    service = await startService(own, log, parts);
    const address = addressOf(settings, service.port);
    if (toSupervisor === undefined) announce(settings, address);
    const key = await service.createFirstKey((made) => showFirstKey(made, address, log));
    if (key !== undefined) await showFirstAnswer(key, address);
    service.reportAge();
    toSupervisor?.notify("ready");
  } catch (error) {
    end(error);
  }
}

function addressOf({ host, tlsCert }: Settings, port: number): string {
  return `${tlsCert === "" ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
