import { fstatSync, statSync } from "node:fs";
import type { Logger } from "pino";
import { within } from "../process/calls.ts";

const showTimeoutMs = 5_000;

/** Where a check with the key is sent, to show that it works. */
const checkPath = "/v1/iban/DE89370400440532013000";

/**
 * Shows the first API key on standard output, in a curl line to paste. False, and a line in the log, if it cannot be seen:
 * standard output is closed, full, or the null device.
 */
export async function showFirstKey(key: string, address: string, log: Logger): Promise<boolean> {
  try {
    const { rdev } = fstatSync(1);
    // Node opens the null device where a standard stream is closed at its start.
    if (process.platform !== "win32" && rdev !== 0 && rdev === statSync("/dev/null").rdev)
      throw new Error("standard output is closed or the null device");
    await print(
      "\nNo API key is configured, so the service created one. It is shown only once; the service keeps its digest.\n\n" +
        `  curl -H "Authorization: Bearer ${key}" ${address}${checkPath}\n\n`,
    );
    return true;
  } catch (error) {
    const notShown = "no API key was created, since it could not be shown: set API_KEYS or use keys create";
    log.error({ err: error }, notShown);
    return false;
  }
}

/** Shows the answer to a first check; nothing where this machine cannot call the address, since the service runs anyway. */
export async function showFirstAnswer(key: string, address: string): Promise<void> {
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
