import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { makeFolder } from "../src/process/files.ts";
import { endAll } from "../test/support/children.ts";

/** Reads the command line of a bench; what it does not know ends the process with one sentence. */
export function optionsOf<const T extends NonNullable<ParseArgsConfig["options"]>>(options: T) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const [what] = (error as Error).message.split(/\.[ \n]|\.$|\n/);
    const known = Object.keys(options).map((name) => `--${name}`);
    fail(`${what}. Options: ${known.join(", ")}`);
  }
}

/** Which numbers an option takes. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
}

/** Reads an option that takes a number; any other text ends the process with one sentence. */
export function numberOf(name: string, text: string, bounds: Bounds): number {
  return readNumbers(name, text, [text], "a ", bounds)[0]!;
}

/** Reads an option that takes numbers with commas between them, each once and in ascending order. */
export function numbersOf(name: string, text: string, bounds: Bounds): readonly number[] {
  const values = new Set(readNumbers(name, text, text.split(","), "", bounds));
  return [...values].sort((a, b) => a - b);
}

function readNumbers(
  name: string,
  text: string,
  parts: readonly string[],
  article: string,
  { min, max, isWhole = false }: Bounds,
): readonly number[] {
  const values = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isRight = (value: number) => value >= min && value <= max && (!isWhole || Number.isInteger(value));
  if (values.every(isRight)) return values;
  const kind = `${article}${isWhole ? "whole " : ""}number${article === "" ? "s" : ""}`;
  fail(`--${name} takes ${kind} from ${min} to ${max}, but is ${JSON.stringify(text)}.`);
}

/** Ends the process with a sentence that says what is wrong. */
export function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Ends the process with one sentence unless a report can be written to the file, before a run that takes long. */
export function prepareOutput(file: string): void {
  try {
    makeFolder(dirname(file));
    const isNew = !existsSync(file);
    appendFileSync(file, "");
    if (isNew) rmSync(file);
  } catch (error) {
    fail(`--output takes a file to write the report to (${(error as Error).message}).`);
  }
}

const folders: string[] = [];

/** Makes a folder for temporary files that is removed when the process exits. */
export function temporaryFolder(): string {
  if (folders.length === 0) process.once("exit", removeFolders);
  const folder = mkdtempSync(join(tmpdir(), "bankcheck-bench-"));
  folders.push(folder);
  return folder;
}

function removeFolders(): void {
  // What was killed just now may still have written a file.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** How long a process that a service has started may take to end after it, during which it may still write a file. */
const graceMs = 250;

/** On Ctrl-C and SIGTERM, ends the servers and generators that run, removes temporary folders and exits. */
export function exitOnSignals(): void {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, async () => {
      // What waits for one of them fails now.
      process.on("uncaughtException", () => {});
      await endAll();
      await delay(graceMs);
      process.exit(128 + constants.signals[name]);
    });
  }
}
