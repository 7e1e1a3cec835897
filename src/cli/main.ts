#!/usr/bin/env -S node --max-semi-space-size=4
import { checkCommand, generateCommand } from "./file/command.ts";
import { keysCommand } from "./keys.ts";
import { CommandFailure, makeProgram } from "./program.ts";

try {
  await makeProgram([checkCommand(), generateCommand(), keysCommand()]).parseAsync();
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
