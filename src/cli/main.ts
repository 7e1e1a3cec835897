#!/usr/bin/env -S node --max-semi-space-size=8 --initial-old-space-size=48 --max-old-space-size=96
import type { Command } from "commander";
import { CommandFailure, exitCodes, makeProgram } from "./program.ts";

/** The commands in the order of the help; only what is named is loaded. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import("./file/command.ts")).checkCommand(),
  generate: async () => (await import("./file/command.ts")).generateCommand(),
  iban: async () => (await import("./single/commands.ts")).ibanCommand(),
  kto: async () => (await import("./single/commands.ts")).ktoCommand(),
  search: async () => (await import("./single/commands.ts")).searchCommand(),
  keys: async () => (await import("./keys.ts")).keysCommand(),
  usage: async () => (await import("./usage.ts")).usageCommand(),
  serve: async () => (await import("./serve.ts")).serveCommand(),
  data: async () => (await import("./data/command.ts")).dataCommand(),
  compose: async () => (await import("./data/command.ts")).composeCommand(),
  sample: async () => (await import("./data/command.ts")).sampleCommand(),
  mcp: async () => (await import("./serve.ts")).mcpCommand(),
  completion: async () => (await import("./completion.ts")).completionCommand(),
};

endWithOutput(process.stdout);
endWithOutput(process.stderr);

try {
  const [, , name = ""] = process.argv;
  // Completion tells of all commands, and so does the help.
  const named = name === "completion" || !Object.hasOwn(commands, name) ? Object.keys(commands) : [name];
  const loaded = await Promise.all(named.map((each) => commands[each]!()));
  await makeProgram(loaded).parseAsync(joinRejectFile(process.argv));
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error;
  const { message, code, exitCode } = error;
  const isJson = process.argv.includes("--json");
  process.stderr.write(
    isJson
      ? `${JSON.stringify({ error: { code: code ?? null, message, exit_code: exitCode } })}\n`
      : `${message}\n`,
  );
  process.exitCode = exitCode;
}

/** Joins the two words of `--bad-rows reject FILE`, which no option of the command line library can take. */
function joinRejectFile(words: readonly string[]): string[] {
  const at = words.findIndex((word, index) => word === "--bad-rows" && words[index + 1] === "reject");
  const file = words[at + 2];
  if (at < 0 || file === undefined || file.startsWith("-")) return [...words];
  return [...words.slice(0, at), `--bad-rows=reject=${file}`, ...words.slice(at + 3)];
}

/** Ends the process when nobody reads its output any more, quietly, or when nothing can be written to it, with a word. */
function endWithOutput(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? exitCodes.done.code);
    if (stream === process.stdout)
      process.stderr.write(`Standard output cannot be written: ${error.message}.\n`);
    process.exit(exitCodes.givenUp.code);
  });
}
