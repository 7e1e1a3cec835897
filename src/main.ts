import { helpText } from "./help.ts";
import { BindingError } from "./http/binding.ts";
import { LogSink, makeLog } from "./log.ts";
import { startService } from "./service.ts";
import { readSettings, SettingError, type Settings } from "./settings.ts";
import { ProcessFailed, type ProcessReady, processVariable, Supervisor } from "./supervisor.ts";

/** Exit codes of the process. */
const exitCodes = { stopped: 0, failed: 1, wrongSetting: 2 } as const;

/** How long the end of the process waits for the log to be taken. */
const lastLinesMs = 250;

const sink = new LogSink(2);
const log = makeLog(sink);

process.removeAllListeners("warning");
process.on("warning", (warning) => log.warn({ err: warning }, "Node warns"));
process.on("uncaughtException", end);

const parts = { droppedLogLines: () => sink.dropped };
const args = process.argv.slice(2);
if (args.includes("--help")) process.stdout.write(helpText());
else await run(args);

async function run(flags: readonly string[]): Promise<void> {
  try {
    const settings = readSettings(flags, process.env);
    log.level = settings.logLevel;
    if (settings.processes === 1) await runAlone(settings);
    else if (process.env[processVariable] === undefined) await supervise(settings, flags);
    else await runBeside(settings);
  } catch (error) {
    end(error);
  }
}

/** The service in this process. */
async function runAlone(settings: Settings): Promise<void> {
  const service = await startService(settings, log, parts);
  process.on("SIGHUP", () => service.reload());
  stopOnSignal(() => service.stop());
  await announce(settings, service);
}

/** One process of several: the supervisor announces it, and it stops when the supervisor has gone. */
async function runBeside(settings: Settings): Promise<void> {
  const { adminPort } = settings;
  const number = Number(process.env[processVariable]);
  const ownSettings = { ...settings, adminPort: adminPort === 0 ? 0 : adminPort + number };
  const service = await startService(ownSettings, log, parts);
  process.on("SIGHUP", () => service.reload());
  const stop = stopOnSignal(() => service.stop());
  process.once("disconnect", () => stop("disconnect"));
  process.send?.({ port: service.port, firstKey: service.firstKey } satisfies ProcessReady);
}

/** The supervisor of several processes. */
async function supervise(settings: Settings, flags: readonly string[]): Promise<void> {
  const { supervisor, ready } = await Supervisor.start(settings, flags, log);
  process.on("SIGHUP", () => supervisor.signal("SIGHUP"));
  stopOnSignal(() => supervisor.stop());
  await announce(settings, ready);
}

/** Stops once, on the first SIGTERM or SIGINT or when called, and ends the process. */
function stopOnSignal(stop: () => Promise<void>): (why: string) => void {
  let stopping = false;
  const stopOnce = (signal: string) => {
    if (stopping) return;
    stopping = true;
    const stopped = stop();
    // No new connection is taken from here on: whoever reads this line may rely on it.
    log.info({ signal }, "stopping");
    stopped.then(
      () => exit(exitCodes.stopped),
      (error: unknown) => end(error),
    );
  };
  process.on("SIGTERM", stopOnce);
  process.on("SIGINT", stopOnce);
  return stopOnce;
}

async function announce(
  { host, processes, poolSize, poolQueue }: Settings,
  { port, firstKey }: ProcessReady,
): Promise<void> {
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  log.info({ address, processes, workers: poolSize, queue: poolQueue }, "listening");
  if (firstKey === undefined) return;
  const check = `${address}/v1/iban/DE89370400440532013000`;
  process.stdout.write(
    "\nNo API key was configured, so one was made. It is shown this once; only its digest is kept.\n\n" +
      `  curl -H "Authorization: Bearer ${firstKey}" ${check}\n\n`,
  );
  process.stdout.write(await firstAnswer(check, firstKey));
}

/** Shows the first check's answer; nothing where this machine cannot call the address, since the service runs anyway. */
async function firstAnswer(check: string, key: string): Promise<string> {
  try {
    const answer = await fetch(check, { headers: { Authorization: `Bearer ${key}` } });
    return `It answers:\n\n  ${await answer.text()}\n\n`;
  } catch {
    // Some ports (6000, 10080 and others) are closed to fetch, and a firewall may stand between.
    return "";
  }
}

function end(error: unknown): void {
  if (error instanceof SettingError || error instanceof BindingError) {
    sink.write(`${error.message}\n`);
    void exit(error instanceof SettingError ? exitCodes.wrongSetting : exitCodes.failed);
  } else if (error instanceof ProcessFailed) {
    void exit(error.exitCode);
  } else {
    log.fatal({ err: error }, "the service could not start or stop");
    void exit(exitCodes.failed);
  }
}

async function exit(code: number): Promise<void> {
  await sink.flush(lastLinesMs);
  // Node waits at its end for a write that hangs in the kernel (a network disk that is gone); a signal does not.
  if (sink.isWriting) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}
