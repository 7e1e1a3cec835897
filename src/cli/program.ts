import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { getHeapStatistics } from "node:v8";
import { Command, Option } from "commander";
import { DataFileError } from "../banks/files/csv.ts";
import { languages } from "../contract/language.ts";
import {
  flagOf,
  helpColumns,
  productVersion,
  readSettings,
  SettingError,
  type Settings,
  StartError,
  wrapped,
} from "../settings.ts";
import { UsageStoreError } from "../usage/usage-store.ts";

interface ExitCode {
  readonly code: number;
  readonly sentence: string;
  /** What it also means for a command that reads files. */
  readonly ofFiles?: string;
}

/** Exit codes of all commands, and their meaning; README and help are generated from them. */
export const exitCodes = {
  done: { code: 0, sentence: "Done.", ofFiles: "Every row has been checked, valid or not." },
  unusable: { code: 1, sentence: "The options or the input cannot be used." },
  givenUp: {
    code: 2,
    sentence: "Gave up after repeated errors of the service or the disk.",
    ofFiles: "Continue with --resume.",
  },
  refused: {
    code: 3,
    sentence: "The service refused the API key or the request, or its configuration is at fault.",
  },
  notValid: {
    code: 4,
    sentence: "The number is not valid, or nothing was found.",
    ofFiles: "With --fail-on-invalid: a row is not valid.",
  },
  suspicious: {
    code: 5,
    sentence:
      "A list was not imported: too much would be missing or different, or a check-digit method is unknown. --force imports it.",
  },
  unreachable: {
    code: 6,
    sentence: "The source of bank data cannot be reached, or its page has changed. The data is untouched.",
  },
  interrupted: {
    code: 130,
    sentence: "Interrupted by Ctrl-C or SIGTERM.",
    ofFiles: "Continue with --resume.",
  },
} as const satisfies Record<string, ExitCode>;

/** Returns what an exit code means, in full or without what concerns files alone. */
export function meaningOf({ sentence, ofFiles }: ExitCode, isOfFiles = true): string {
  return isOfFiles && ofFiles !== undefined ? `${sentence} ${ofFiles}` : sentence;
}

/** Thrown by a command that could not do its work: one sentence for the user, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;
  /** A word for programs, where the service or the client has one. */
  readonly code: string | undefined;

  constructor(message: string, exitCode: number = exitCodes.unusable.code, code?: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}

const expectedErrors = [SettingError, StartError, DataFileError, UsageStoreError];

/** Returns what ends a command for a fault of settings, data, a folder or a store; undefined for a fault of our own. */
export function expectedFailure(error: unknown): CommandFailure | undefined {
  if (error instanceof CommandFailure) return error;
  const isExpected =
    error instanceof Error && ("syscall" in error || expectedErrors.some((kind) => error instanceof kind));
  return isExpected ? new CommandFailure(error.message) : undefined;
}

/**
 * Makes the command line `bankcheck` out of its commands; help, version and wrong options throw a CommanderError.
 *
 * @param isJson whether wrong options are reported as JSON, and so not here.
 */
export function makeProgram(commands: readonly Command[], isJson = false): Command {
  const program = new Command("bankcheck")
    .description("Check bank details at the command line, and administer the bankcheck service.")
    .version(productVersion)
    .showHelpAfterError(isJson ? false : "(see bankcheck --help)");
  for (const command of commands) program.addCommand(command);
  return throwing(program, isJson);
}

function throwing(command: Command, isJson: boolean): Command {
  for (const each of command.commands) throwing(each, isJson);
  command.exitOverride();
  // A narrow column is wrapped too.
  command.configureHelp({ minWidthToWrap: 20 });
  command.configureOutput({ getOutHelpWidth: () => helpColumns, getErrHelpWidth: () => helpColumns });
  return isJson ? command.configureOutput({ writeErr: () => {} }) : command;
}

/** Returns a message as a terminal may show it: names in a file may hold characters that would control it. */
export function withoutControls(message: string): string {
  return message.replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}

const commonCodes = ["done", "unusable", "givenUp"] as const;

/** Examples of a command, and what its exit codes say, for the end of its help. `codes`: those that not all commands have. */
export function examples(codes: readonly (keyof typeof exitCodes)[], ...lines: readonly string[]): string {
  const isOfFiles = codes.includes("interrupted");
  const sentences = [...commonCodes, ...codes].flatMap((name) => {
    const [first = "", ...rest] = wrapped(meaningOf(exitCodes[name], isOfFiles), "       ");
    return [`  ${String(exitCodes[name].code).padStart(3)}  ${first.trimStart()}`, ...rest];
  });
  const commands = lines.map((line) => `  bankcheck ${line}`);
  return ["", "Examples:", ...commands, "", "Exit codes:", ...sentences].join("\n");
}

/** The language of an answer's messages. */
export function languageOption(): Option {
  return new Option("--lang <language>", "language of the messages").choices(languages);
}

/** Lays rows of cells out under a head, in columns as wide as their widest cell. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

const stateNames = ["stateDir", "usageStore", "dataDir"] as const;

/** Options of a command that are settings of the service. */
export type StateOptions = { readonly [Name in (typeof stateNames)[number]]?: string };

/** Reads the settings that say where the service keeps its state; an option of the command wins over the environment. */
export function stateSettings(options: StateOptions): Settings {
  const args = stateNames.flatMap((name) =>
    options[name] === undefined ? [] : [`--${flagOf(name)}=${options[name]}`],
  );
  return readSettings(args, process.env, stateNames);
}

/**
 * Returns the folder of the service's state, which must be there: a command in the wrong place must not make one.
 *
 * @param mayMake whether a named one is created if it is absent.
 */
export function stateFolder(options: StateOptions, mayMake = false): string {
  const { stateDir } = stateSettings(options);
  const isNamed = options.stateDir !== undefined || (process.env["STATE_DIR"] ?? "") !== "";
  if (existsSync(stateDir) || (mayMake && isNamed)) return stateDir;
  throw new CommandFailure(
    `There is no state folder ${stateDir}; name the one of the service with --state-dir or STATE_DIR.`,
  );
}

const passedSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs Node with arguments in a separate process and returns its exit code; signals reach it. */
export async function runInChild(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of passedSignals) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    });
  } finally {
    for (const signal of passedSignals) process.off(signal, pass);
  }
}

/** Reading a file of `maxSourceBytes` takes up to a gigabyte of heap; the command line as a whole is kept far below. */
const heapMegabytes = 2_048;

/**
 * Returns an action that runs where there is heap enough for the largest file: in a separate process, started with
 * the same arguments, where this one has less.
 */
export function withHeap<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<void>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    if (getHeapStatistics().heap_size_limit >= heapMegabytes * 1_048_576) return action(...given);
    const options = process.execArgv.filter((option) => !option.includes("old-space-size"));
    process.exitCode = await runInChild([
      ...options,
      `--max-old-space-size=${heapMegabytes}`,
      ...process.argv.slice(1),
    ]);
  };
}
