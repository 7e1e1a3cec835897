import { appendFileSync, existsSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../src/process/files.ts";
import { endAll } from "../test/support/children.ts";

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Returns the file of a report, `.bench/NAME.html` by default; ends the process with one sentence where it cannot be written. */
export function reportFile(name: string, given: string | undefined): string {
  const file = given ?? fileURLToPath(new URL(`../.bench/${name}.html`, import.meta.url));
  try {
    makeFolder(dirname(file));
    const isNew = !existsSync(file);
    appendFileSync(file, "");
    if (isNew) rmSync(file);
  } catch (error) {
    fail(`--output takes a file to write the report to (${(error as Error).message}).`);
  }
  return file;
}

/** How long a process that a service has started may take to end after it, during which it may still write a file. */
const graceMs = 250;

/** On Ctrl-C and SIGTERM, reports what was measured, ends servers and generators, removes temporary folders and exits with 128 and the signal. */
export function exitOnSignals(report: (ended: string) => unknown = () => {}): void {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, async () => {
      // What waits for one of them fails now.
      process.on("uncaughtException", () => {});
      report("The run was stopped: what was not measured is missing.");
      await endAll();
      await delay(graceMs);
      process.exit(128 + constants.signals[name]);
    });
  }
}
