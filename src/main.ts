import { pino } from "pino";
import { helpText } from "./help.ts";
import { BindingError } from "./http/binding.ts";
import { startService } from "./service.ts";
import { readSettings, SettingError, type Settings } from "./settings.ts";

/** Exit codes of the process. */
const exitCodes = { stopped: 0, failed: 1, wrongSetting: 2 } as const;

const log = pino(
  { base: null, timestamp: pino.stdTimeFunctions.isoTime },
  pino.destination({ fd: 2, sync: true }),
);

const args = process.argv.slice(2);
if (args.includes("--help")) process.stdout.write(helpText());
else await run(args);

async function run(flags: readonly string[]): Promise<void> {
  try {
    const settings = readSettings(flags, process.env);
    const service = await startService(settings, log);
    let stopping = false;
    const stop = (signal: string) => {
      if (stopping) return;
      stopping = true;
      const stopped = service.stop();
      // No new connection is taken from here on: whoever reads this line may rely on it.
      log.info({ signal }, "stopping");
      stopped.then(
        () => process.exit(exitCodes.stopped),
        (error: unknown) => end(error),
      );
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
    await announce(settings, service.port, service.firstKey);
  } catch (error) {
    end(error);
  }
}

async function announce(
  { host, poolSize, poolQueue }: Settings,
  port: number,
  firstKey: string | undefined,
): Promise<void> {
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  log.info({ address, workers: poolSize, queue: poolQueue }, "listening");
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
    process.stderr.write(`${error.message}\n`);
    process.exit(error instanceof SettingError ? exitCodes.wrongSetting : exitCodes.failed);
  }
  log.fatal({ err: error }, "the service could not start or stop");
  process.exit(exitCodes.failed);
}
