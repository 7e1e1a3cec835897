import { DataFileError } from "../banks/files/data-file.ts";
import { SettingError, StartError } from "../settings.ts";
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
  const isExpected = error instanceof Error && expectedErrors.some((kind) => error instanceof kind);
  const sentence = isExpected ? error.message : systemSentence(error);
  return sentence === undefined ? undefined : new CommandFailure(sentence);
}

/** What the system cannot do, as a sentence; undefined for any other error. */
export function systemSentence(error: unknown): string | undefined {
  const { syscall, code, path, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return undefined;
  if (code === "ENOENT" && path !== undefined) return `${path} does not exist.`;
  if (code === "EISDIR") return "A folder is named where a file is needed (EISDIR).";
  return code === "ENOSPC" ? "The disk is full (ENOSPC)." : `${message}.`;
}
