#!/usr/bin/env -S node --max-semi-space-size=8 --initial-old-space-size=48 --max-old-space-size=96
import { type Command, CommanderError } from "commander";
import { CommandFailure, exitCodes, expectedFailure } from "./exit-codes.ts";
import { makeProgram, withoutControls } from "./program.ts";

/** The commands in the order of the help; only the named one is loaded. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import("./file/command.ts")).fileCommand("check"),
  generate: async () => (await import("./file/command.ts")).fileCommand("generate"),
  iban: async () => (await import("./single/commands.ts")).ibanCommand(),
  kto: async () => (await import("./single/commands.ts")).ktoCommand(),
  search: async () => (await import("./single/commands.ts")).searchCommand(),
  keys: async () => (await import("./keys.ts")).keysCommand(),
  usage: async () => (await import("./usage.ts")).usageCommand(),
  serve: async () => (await import("./serve.ts")).serveCommand(),
  data: async () => (await import("./data/command.ts")).dataCommand(),
  compose: async () => (await import("./single/commands.ts")).composeCommand(),
  sample: async () => (await import("./data/command.ts")).sampleCommand(),
  mcp: async () => (await import("./serve.ts")).mcpCommand(),
  completion: async () => (await import("./completion.ts")).completionCommand(),
};

process.stdout.on("error", endWithOutput);
// The work continues without a reader of its notes.
process.stderr.on("error", () => {});

const isJson = process.argv.includes("--json");

// An empty variable counts as unset, as those of settings do.
for (const name of Object.keys(process.env))
  if (name.startsWith("BANKCHECK_") && process.env[name] === "") delete process.env[name];

try {
  const [, , name = ""] = process.argv;
  // Completion and help name all commands.
  const named = name === "completion" || !Object.hasOwn(commands, name) ? Object.keys(commands) : [name];
  const loaded = await Promise.all(named.map((each) => commands[each]!()));
  await makeProgram(loaded, isJson).parseAsync(joinRejectFile(process.argv));
} catch (error) {
  const failure = expectedFailure(error);
  if (failure !== undefined) reportFailure(failure);
  else if (error instanceof CommanderError) endOfParsing(error);
  else throw error;
}

function reportFailure({ message, code, exitCode }: CommandFailure): void {
  const failure = { error: { code: code ?? null, message, exit_code: exitCode } };
  process.stderr.write(`${isJson ? JSON.stringify(failure) : withoutControls(message)}\n`);
  process.exitCode = exitCode;
}

/** Help and version end here too. Nothing ends the process early, so that output that cannot be written is noticed. */
function endOfParsing({ message, code, exitCode }: CommanderError): void {
  if (isJson && exitCode !== 0) {
    const plain = message.replace(/^error: /, "");
    const name = code.replace("commander.", "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    reportFailure(new CommandFailure(plain, exitCode, name));
  }
  process.exitCode = exitCode;
}

/** Joins the two words of `--bad-rows reject FILE`, which no option of the command line library can take. */
function joinRejectFile(words: readonly string[]): string[] {
  const at = words.findIndex((word, index) => word === "--bad-rows" && words[index + 1] === "reject");
  const file = words[at + 2];
  if (at < 0 || file === undefined || file.startsWith("-")) return [...words];
  return [...words.slice(0, at), `--bad-rows=reject=${file}`, ...words.slice(at + 3)];
}

/** Ends the process when its output has no reader any more, quietly, or when it cannot be written, with a sentence. */
function endWithOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? exitCodes.done.code);
  process.stderr.write(`Standard output cannot be written: ${error.message}.\n`);
  process.exit(exitCodes.givenUp.code);
}
