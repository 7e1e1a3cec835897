#!/usr/bin/env -S node --max-semi-space-size=8 --initial-old-space-size=48 --max-old-space-size=96
import { completionCommand } from "./completion.ts";
import { dataCommand } from "./data/command.ts";
import { exitCodes } from "./exit-codes.ts";
import { checkCommand, generateCommand, joinRejectFile } from "./file/command.ts";
import { keysCommand } from "./keys.ts";
import { mcpCommand } from "./mcp/command.ts";
import { composeCommand, sampleCommand } from "./numbers/commands.ts";
import { CommandFailure, makeProgram } from "./program.ts";
import { serveCommand } from "./serve.ts";
import { ibanCommand, ktoCommand, searchCommand } from "./single/commands.ts";
import { usageCommand } from "./usage.ts";

endWithOutput(process.stdout);
endWithOutput(process.stderr);

try {
  const commands = [
    checkCommand(),
    generateCommand(),
    ibanCommand(),
    ktoCommand(),
    searchCommand(),
    keysCommand(),
    usageCommand(),
    serveCommand(),
    dataCommand(),
    composeCommand(),
    sampleCommand(),
    mcpCommand(),
    completionCommand(),
  ];
  await makeProgram(commands).parseAsync(joinRejectFile(process.argv));
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

/** Ends the process when nobody reads its output any more, quietly, or when nothing can be written to it, with a word. */
function endWithOutput(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? exitCodes.done.code);
    if (stream === process.stdout)
      process.stderr.write(`Standard output cannot be written: ${error.message}.\n`);
    process.exit(exitCodes.givenUp.code);
  });
}
